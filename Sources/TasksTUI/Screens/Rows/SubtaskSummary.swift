import FoundationEssentials
import LiveStore
import TasksModel

/// What a row tells of the subtasks of its task.
struct SubtaskSummary: Equatable {
  struct Line: Equatable {
    var text: String
    var isCompleted: Bool
  }

  /// Lines that subtasks take at most beneath their task; the last one tells how many more there are.
  static let mostLines = 12

  var count: Int
  var completedCount: Int
  /// The subtasks that are shown beneath the text; none when they are folded.
  var lines: [Line] = []

  init(count: Int, completedCount: Int) {
    self.count = count
    self.completedCount = completedCount
  }

  /// Complexity: O(subtasks).
  init(of subtasks: List<TaskItem>) {
    self.init(count: subtasks.count, completedCount: subtasks.count(where: \.completed))
  }

  /// Done and all, in at most nine columns.
  var words: String {
    count < 10_000 ? "\(completedCount)/\(count)" : "\(completedCount * 100 / count) %"
  }

  /// The same for people who hear it.
  var spokenWords: String {
    "\(completedCount) of \(count) \(count == 1 ? "subtask" : "subtasks") completed"
  }

  /// Lines that so many subtasks take.
  static func lineCount(of count: Int) -> Int { min(count, mostLines) }
  /// Subtasks of so many that have a line of their own.
  static func shownCount(of count: Int) -> Int { count > mostLines ? mostLines - 1 : count }
}

/// The subtasks of the tasks that have been in sight last. As long as nothing has changed in the file,
/// nothing is counted again.
final class SubtaskSummaries {
  private struct Entry {
    let all: List<TaskItem>
    /// Nil as long as there were no subtasks.
    var open: Results<TaskItem>?
    /// As long as somebody has them, their values are not read again.
    var shown: [TaskItem] = []
  }

  private var entries: [Identifier: Entry] = [:]
  /// More than any screen shows at once.
  private static let mostEntries = 512

  /// How many subtasks a task has. Complexity: O(subtasks) when something has changed, else O(1).
  func count(of task: TaskItem) -> Int { entry(of: task).all.count }

  /// Nil for a task without subtasks. Complexity: that of `count(of:)`.
  func summary(of task: TaskItem, isUnfolded: Bool) -> SubtaskSummary? {
    var entry = entry(of: task)
    let count = entry.all.count
    guard count > 0 else { return nil }
    if entry.open == nil { entry.open = try? entry.all.filter(#Predicate { !$0.completed }) }
    var summary = SubtaskSummary(count: count, completedCount: count - (entry.open?.count ?? 0))
    if isUnfolded {
      entry.shown = Array(entry.all.prefix(SubtaskSummary.shownCount(of: count)))
      summary.lines = entry.shown.map { SubtaskSummary.Line(text: $0.text, isCompleted: $0.completed) }
    }
    entries[task.id] = entry
    return summary
  }

  private func entry(of task: TaskItem) -> Entry {
    // One that was deleted and brought back is another object.
    if let known = entries[task.id], !known.all.isInvalidated { return known }
    if entries.count >= Self.mostEntries { entries.removeAll() }
    let entry = Entry(all: task.subtasks)
    entries[task.id] = entry
    return entry
  }
}

/// Which tasks show their subtasks beneath their texts: in this window, as long as it is open.
struct Folding {
  private var isUnfoldedAtFirst = false
  /// Those that are the other way round.
  private var others: Set<Identifier> = []

  func isUnfolded(_ id: Identifier) -> Bool { others.contains(id) != isUnfoldedAtFirst }

  mutating func toggle(_ id: Identifier) {
    if others.remove(id) == nil { others.insert(id) }
  }

  /// Unfolds all when all are folded, else folds all.
  mutating func toggleAll() {
    isUnfoldedAtFirst = !isUnfoldedAtFirst && others.isEmpty
    others = []
  }
}
