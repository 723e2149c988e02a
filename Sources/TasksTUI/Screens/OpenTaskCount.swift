import FoundationEssentials
import LiveStore
import TasksModel

/// How many tasks of a list are open, without the subtasks of its tasks, or how many subtasks of a task: kept
/// up to date in the background, so that the screen never waits for the counting.
final class OpenTaskCount {
  private let results: Results<TaskItem>?
  private var token: NotificationToken?
  private var isReady = false

  /// - Parameter onChange: called when the number may be another.
  init(of items: List<TaskItem>, onChange: @escaping () -> Void) {
    results = try? items.filter(#Predicate<TaskItem> { !$0.completed })
    token = results?.observe { [weak self] change in
      if case .error = change { self?.isReady = false } else { self?.isReady = true }
      onChange()
    }
  }

  deinit { token?.invalidate() }

  /// `nil` while it has not been counted yet.
  var value: Int? { isReady ? results?.count : nil }
}
