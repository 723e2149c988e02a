/// The ordered collection that contains a row.
public enum Place: Hashable, Sendable, Codable {
  /// All lists.
  case lists
  /// The tasks of the list with this id.
  case tasks(inList: Identifier)
  /// The subtasks of the task with this id.
  case subtasks(of: Identifier)

  /// The tasks that were cleared.
  public static let archive = Place.tasks(inList: TaskList.archiveID)

  /// Whether its rows are subtasks.
  public var isOfSubtasks: Bool {
    if case .subtasks = self { true } else { false }
  }
}
