import FoundationEssentials
import LiveStore
import TasksModel

/// The number of open tasks of a list, without the subtasks of its tasks, or of open subtasks of a task. It
/// is kept up to date in the background, so that the screen never waits for the counting.
final class OpenTaskCount {
  /// The number; `nil` while it has not been counted yet.
  private(set) var value: Int?
  private var token: NotificationToken?

  /// - Parameter onChange: Called when the number may have changed.
  init(of items: List<TaskItem>, onChange: @escaping () -> Void) {
    let open = try? items.filter(#Predicate<TaskItem> { !$0.completed })
    token = open?.liveCount().observe { [weak self] change in
      self?.value = change.value
      onChange()
    }
  }

  deinit { token?.invalidate() }
}
