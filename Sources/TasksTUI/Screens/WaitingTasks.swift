import FoundationEssentials
import LiveStore
import TasksModel

/// The tasks of a list that wait until a later moment, and are out of sight until then.
///
/// In a long list they are found in the background: it is shown whole until then.
final class WaitingTasks {
  /// The moment that was the present when the rows were chosen.
  private let start: Date
  private let numbers: OpenTaskCount
  private let isOfArchive: Bool
  /// Whether waiting tasks are left out of the rows.
  private let areHidden: Bool

  /// - Parameters:
  ///   - list: The list whose numbers the last window may have found out; nil for subtasks.
  ///   - isShort: Whether the list is looked through at once.
  ///   - isKnown: Whether it is known that some wait.
  init(
    in items: List<TaskItem>, of list: Identifier?, isShort: Bool, now: Date, isOfArchive: Bool,
    isKnown: Bool, _ memory: FileMemory, onChange: @escaping () -> Void
  ) {
    start = now
    self.isOfArchive = isOfArchive
    numbers = OpenTaskCount(of: items, inList: list, memory, atOnce: isShort, onChange: onChange)
    areHidden = !isOfArchive && (isShort ? numbers.waiting(at: now) > 0 : isKnown)
  }

  /// Whether a long list has yet to be looked through, which need not be before it is shown.
  var isDue: Bool { numbers.isDue }
  func begin() { numbers.begin() }

  /// The number of open tasks that do not wait; `nil` while it is unknown.
  var openCount: Int? { isOfArchive ? numbers.value(at: .distantFuture) : numbers.value(at: start) }

  /// The number of waiting tasks; 0 while it is unknown.
  var count: Int { isOfArchive ? 0 : numbers.waiting(at: start) }

  /// The moment at which the first of them comes back; nil if there is none.
  var end: Date? { areHidden ? numbers.firstEnd(after: start) : nil }

  /// Whether the rows have to be chosen anew.
  func needsOtherRows(_ now: Date) -> Bool {
    if !areHidden { return count > 0 }
    return end.map { $0 <= now } ?? false
  }

  /// The rows to show; nil for all.
  func rows(of items: List<TaskItem>, hidingCompleted hides: Bool) -> Results<TaskItem>? {
    if !areHidden { return hides ? try? items.filter(#Predicate { !$0.completed }) : nil }
    return items.inSight(at: start, hidingCompleted: hides)
  }
}

extension List<TaskItem> {
  /// The open tasks that wait until later than a moment.
  func waiting(at now: Date) -> Results<TaskItem>? {
    try? filter(
      #Predicate<TaskItem> { !$0.completed && ($0.waitsUntil.flatMap { date in date > now } ?? false) })
  }

  /// The tasks without those that wait at a moment and, if they are hidden, the completed ones.
  func inSight(at now: Date, hidingCompleted hides: Bool) -> Results<TaskItem>? {
    hides
      ? try? filter(
        #Predicate<TaskItem> { !$0.completed && !($0.waitsUntil.flatMap { date in date > now } ?? false) })
      : try? filter(
        #Predicate<TaskItem> { $0.completed || !($0.waitsUntil.flatMap { date in date > now } ?? false) })
  }
}
