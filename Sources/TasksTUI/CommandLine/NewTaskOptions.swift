import TasksModel

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

  /// The values that the task is not to have, even if its text says some.
  var absent: TextValues {
    var absent: TextValues = []
    if due?.meansNothing ?? false { absent.insert(.date) }
    if repetition?.meansNothing ?? false { absent.insert(.repetition) }
    return absent
  }

  /// Throws if the task is to repeat and to have no date.
  func requireDateForRepetition() throws(RuntimeError) {
    guard absent == .date, repetition != nil else { return }
    throw RuntimeError("a task that repeats needs a date: leave out --due none, or --repeat")
  }
}

extension String {
  /// The value that an option says, as a closure reads it; nil if the task is to be without one.
  func valueOrNothing<Value>(_ read: (String) throws -> Value) rethrows -> Value? {
    meansNothing ? nil : try read(self)
  }
}
