import LiveStore

/// The ordered list of all lists: a file contains exactly one object of this class, with the id 0.
public final class TaskListList: Object {
  /// The primary key of the only object of this class.
  public static let onlyID = 0

  @Persisted(primaryKey: true) public var id: Int = TaskListList.onlyID
  @Persisted public var items: List<TaskList>
}
