import FoundationEssentials
import LiveStore

/// A task: RealmTasks' `Task`, by a name that does not shadow Swift's.
public final class TaskItem: Object, Row {
  @Persisted(primaryKey: true) public var id: UUID = UUID()
  @Persisted public var text: String = ""
  /// When it is due; another program may read it out of the text and fill it in.
  @Persisted public var date: Date?
  @Persisted public var completed: Bool = false

  public required init() {
    super.init()
  }
}
