import FoundationEssentials
import LiveStore
import TasksModel

/// The number of open tasks of a list, without the subtasks of its tasks, or of open subtasks of a task. It
/// is kept up to date in the background, so that the screen never waits for the counting.
final class OpenTaskCount {
  private let results: Results<TaskItem>?
  private var token: NotificationToken?
  private var isReady = false

  /// - Parameter onChange: Called when the number may have changed.
  init(of items: List<TaskItem>, onChange: @escaping () -> Void) {
    results = try? items.filter(#Predicate<TaskItem> { !$0.completed })
    token = results?.observe { [weak self] change in
      if case .error = change { self?.isReady = false } else { self?.isReady = true }
      onChange()
    }
  }

  deinit { token?.invalidate() }

  /// The number; `nil` while it has not been counted yet.
  var value: Int? { isReady ? results?.count : nil }
}
