/// An action of a person, as undo names it.
public enum Action: String, Sendable {
  case add, edit, complete, reopen, delete, clear, move, moveToList, setDate, setNotes, setPriority,
    setRepetition, setWaiting, setColor, setOrder, demote, promote, sort, bringBack
  /// Adding the lists and tasks of a file of another format.
  case importing = "import"

  /// The action as a noun, for sentences such as "Setting the date can no longer be undone".
  package var noun: String {
    switch self {
    case .add: "adding"
    case .edit: "editing"
    case .complete: "completing"
    case .reopen: "reopening"
    case .delete: "deleting"
    case .clear: "clearing"
    case .move, .moveToList: "moving"
    case .setDate: "setting the date"
    case .setNotes: "writing the note"
    case .setPriority: "setting the priority"
    case .setRepetition: "setting the repetition"
    case .setWaiting: "setting the waiting"
    case .setColor: "setting the colour"
    case .setOrder: "setting the order"
    case .demote: "demoting"
    case .promote: "promoting"
    case .sort: "sorting"
    case .importing: "importing"
    case .bringBack: "bringing back"
    }
  }

  /// The action on some rows, for sentences such as "Undid: completing “Buy milk”".
  ///
  /// - Parameter rows: The words for the rows.
  public func words(about rows: String) -> String {
    switch self {
    case .add, .edit, .complete, .reopen, .delete, .clear, .move, .sort, .importing, .bringBack:
      "\(noun) \(rows)"
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
    }
  }
}
