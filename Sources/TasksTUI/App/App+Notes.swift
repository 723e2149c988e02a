import FoundationEssentials
import TasksModel

/// Notes, edited here and in another program.
extension App {
  /// Opens the note of a task.
  ///
  /// - Parameter text: The text written so far; nil for the note in the file.
  func openNote(of id: Identifier, text: String? = nil) {
    guard let task = context.store.task(id) else {
      return context.sayRowIsGone()
    }
    note = NoteScreen(context: context, task: task, text: text) { [unowned self] in
      try rowsOfTasks?.writeNote($0, of: id, replacing: $1)
        ?? context.store.setNotes(id, to: $0, replacing: $1)
    }
  }

  /// Stores a note that another program has edited, or opens it here if another person has changed the note
  /// meanwhile.
  ///
  /// - Parameter original: The note that the program received.
  func finishNote(of id: Identifier, text: String, original: String) {
    context.needsFrame = true
    guard text != original else { return }
    openNote(of: id, text: text)
    note?.keep(replacing: original)
    if note?.isDone == true { note = nil }
  }

  func say(_ message: String) { context.say(message) }

  private var rowsOfTasks: RowController<TaskItem>? {
    (screen as? TasksScreen)?.rows ?? (screen as? CollectedScreen)?.rows
  }
}

extension RowController where Element == TaskItem {
  /// Writes a note and shows the change.
  fileprivate func writeNote(_ text: String, of id: Identifier, replacing original: String) throws -> Edit {
    showAllItems()
    catchUp()
    let edit = try context.store.setNotes(id, to: text, replacing: original, in: scope)
    if edit.noChange != nil { return edit }
    list.apply(edit.changes, newRows: makeRows(), isLocal: true, at: changeTime)
    return edit
  }
}
