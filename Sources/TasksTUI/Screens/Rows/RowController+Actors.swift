import LiveStore
import TasksModel

/// The people at other machines who change rows.
extension RowController {
  /// The row under the cursor in the last frame, as it was then.
  struct ShownRow {
    let id: Identifier
    let index: Int
    let text: String
    let isCompleted: Bool
  }

  func noteShownRow() {
    shownRow = nil
    guard let meant = list.meantRow, let index = meant.index, let element = element(at: index) else { return }
    shownRow = ShownRow(id: element.id, index: index, text: element.text, isCompleted: element.completed)
  }

  /// Says who on another machine has changed the row under the cursor, unless the person is being told
  /// something else.
  ///
  /// - Parameters:
  ///   - row: The row before the changes.
  ///   - changes: The changes, which are in the rows already.
  func sayWhoChanged(_ row: ShownRow?, in changes: ChangeSet) {
    guard let row,
      changes.modifications.contains(row.index) || changes.deletions.contains(row.index),
      context.message == nil || context.message == context.actorSentence,
      let actor = context.remoteActor(on: row.id)
    else { return }
    let deed = deed(on: row, in: changes)
    // A value that is read out of a text says nothing more where the text has just been told.
    guard deed != nil || context.message == nil else { return }
    let sentence = "\(actor.words) \(deed ?? "changed \(row.text.quoted)")."
    context.say(sentence)
    context.actorSentence = sentence
  }

  /// - Returns: Nil if something else of the row was changed.
  private func deed(on row: ShownRow, in changes: ChangeSet) -> String? {
    let name = row.text.quoted
    guard let element = context.store.row(row.id, of: Element.self) else { return "deleted \(name)" }
    if element.completed != row.isCompleted {
      return element.completed ? "completed \(name)" : "opened \(name) again"
    }
    if element.text != row.text {
      return "changed \(name) to “\(element.text.part(differingFrom: row.text, columns: 24))”"
    }
    guard changes.deletions.contains(row.index) else { return nil }
    return changes.newIndex(ofOld: row.index) == nil ? "took \(name) from here" : "moved \(name)"
  }
}

extension ScreenContext {
  /// The person at another machine whose change of a row is being delivered.
  func remoteActor(on row: Identifier) -> RemoteActor? {
    syncJournal == nil ? nil : store.remoteActor(on: row, after: lastArrival)
  }

  /// Returns who has just changed a row: `by ben on tablet`, or `elsewhere` for another program here.
  func origin(ofChangeTo row: Identifier) -> String {
    remoteActor(on: row).map { "by \($0.words)" } ?? "elsewhere"
  }

  /// Notes that everything has been delivered: later changes of the same rows may be those of others.
  func noteArrivals() {
    if syncJournal != nil { lastArrival = store.lastArrival }
  }
}
