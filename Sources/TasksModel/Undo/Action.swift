/// What a person did, as undo names it.
public enum Action: String, Sendable {
  case add, edit, complete, reopen, delete, clear, move, moveToList, setDate

  /// As a verb, for sentences such as "Undone: complete “Buy milk”".
  public var verb: String {
    switch self {
    case .moveToList: "move to another list"
    case .setDate: "set the date of"
    default: rawValue
    }
  }
}
