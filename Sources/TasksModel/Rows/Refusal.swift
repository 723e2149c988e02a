/// An operation that the rules do not allow; nothing was written. Its description is a sentence for the
/// person who tried.
public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
  case editingCompletedRow
  case movingCompletedRow
  case movingAmongCompletedRows
  case completingListWithoutOpenTasks
  case subtaskOfSubtask
  case demotingTaskWithSubtasks
  case promotingTask
  case openSubtaskOfCompletedTask
  case openRowInArchive
  case noListToReturnTo
  /// The name of a search is longer than `Identifier.greatestLength`.
  case longName
  /// Another window has undone a part of the action, which is not continued.
  case undoneMeanwhile

  public var description: String {
    switch self {
    case .editingCompletedRow: "A completed row cannot be edited."
    case .movingCompletedRow: "A completed row cannot be moved."
    case .movingAmongCompletedRows: "An open row cannot go among the completed ones."
    case .completingListWithoutOpenTasks: "A list without open tasks cannot be completed."
    case .subtaskOfSubtask: "A subtask has no subtasks of its own."
    case .demotingTaskWithSubtasks: "A task that has subtasks cannot become one."
    case .promotingTask: "Only a subtask can be promoted."
    case .openSubtaskOfCompletedTask: "A completed task has no open subtasks; open it again first."
    case .openRowInArchive: "The archive holds completed tasks, which were cleared."
    case .noListToReturnTo: "There is no list to which it could return."
    case .longName: "The name of a search has at most \(Identifier.greatestLength.grouped) bytes."
    case .undoneMeanwhile: "It is not continued: another window has undone what was done of it."
    }
  }
}
