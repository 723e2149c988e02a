import LiveStore
import TasksModel

/// The tags of a file, for prompts that ask for one: read in the background, and kept up to date from then
/// on.
final class TagNames {
  /// The greatest number of tasks that are read: a key must not wait for a million.
  private static let mostTasks = 5000

  var onChange: () -> Void = {}
  /// A closure that is called once, when the tags have been read.
  var whenReady: () -> Void = {}
  private let tasks: Results<TaskItem>?
  private var token: NotificationToken?
  /// The number of tasks with each tag; nil if it has to be counted again.
  private var counts: [String: Int]?
  private(set) var isReady = false

  init(_ store: TasksStore) {
    tasks = try? store.taggedTasks()
    token = tasks?.observe { [weak self] change in
      guard let self else { return }
      if case .error = change { return }
      let isFirst = !isReady
      isReady = true
      counts = nil
      onChange()
      if isFirst { whenReady() }
    }
  }

  deinit { token?.invalidate() }

  /// The tags that begin with the typed text, the most used first.
  ///
  /// Complexity: O(tasks with tags) after a change, at most the first five thousand.
  func completions(of typed: String) -> [Prompt.Completion] {
    let start = typed.lowercased().drop { $0 == "#" || $0.isWhitespace }
    return all.filter { $0.key.hasPrefix(start) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { name, count in
        Prompt.Completion(text: name, title: "#\(name)", words: count.counted("task"))
      }
  }

  /// Whether they have been read, and there are none.
  var areNone: Bool { isReady && all.isEmpty }

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
