import FoundationEssentials
import LiveStore

/// A named list of tasks.
public final class TaskList: Object, Row {
  /// The id of the first list of a new file. It is the same everywhere, so that two machines that both start
  /// with an empty file, and are joined later, do not end up with two such lists.
  public static let firstListID = Identifier("80EB1620-165B-4600-A1B1-D97032FDD9A0")
  public static let firstListText = "My Tasks"

  /// The id of the archive, which is among no person's lists. It is the same everywhere, so that the archives
  /// of two machines are one.
  public static let archiveID = Identifier("6E0A2E0F-7B1C-4B4B-9C0E-5D9B8F3A7C11")
  public static let archiveText = "Archive"

  @Persisted(primaryKey: true) public var id: Identifier = Identifier()
  @Persisted public var text: String = ""
  @Persisted public var date: Date?
  @Persisted public var completed: Bool = false
  /// Its own color, as `#rrggbb`; empty for that of its place. Another text of another program means none.
  @Persisted public var color: String = ""
  /// The raw value of the `RowOrder` in which its open tasks are kept; empty for that of the person.
  @Persisted public var sorting: String = ""
  @Persisted public var items: List<TaskItem>

  /// Whether the list can be completed: it has an open task.
  ///
  /// Complexity: O(1) if its open tasks are above the completed ones, as every operation leaves them.
  public var isCompletable: Bool {
    items.contains { !$0.completed }
  }
}
