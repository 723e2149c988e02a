/// An action of a person, as undo names it.
public enum Action: String, Sendable {
  case add, edit, complete, reopen, delete, clear, move, moveToList, setDate, setNotes, setPriority,
    setRepetition, demote, promote

  /// The verb for sentences such as "Undone: complete “Buy milk”".
  public var verb: String {
    switch self {
    case .moveToList: "move to another list"
    case .setDate: "set the date of"
    case .setNotes: "write the note of"
    case .setPriority: "set the priority of"
    case .setRepetition: "set the repetition of"
    default: rawValue
    }
  }
}
