import FoundationEssentials
import LiveStore

/// A task: RealmTasks' `Task`, by a name that does not shadow Swift's.
public final class TaskItem: Object, Row {
  @Persisted(primaryKey: true) public var id: Identifier = Identifier()
  @Persisted public var text: String = ""
  /// When it is due: a moment, or the first moment of a day for the whole of it (see `DueDate`).
  @Persisted public var date: Date?
  @Persisted public var completed: Bool = false
  /// Who has set the date, or has taken it away.
  @Persisted public var dateOrigin: DateOrigin = .unknown
  /// The text that has been looked through for a date and tags; the task is looked at again when its text is
  /// another one.
  @Persisted public var readText: String = ""
  /// The names of the tags in the text, each between two spaces (see `TaskTags`).
  @Persisted public var tags: String = ""
  /// Whatever else there is to say, in any number of lines.
  @Persisted public var notes: String = ""
  @Persisted public var priority: TaskPriority = .none
  /// How often it comes again, as `Repetition` describes it; empty when it does not. What another program has
  /// written and cannot be read repeats nothing.
  @Persisted public var repetition: String = ""
  /// Who has set the repetition, or has taken it away.
  @Persisted public var repetitionOrigin: DateOrigin = .unknown
  /// What it takes to do it, in order; a subtask has none of its own. (A program that is not ours may have
  /// given it some.)
  @Persisted public var subtasks: List<TaskItem>
  /// The list that holds it; none for a subtask. (A program that is not ours may have put it into several, or
  /// into none.)
  @Persisted(originProperty: "items") public var lists: LinkingObjects<TaskList>
  /// The task that it is a subtask of. (A program that is not ours may have put it below several.)
  @Persisted(originProperty: "subtasks") public var parents: LinkingObjects<TaskItem>

  public required init() {
    super.init()
  }

  /// The subtasks that go where the task goes: those that stand nowhere else.
  ///
  /// Complexity: O(k log n) for k subtasks.
  var ownSubtasks: [TaskItem] {
    var ids: Set<Identifier> = [id]
    return subtasks.filter { ids.insert($0.id).inserted && $0.lists.isEmpty && $0.parents.count == 1 }
  }
}
