/// The options of `tasks add` in addition to the texts, as typed.
struct NewTaskOptions: Equatable {
  var due: String?
  var repetition: String?
  var priority: String?
  var notes: String?
  var wait: String?
  /// The text or the id of the open task that gets the subtask.
  var under: String?

  /// The text of the note; empty for none.
  var notesText: String? { notes.map { $0.meansNothing ? "" : $0 } }
}

extension String {
  /// Whether an option says that a task is to be without a value.
  var meansNothing: Bool { ["none", "-"].contains(lowercased()) }
}
