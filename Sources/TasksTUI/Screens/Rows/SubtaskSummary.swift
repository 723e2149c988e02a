import FoundationEssentials
import LiveStore
import TasksModel

/// The summary of the subtasks of a row's task.
struct SubtaskSummary: Equatable {
  struct Line: Equatable {
    var text: String
    var isCompleted: Bool
  }

  /// The greatest number of lines of subtasks below their task; the last one tells how many more there are.
  static let mostLines = 12

  var count: Int
  var completedCount: Int
  /// The number of those that are in sight in their own list.
  var presentCount: Int
  /// The subtasks that are shown below the text; empty if they are folded.
  var lines: [Line] = []

  init(count: Int, completedCount: Int) {
    self.count = count
    self.completedCount = completedCount
    presentCount = count
  }

  /// Complexity: O(subtasks).
  init(of subtasks: List<TaskItem>) {
    self.init(count: subtasks.count, completedCount: subtasks.count(where: \.completed))
  }

  /// The completed ones and all, in at most nine columns.
  var words: String {
    count < 10_000 ? "\(completedCount)/\(count)" : "\(completedCount * 100 / count) %"
  }

  var spokenWords: String {
    "\(completedCount.grouped) of \(count.grouped) \(count == 1 ? "subtask" : "subtasks") completed"
  }

  /// The lines of a number of subtasks.
  static func lineCount(of count: Int) -> Int { min(count, mostLines) }
}

/// The subtasks of the tasks that were in sight last. They are counted again only after a change of the file.
/// Those that are out of sight in their own list, because they wait or are completed, have no line.
final class SubtaskSummaries {
  private struct Entry {
    let all: List<TaskItem>
    /// The open subtasks; nil while there were no subtasks.
    var open: Results<TaskItem>?
    /// The subtasks that are in sight in their own list; nil while they are folded.
    var present: Results<TaskItem>?
    /// The subtasks that wait; nil while they are folded.
    var waiting: Results<TaskItem>?
    /// The objects keep the cached values of their rows.
    var shown: [TaskItem] = []
  }

  /// Whether completed subtasks are out of sight.
  private let hidesCompleted: Bool
  private var entries: [Identifier: Entry] = [:]
  /// The moment that was the present when waiting subtasks were left out.
  private(set) var moment = Date.distantPast
  /// The moment at which the first of those comes back; nil if there is none.
  private(set) var end: Date?
  /// More than any screen shows at once.
  private static let mostEntries = 512

  init(hidingCompleted hides: Bool) { hidesCompleted = hides }

  /// The summary of a task's subtasks; nil if it has none. Complexity: O(subtasks) after a change,
  /// otherwise O(1).
  func summary(of task: TaskItem, isUnfolded: Bool) -> SubtaskSummary? {
    var entry = entry(of: task)
    let count = entry.all.count
    guard count > 0 else { return nil }
    if entry.open == nil { entry.open = try? entry.all.filter(#Predicate { !$0.completed }) }
    var summary = SubtaskSummary(count: count, completedCount: count - (entry.open?.count ?? 0))
    if isUnfolded {
      if entry.present == nil {
        entry.present = entry.all.inSight(at: moment, hidingCompleted: hidesCompleted)
        entry.waiting = entry.all.waiting(at: moment)
      }
      summary.presentCount = entry.present?.count ?? count
      if let first = entry.waiting?.compactMap(\.waitsUntil).min() { end = min(end ?? first, first) }
      let most = SubtaskSummary.mostLines
      let shown = summary.presentCount > most ? most - 1 : summary.presentCount
      entry.shown = entry.present.map { Array($0.prefix(shown)) } ?? []
      summary.lines = entry.shown.map { SubtaskSummary.Line(text: $0.text, isCompleted: $0.completed) }
    }
    entries[task.id] = entry
    return summary
  }

  /// Shows the subtasks that wait no longer.
  func wait(until now: Date) {
    guard now < moment || end.map({ $0 <= now }) ?? (moment == .distantPast) else { return }
    (moment, end) = (now, nil)
    for id in entries.keys { entries[id]?.present = nil }
  }

  private func entry(of task: TaskItem) -> Entry {
    // A row that was deleted and restored is another object.
    if let known = entries[task.id], !known.all.isInvalidated { return known }
    if entries.count >= Self.mostEntries { entries.removeAll() }
    let entry = Entry(all: task.subtasks)
    entries[task.id] = entry
    return entry
  }
}

/// The tasks whose subtasks are shown below their texts: in this window, while it is open.
struct Folding {
  private var isUnfoldedAtFirst = false
  /// The tasks that are in the other state.
  private var others: Set<Identifier> = []

  func isUnfolded(_ id: Identifier) -> Bool { others.contains(id) != isUnfoldedAtFirst }

  mutating func toggle(_ id: Identifier) {
    if others.remove(id) == nil { others.insert(id) }
  }

  /// Unfolds all if all are folded, otherwise folds all.
  mutating func toggleAll() {
    isUnfoldedAtFirst = !isUnfoldedAtFirst && others.isEmpty
    others = []
  }
}
