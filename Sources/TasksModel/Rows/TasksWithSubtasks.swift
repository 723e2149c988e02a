import FoundationEssentials
import LiveStore

extension List<TaskItem> {
  /// The ids of all tasks with subtasks, and perhaps of some of other lists, for a loop over all tasks:
  /// asking each costs more.
  ///
  /// Complexity: O(k log n) if few tasks of the file have subtasks; O(n) for many.
  public func idsOfTasksWithSubtasks() throws(QueryError) -> Set<Identifier> {
    if let owners = idsOfTasksWithSubtasks(atMost: count / 4) { return owners }
    return Set(try filter(#Predicate { !$0.subtasks.isEmpty }).values(of: \.id))
  }

  /// The same; nil if the tasks of the file with subtasks are more than a limit.
  ///
  /// Complexity: O(k log n) for k tasks.
  public func idsOfTasksWithSubtasks(atMost limit: Int) -> Set<Identifier>? {
    store?.ownersOfElements(TaskItem.self, upTo: limit).map { Set($0.map(Identifier.init(sqliteValue:))) }
  }
}
