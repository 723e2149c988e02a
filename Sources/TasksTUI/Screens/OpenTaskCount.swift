import FoundationEssentials
import LiveStore
import TasksModel

/// The number of open tasks of a list that do not wait, without the subtasks of its tasks, or of open
/// subtasks of a task. It is kept up to date in the background, so that the screen never waits for the
/// counting.
final class OpenTaskCount {
  private let count: LiveAggregate<Int>?
  private var token: NotificationToken?
  private var isReady = false

  /// - Parameters:
  ///   - now: The present: a task that waits until a later moment is not counted.
  ///   - onChange: Called when the number may have changed.
  init(of items: List<TaskItem>, now: Date, onChange: @escaping () -> Void) {
    count = try? items.filter(
      #Predicate<TaskItem> { !$0.completed && !($0.waitsUntil.flatMap { date in date > now } ?? false) }
    ).liveCount()
    token = count?.observe { [weak self] change in
      self?.isReady = change.value != nil
      onChange()
    }
  }

  deinit { token?.invalidate() }

  /// The number; `nil` while it has not been counted yet.
  var value: Int? { isReady ? count?.value : nil }
}
