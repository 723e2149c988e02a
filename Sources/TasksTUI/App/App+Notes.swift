import FoundationEssentials
import TasksModel

/// Notes, in place and in another program.
extension App {
  /// Opens the note of a task.
  ///
  /// - Parameter text: What has been written already; nil for the note that is there.
  func openNote(of id: Identifier, text: String? = nil) {
    guard let task = context.store.task(id) else {
      return context.say("That row has just been deleted elsewhere.")
    }
    note = NoteScreen(context: context, task: task, text: text) { [unowned self] in
      try rowsOfTasks?.writeNote($0, of: id, replacing: $1)
        ?? context.store.setNotes(id, to: $0, replacing: $1)
    }
  }

  /// Keeps what another program has made of a note, or opens it here when somebody else has written another
  /// one meanwhile.
  ///
  /// - Parameter original: The note that the program was given.
  func finishNote(of id: Identifier, text: String, original: String) {
    context.needsFrame = true
    guard text != original else { return }
    openNote(of: id, text: text)
    note?.keep(replacing: original)
    if note?.isDone == true { note = nil }
  }

  func say(_ message: String) { context.say(message) }

  private var rowsOfTasks: RowsScreen<TaskItem>? {
    (screen as? TasksScreen)?.rows ?? (screen as? CollectedScreen)?.rows
  }
}

extension RowsScreen where Element == TaskItem {
  /// Writes a note and shows what that did.
  fileprivate func writeNote(_ text: String, of id: Identifier, replacing original: String) throws -> Edit {
    showAllItems()
    catchUp()
    let edit = try context.store.setNotes(
      id, to: text, replacing: original, showing: collected?.results, withoutNotifying: tokens)
    if case .none = edit.change { return edit }
    list.apply(RowChanges(edit.change), newRows: makeRows(), isLocal: true, at: changeTime)
    return edit
  }
}
