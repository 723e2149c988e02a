import FoundationEssentials
import LiveStore

/// A named list of tasks.
public final class TaskList: Object, Row {
  /// The id of the first list of a new file. It is the same everywhere, so that two machines that both start
  /// with an empty file, and are joined later, do not end up with two such lists.
  public static let firstListID = Identifier("80EB1620-165B-4600-A1B1-D97032FDD9A0")
  public static let firstListText = "My Tasks"

  @Persisted(primaryKey: true) public var id: Identifier = Identifier()
  @Persisted public var text: String = ""
  @Persisted public var date: Date?
  @Persisted public var completed: Bool = false
  @Persisted public var items: List<TaskItem>

  public required init() {
    super.init()
  }

  /// Whether the list can be completed: it has an open task.
  ///
  /// Complexity: O(1) if its open tasks are above the completed ones, as every operation leaves them.
  public var isCompletable: Bool {
    items.contains { !$0.completed }
  }
}
