import LiveStore
import TasksModel

/// The tags of a file, for those who have to choose one: read in the background, and kept up to date from
/// then on.
final class TagNames {
  /// How many tasks are looked at: a key must not wait for a million.
  private static let mostTasks = 5000

  var onChange: () -> Void = {}
  /// Called once, when the tags are known.
  var whenKnown: () -> Void = {}
  private let tasks: Results<TaskItem>?
  private var token: NotificationToken?
  /// How many tasks have each; nil when it has to be counted anew.
  private var counts: [String: Int]?
  private var isReady = false

  init(_ store: TasksStore) {
    tasks = try? store.taggedTasks()
    token = tasks?.observe { [weak self] change in
      guard let self else { return }
      if case .error = change { return }
      let isFirst = !isReady
      isReady = true
      counts = nil
      onChange()
      if isFirst { whenKnown() }
    }
  }

  deinit { token?.invalidate() }

  /// The tags that begin with what has been typed, the most used first.
  ///
  /// Complexity: O(tasks with tags) after a change, no more than the first five thousand.
  func completions(of typed: String) -> [Prompt.Completion] {
    let start = typed.lowercased().drop { $0 == "#" || $0.isWhitespace }
    return all.filter { $0.key.hasPrefix(start) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { name, count in
        Prompt.Completion(text: name, title: "#\(name)", words: count == 1 ? "1 task" : "\(count) tasks")
      }
  }

  private var all: [String: Int] {
    if let counts { return counts }
    guard isReady, let tasks else { return [:] }
    var counts: [String: Int] = [:]
    for task in tasks.prefix(Self.mostTasks) {
      for name in task.tags.split(separator: " ") { counts[String(name), default: 0] += 1 }
    }
    self.counts = counts
    return counts
  }
}
