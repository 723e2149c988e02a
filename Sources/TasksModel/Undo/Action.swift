/// An action of a person, as undo names it.
public enum Action: String, Sendable {
  case add, edit, complete, reopen, delete, clear, move, moveToList, setDate, setNotes, setPriority,
    setRepetition, setWaiting, setColor, setOrder, demote, promote, sort
  /// Adding the lists and tasks of a file of another format.
  case importing = "import"

  /// The action on some rows, for sentences such as "Undid: completing “Buy milk”".
  ///
  /// - Parameter rows: The words for the rows.
  public func words(about rows: String) -> String {
    switch self {
    case .add: "adding \(rows)"
    case .edit: "editing \(rows)"
    case .complete: "completing \(rows)"
    case .reopen: "reopening \(rows)"
    case .delete: "deleting \(rows)"
    case .clear: "clearing \(rows)"
    case .move: "moving \(rows)"
    case .moveToList: "moving \(rows) to another list"
    case .setDate: "the date of \(rows)"
    case .setNotes: "the note of \(rows)"
    case .setPriority: "the priority of \(rows)"
    case .setRepetition: "the repetition of \(rows)"
    case .setWaiting: "the waiting of \(rows)"
    case .setColor: "the colour of \(rows)"
    case .setOrder: "the kept order of \(rows)"
    case .demote: "making a subtask of \(rows)"
    case .promote: "making a task of \(rows)"
    case .sort: "sorting \(rows)"
    case .importing: "importing \(rows)"
    }
  }
}
