import FoundationEssentials
import LiveStore
import TasksModel

/// The numbers of open tasks of a list, without the subtasks of its tasks, or of open subtasks of a task:
/// of those that wait until a later moment, and of the others. They are kept up to date in the background, so
/// that the screen never waits for the counting.
final class OpenTaskCount {
  /// The numbers by the moment until which the tasks wait; nil for those that do not.
  private lazy var numbers = try? items.filter(#Predicate<TaskItem> { !$0.completed })
    .liveCount(by: \.waitsUntil)
  private let items: List<TaskItem>
  private let onChange: () -> Void
  private var token: NotificationToken?
  /// Whether the tasks have yet to be counted.
  private(set) var isDue = true
  private var isReady: Bool
  /// The numbers that the last window found out, until they have been counted here.
  private var remembered: [Date?: Int]?

  /// Takes over the numbers from the last window until the file changes, or leaves the counting to `begin`.
  ///
  /// - Parameters:
  ///   - list: The list that the tasks are in; nil for subtasks.
  ///   - atOnce: Whether to count now, because there are few tasks: they are then known at once.
  ///   - onChange: Called when the numbers may have changed.
  init(
    of items: List<TaskItem>, inList list: Identifier?, _ memory: FileMemory, atOnce: Bool = false,
    onChange: @escaping () -> Void
  ) {
    (self.items, self.onChange) = (items, onChange)
    isReady = atOnce
    if let list {
      if !atOnce { remembered = memory.openTasks(ofList: list) }
      memory.add(self, ofList: list)
    }
    if remembered != nil {
      isDue = false
      memory.atFirstChange { [weak self] in self?.count() }
    } else if atOnce {
      count()
    }
  }

  /// Begins to count in the background, unless that has begun or the last window has counted.
  func begin() { if isDue { count() } }

  private func count() {
    isDue = false
    token = numbers?.observe { [weak self, onChange] change in
      self?.isReady = change.value != nil
      self?.remembered = nil
      onChange()
    }
  }

  deinit { token?.invalidate() }

  /// The numbers by the moment; `nil` while they are not known.
  var known: [Date?: Int]? { isReady ? numbers?.value : remembered }

  /// The number of tasks that do not wait at a moment; `nil` while it has not been counted yet.
  ///
  /// Complexity: O(moments until which tasks wait), as of the others.
  func value(at moment: Date) -> Int? {
    known?.reduce(0) { $0 + ($1.key.map { $0 > moment } ?? false ? 0 : $1.value) }
  }

  /// The number of tasks that wait at a moment; 0 while it has not been counted yet.
  func waiting(at moment: Date) -> Int {
    known?.reduce(0) { $0 + ($1.key.map { $0 > moment } ?? false ? $1.value : 0) } ?? 0
  }

  /// The moment at which the first task comes back that waits at a moment; nil if none does.
  func firstEnd(after moment: Date) -> Date? {
    known?.keys.compactMap { $0 }.filter { $0 > moment }.min()
  }
}
