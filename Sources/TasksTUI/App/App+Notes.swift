import FoundationEssentials
import TasksModel

/// Notes, edited here and in another program.
extension App {
  /// Stores a note that another program has edited, or opens it here if another person has changed the note
  /// meanwhile.
  ///
  /// - Parameter original: The note that the program received.
  func finishNote(of id: Identifier, text: String, original: String) {
    context.needsFrame = true
    guard text != original, let note = note(of: id, text: text, original: original) else { return }
    if note.keep() == nil { push(note) }
  }

  /// - Parameters:
  ///   - text: The text written so far; nil for the note in the file.
  ///   - original: The note with which the person began; nil for the one in the file.
  func note(of id: Identifier, text: String? = nil, original: String? = nil) -> NoteScreen? {
    guard let task = context.store.task(id) else { return context.sayRowIsGone() }
    return NoteScreen(context: context, task: task, text: text, original: original) { [unowned self] in
      try screen.setNote(of: id, to: $0, replacing: $1)
    }
  }

  func say(_ message: String) { context.say(message) }
}
