import Glibc
import TasksModel
import TerminalUI

/// Keeps what is being typed, when Ctrl-C is struck and when the window ends.
extension App {
  /// Ctrl-C ends what goes on, as Esc does, and leaves the program if nothing goes on. Another signal, and
  /// the end of the terminal, leave it in any case; the next start then offers what was being typed.
  func interrupt(_ signal: Int32) -> Request? {
    guard signal == SIGINT, isEndedByEscape else {
      keepUnsaved()
      return .quit(status: 128 + signal)
    }
    let key =
      front.isEditing
      ? context.editingKeys.keys(for: .cancel).first : context.keys.keys(for: .screen(.escape)).first
    return handle(.key(key ?? Key(.escape)))
  }

  /// Whether Esc ends something, or leaves tasks of all lists.
  private var isEndedByEscape: Bool {
    pendingCount != nil || front.isEditing || screens.front !== screens.rows || screen.hasMode
      || screen.place == nil
  }

  /// Stores the text that is being typed for the next start, and removes it when it is typed no more.
  func keepUnsaved() {
    let unsaved = screens.topmost(\.unsaved)
    guard unsaved != keptUnsaved else { return }
    keptUnsaved = unsaved
    stateFile?.keep(unsaved)
  }

  /// Continues with a text that was being typed when a window was closed.
  func offerUnsaved() {
    guard let unsaved = stateFile?.takeUnsaved() else { return }
    if unsaved.isNote {
      guard let id = unsaved.row, let place = context.store.place(ofTask: id) else {
        return giveBack(unsaved)
      }
      open(place, selecting: id)
      guard let note = note(of: id, text: unsaved.text, original: unsaved.original) else {
        return giveBack(unsaved)
      }
      push(note)
    } else {
      // Without a place the rows stay that are shown.
      if let place = unsaved.place, !open(place, selecting: unsaved.row) { return giveBack(unsaved) }
      if let topic = unsaved.collection.flatMap(CollectedScreen.Topic.init(title:)) {
        collect(topic)
        // A row that is not among them any more is in its list.
        if let row = unsaved.row, let place = unsaved.place,
          (screen as? CollectedScreen)?.rows.index(of: row) == nil
        {
          open(place, selecting: row)
        }
      }
      let point = unsaved.point ?? .afterOpenRows
      screen.resume(
        RowEditing(
          command: .rows(unsaved.row == nil ? point.command : .edit),
          target: unsaved.row.map(RowEditing.Target.row) ?? .draft(point),
          editor: LineEditor(unsaved.text, killRing: context.killRing), original: unsaved.original))
    }
    let keys = context.editingKeys
    say(
      "You were typing this when the window closed. \(keys.label(for: unsaved.isNote ? .keepNote : .keep)) "
        + "keeps it, \(keys.label(for: .cancel)) drops it.")
  }

  /// Leaves a text to be yanked, because its rows are gone.
  private func giveBack(_ unsaved: UnsavedText) {
    context.killRing.push(unsaved.text)
    say(
      "What you typed when the window closed has no place any more; \(context.editingKey(.paste)) in a row "
        + "brings it back.")
  }
}

extension InsertionPoint {
  fileprivate var command: RowsCommand {
    switch self {
    case .afterOpenRows: .add
    case .top: .addOnTop
    case .above: .addAbove
    case .below: .addBelow
    }
  }
}
