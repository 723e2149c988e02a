import FoundationEssentials
import LiveStore

extension List<TaskItem> {
  /// The ids of all tasks with subtasks, and perhaps of some of other lists, for a loop over all tasks:
  /// asking each costs more.
  ///
  /// Complexity: O(k log n) if few tasks of the file have subtasks; O(n) for many.
  public func idsOfTasksWithSubtasks() throws(QueryError) -> Set<Identifier> {
    if let owners = store?.ownersOfElements(TaskItem.self, upTo: count / 4) {
      return Set(owners.map(Identifier.init(sqliteValue:)))
    }
    return Set(try filter(#Predicate { !$0.subtasks.isEmpty }).values(of: \.id))
  }
}
