import FoundationEssentials
import LiveStore

extension TasksStore {
  /// The open tasks of all lists that are due before a moment, the earliest first, those of one moment by
  /// text; live.
  ///
  /// - Parameter end: The end of today, for overdue tasks and those of today.
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(all tasks) for the first read, in the background if it is observed; then that of the
  /// changes.
  public func openTasks(dueBefore end: Date) throws -> Results<TaskItem> {
    try allTasks
      .filter(#Predicate<TaskItem> { !$0.completed && ($0.date.flatMap { date in date < end } ?? false) })
      .sorted(by: \.text).sorted(by: \.date)
  }

  /// The open tasks of all lists that wait until a later moment, the first to come back first, those of
  /// one moment by text; live.
  ///
  /// - Throws: `QueryError`.
  ///
  /// Complexity: That of the tasks that are due.
  public func waitingTasks(after now: Date) throws -> Results<TaskItem> {
    try allTasks
      .filter(
        #Predicate<TaskItem> { !$0.completed && ($0.waitsUntil.flatMap { date in date > now } ?? false) }
      )
      .sorted(by: \.text).sorted(by: \.waitsUntil)
  }

  /// The open tasks of all lists that are due from a moment on, the earliest first, those of one
  /// moment by text; live.
  ///
  /// - Parameter start: The beginning of tomorrow, for the tasks of the next days.
  /// - Throws: `QueryError`.
  ///
  /// Complexity: That of the tasks before a moment.
  public func openTasks(dueFrom start: Date) throws -> Results<TaskItem> {
    try allTasks
      .filter(#Predicate<TaskItem> { !$0.completed && ($0.date.flatMap { date in date >= start } ?? false) })
      .sorted(by: \.text).sorted(by: \.date)
  }
}
