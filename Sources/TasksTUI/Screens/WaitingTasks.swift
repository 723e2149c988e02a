import FoundationEssentials
import LiveStore
import TasksModel

/// The tasks of a list that wait until a later moment, and are out of sight until then.
///
/// In a long list they are found in the background: it is shown whole until then.
final class WaitingTasks {
  /// The moment that was the present when the rows were chosen.
  private let start: Date
  private let number: LiveAggregate<Int>?
  private var token: NotificationToken?
  /// Whether waiting tasks are left out of the rows.
  private let areHidden: Bool
  /// The waiting tasks, the first to come back first.
  private let tasks: Results<TaskItem>?

  /// The greatest length of a list that is looked through at once.
  private static let mostAtOnce = 1000

  /// - Parameter isKnown: Whether it is known that some wait.
  init(
    in items: List<TaskItem>, now: Date, isOfArchive: Bool, isKnown: Bool, onChange: @escaping () -> Void
  ) {
    start = now
    guard !isOfArchive,
      let waiting = try? items.filter(
        #Predicate<TaskItem> { !$0.completed && ($0.waitsUntil.flatMap { date in date > now } ?? false) })
    else {
      (number, tasks, areHidden) = (nil, nil, false)
      return
    }
    number = waiting.liveCount()
    let isShort = items.limit(Self.mostAtOnce + 1).count <= Self.mostAtOnce
    areHidden = isShort ? !waiting.isEmpty : isKnown
    tasks = areHidden ? waiting.sorted(by: \.waitsUntil) : nil
    token = number?.observe { _ in onChange() }
  }

  deinit { token?.invalidate() }

  /// The number of waiting tasks; 0 while it is unknown.
  var count: Int { number?.value ?? 0 }

  /// The moment at which the first of them comes back; nil if there is none.
  var end: Date? { tasks?.first?.waitsUntil }

  /// Whether the rows have to be chosen anew.
  func needsOtherRows(_ now: Date) -> Bool {
    if !areHidden { return count > 0 }
    return end.map { $0 <= now } ?? false
  }

  /// The rows to show; nil for all.
  func rows(of items: List<TaskItem>, hidingCompleted hides: Bool) -> Results<TaskItem>? {
    let now = start
    if !areHidden { return hides ? try? items.filter(#Predicate { !$0.completed }) : nil }
    return hides
      ? try? items.filter(
        #Predicate<TaskItem> { !$0.completed && !($0.waitsUntil.flatMap { date in date > now } ?? false) })
      : try? items.filter(
        #Predicate<TaskItem> { $0.completed || !($0.waitsUntil.flatMap { date in date > now } ?? false) })
  }
}
