import FoundationEssentials
import LiveStore
import TasksModel

/// Tasks of any lists: what is done to one is done in the list that holds it.
extension RowsScreen {
  var isCollected: Bool { collected != nil }

  /// The place that holds a row; nil when it is gone.
  func place(of id: Identifier) -> Place? { place ?? context.store.place(ofTask: id) }

  /// The object with the cursor; nil where there is none, or only a draft.
  var selectedTask: Identifier? {
    if case .object(let id)? = list.selectedID { id } else { nil }
  }

  /// Where a new row goes, and what it is like.
  func newRow(_ text: String) -> (place: Place, text: String, date: Date?)? {
    if let place { return (place, text, nil) }
    guard let home = context.store.lists.first else {
      context.say("There is no list to add it to.")
      return nil
    }
    let adopted = text.isEmpty ? (text, nil) : collected?.adopt(text)
    return (.tasks(inList: home.id), adopted?.0 ?? text, adopted?.1)
  }

  /// Says what is not done here, because the rows stand in an order of their own.
  func refusesInCollection(_ sentence: String) -> Bool {
    if isCollected { context.say(sentence) }
    return isCollected
  }

  static var orderSentence: String { "Tasks of several lists cannot be moved here; go to their list." }

  /// Says where a task is that was added and is not among those that are shown.
  func sayWhere(_ edit: Edit) {
    guard isCollected, case .tasks(let id) = edit.place, let name = context.store.list(id)?.text else {
      return
    }
    context.say("Added to \(quoted(name)).")
  }
}
