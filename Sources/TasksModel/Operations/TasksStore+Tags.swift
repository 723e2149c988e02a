import FoundationEssentials
import LiveStore

extension TasksStore {
  /// The tasks of all lists, but not of the archive, that have a tag, open ones first, each part sorted by
  /// text; live.
  ///
  /// - Parameter name: A result of `TaskTags.name`.
  /// - Throws: `QueryError`.
  public func tasks(withTag name: String) throws -> Results<TaskItem> {
    let part = " \(name) "
    return try allTasks.filter(#Predicate<TaskItem> { $0.tags.contains(part) && $0.archivedFrom == "" })
      .sorted(by: \.text).sorted(by: \.completed)
  }

  /// The tasks that have any tag; live.
  ///
  /// - Throws: `QueryError`.
  public func taggedTasks() throws -> Results<TaskItem> {
    try allTasks.filter(#Predicate<TaskItem> { $0.tags != "" })
  }
}
