import FoundationEssentials
import LiveStore

/// Clearing, which moves completed tasks to the archive, and the archive.
extension TasksStore {
  /// The list of the tasks that were cleared, the last ones on top; nil if none ever was.
  public var archive: TaskList? { list(TaskList.archiveID) }

  /// The completed rows of a place that hold open tasks or subtasks, and the number of these:
  /// `clearCompleted` takes them along.
  ///
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(n) for n rows.
  public func openTasksHeldByCompletedRows(of place: Place) throws -> (rows: Int, tasks: Int) {
    let open = #Predicate<TaskItem> { !$0.completed }
    let counts: [Int] =
      switch rows(of: place) {
      case let rows as ListRows:
        try rows.items.filter(#Predicate { $0.completed }).map { try $0.items.filter(open).count }
      case let rows as TaskRows:
        try rows.items.filter(#Predicate { $0.completed && !$0.subtasks.isEmpty })
          .map { try $0.subtasks.filter(open).count }
      default: []
      }
    return (counts.count { $0 > 0 }, counts.reduce(0, +))
  }

  /// Clears every completed row of a place: tasks and subtasks go to the archive, lists are deleted. Open
  /// tasks that go with them are completed, without a moment.
  ///
  /// - Parameter scope: The rows of a place.
  /// - Returns: The edit; without a change for `.gone` or `.nothingCompleted`. The former values of lists
  ///   come after those of their tasks.
  ///
  /// Complexity: O(n log n).
  @discardableResult
  public func clearCompleted(in scope: RowScope) throws -> Edit {
    guard let place = scope.place, rows(of: place) != nil else { return Edit(noChange: .gone) }
    return try write(withoutNotifying: scope.tokens) {
      let ids = try completedRows(of: place)
      if ids.isEmpty { return Edit(noChange: rows(of: place) == nil ? .gone : .nothingCompleted) }
      return try record(.clear, on: ids, in: scope) { try clear(ids, of: place, &$0) }.edit
    }
  }

  /// Clears some of the rows that `completedRows` returns, in that order.
  ///
  /// - Parameter scope: The rows of a place.
  /// - Returns: The edit; without a change for `.gone`.
  ///
  /// Complexity: O(k log n) for k rows.
  @discardableResult
  public func clear(_ ids: [Identifier], in scope: RowScope, partOf long: LongAction?) throws -> Edit {
    guard let place = scope.place else { return Edit(noChange: .gone) }
    return try transaction(.clear, on: ids, in: scope, partOf: long) { try clear(ids, of: place, &$0) }
  }

  private func clear(
    _ ids: [Identifier], of place: Place, _ recorder: inout ActionRecorder
  ) throws -> Edit.NoChange? {
    // Below those that the action has cleared before; the order of the archive is not read.
    let last = recorder.arrivals[.archive]?.lastCleared.flatMap(task)
    var above = last.flatMap { $0.lists.contains { $0.id == TaskList.archiveID } ? $0 : nil }
    for id in ids {
      if place == .lists, let lists = rows(of: .lists) as? ListRows, let (row, index) = lists.find(id) {
        // Its tasks come before it, unless another program has just put them there.
        for task in (row as? TaskList).map({ Array($0.items) }) ?? [] {
          archive(task, from: .tasks(inList: id), below: &above, &recorder)
        }
        recorder.delete(at: [index], in: lists)
      } else if let task = task(id), let source = place == .lists ? self.place(ofTask: id) : place {
        archive(task, from: source, below: &above, &recorder)
      }
    }
    return recorder.transitions.isEmpty ? .gone : nil
  }

  /// Moves a task to the archive, whose order is not read.
  ///
  /// - Parameter above: The task below which it goes, then the task itself; nil on top.
  private func archive(
    _ task: TaskItem, from place: Place, below above: inout TaskItem?, _ recorder: inout ActionRecorder
  ) {
    guard place != .archive, let source = rows(of: place) as? TaskRows,
      let index = source.find(task.id)?.index
    else { return }
    if archive == nil {
      let list = TaskList()
      (list.id, list.text) = (TaskList.archiveID, TaskList.archiveText)
      store.add(list)
    }
    guard let target = rows(of: .archive) as? TaskRows else { return }
    let list = holders(ofTask: task).list?.id.text ?? TaskList.firstListID.description
    recorder.transfer(at: index, of: source, to: target, below: above) {
      $0.archivedFrom = list
      // An open one of a completed list, which was not done.
      if !$0.completed { $0.complete(true, at: nil) }
    }
    // Another program may have put it there several times.
    while source.items.remove(task) {}
    above = task
    recorder.noteCleared(task)
    guard task.subtasks.last != nil else { return }
    let held = target.held(by: task)
    for subtask in task.ownSubtasks where !subtask.completed {
      guard let index = held.find(subtask.id)?.index else { continue }
      recorder.change(at: index, in: held) { $0.complete(true, at: nil) }
    }
  }

  /// Opens a task of the archive again, at the end of the open ones of its list, or of the first list if that
  /// was deleted.
  func bringBack(_ id: Identifier, in archive: TaskRows, _ recorder: inout ActionRecorder) throws {
    guard let (row, index) = archive.find(id), let task = row as? TaskItem else { return }
    guard let target = listOfReturn(for: task) else { throw Refusal.noListToReturnTo }
    try recorder.transferBelowOpenTasks(at: index, of: archive, to: target) { $0.complete(false, at: nil) }
  }

  /// The rows of the list from which a task was cleared, or of the first list if that was deleted; nil if
  /// there is none.
  func listOfReturn(for task: TaskItem) -> TaskRows? {
    let former = list(Identifier(task.archivedFrom)).flatMap { lists.index(of: $0) == nil ? nil : $0 }
    return (former ?? lists.first).flatMap { rows(of: .tasks(inList: $0.id)) as? TaskRows }
  }

  /// The completed tasks and subtasks of all lists and of the archive whose moment is known, the last one
  /// first, those of one moment by text; live.
  ///
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(all tasks) for the first read, in the background if it is observed; then that of the
  /// changes.
  public func doneTasks() throws -> Results<TaskItem> {
    try allTasks.filter(#Predicate<TaskItem> { $0.completed && $0.completedAt != nil })
      .sorted(by: \.text).sorted(by: \.completedAt, ascending: false)
  }

  /// The ids of the completed rows of a place, each once, from the top down, as `clear` takes them: of lists
  /// the tasks first. None when the place was deleted.
  ///
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(n) for n rows.
  public func completedRows(of place: Place) throws -> [Identifier] {
    switch rows(of: place) {
    case let rows as ListRows:
      let lists = Array(try rows.items.filter(#Predicate { $0.completed }))
      return (lists.flatMap { $0.items.map(\.id) } + lists.map(\.id)).withoutRepetitions
    case let rows as TaskRows:
      return try rows.items.filter(#Predicate { $0.completed }).map(\.id).withoutRepetitions
    default: return []
    }
  }
}
