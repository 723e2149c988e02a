import FoundationEssentials
import LiveStore

/// A task: RealmTasks' `Task`, with a name that does not shadow Swift's.
public final class TaskItem: Object, Row {
  @Persisted(primaryKey: true) public var id: Identifier = Identifier()
  @Persisted public var text: String = ""
  /// The due date: a moment, or the first moment of a day for the whole of it (see `DueDate`).
  @Persisted public var date: Date?
  @Persisted public var completed: Bool = false
  /// The origin of the date, or of its absence.
  @Persisted public var dateOrigin: DateOrigin = .unknown
  /// The text that was last read for a date and tags; the task is read again when its text differs.
  @Persisted public var readText: String = ""
  /// The names of the tags in the text, each between two spaces (see `TaskTags`).
  @Persisted public var tags: String = ""
  /// Further text of any number of lines.
  @Persisted public var notes: String = ""
  @Persisted public var priority: TaskPriority = .none
  /// The repetition, in the format of `Repetition`; empty if there is none. Text of another program that
  /// cannot be read means none.
  @Persisted public var repetition: String = ""
  /// The origin of the repetition, or of its absence.
  @Persisted public var repetitionOrigin: DateOrigin = .unknown
  /// The moment in which it was completed; nil if it is open, or another program has completed it.
  @Persisted public var completedAt: Date?
  /// The id of the list from which it was cleared; empty unless it is in the archive.
  @Persisted public var archivedFrom: String = ""
  /// The moment until which it waits, out of sight in its list; nil if it does not.
  @Persisted public var waitsUntil: Date?
  /// The subtasks, in order; a subtask has none itself. (Another program may have given it some.)
  @Persisted public var subtasks: List<TaskItem>
  /// The list that contains it; none for a subtask. (Another program may have put it into several, or into
  /// none.)
  @Persisted(originProperty: "items") public var lists: LinkingObjects<TaskList>
  /// The task that it is a subtask of. (Another program may have put it below several.)
  @Persisted(originProperty: "subtasks") public var parents: LinkingObjects<TaskItem>

  /// The subtasks that follow the task: those that are in no other place. One that the task is a subtask of
  /// in turn follows it only if the task has a list.
  ///
  /// Complexity: O(k log n) for k subtasks.
  var ownSubtasks: [TaskItem] {
    var ids: Set<Identifier> = [id]
    let subtasks = Array(subtasks)
    if !subtasks.isEmpty, !parents.isEmpty, lists.isEmpty { ids.formUnion(parents.map(\.id)) }
    return subtasks.filter { ids.insert($0.id).inserted && $0.lists.isEmpty && $0.parents.count == 1 }
  }
}
