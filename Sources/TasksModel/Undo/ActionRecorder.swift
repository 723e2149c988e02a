import FoundationEssentials

/// A recorder through which every operation changes rows, and which records the change of each, so that every
/// operation can be undone.
struct ActionRecorder {
  /// The action of the person; an operation that determines it only from the rows sets it there.
  var action: Action
  private(set) var transitions: [RowTransition] = []
  /// The rows that the action has sent to another place or to another part of theirs, by place.
  private(set) var arrivals: [Place: LongAction.Arrivals]

  /// - Parameter long: The action that this transaction is a part of.
  init(_ action: Action, partOf long: LongAction? = nil) {
    self.action = action
    arrivals = long?.arrivals ?? [:]
  }

  /// The number of rows that the action has completed or sent to a place before, counting one more from now
  /// on.
  mutating func countArrival(at place: Place) -> Int {
    defer { arrivals[place, default: .init()].count += 1 }
    return arrivals[place]?.count ?? 0
  }

  /// Adds a new completed row.
  ///
  /// - Parameter number: The number of rows of the place that the action has completed before.
  mutating func insertCompleted(_ values: RowValues, in rows: TaskRows, following number: Int) {
    guard rows.completedRows == .end else {
      return insert([values], at: rows.destination(ofArriving: number), in: rows)
    }
    // The order is not read.
    let last = rows.items.last
    rows.insertNew([values], below: last)
    transitions += [RowTransition](adding: [values], to: rows.place, above: last?.id, below: nil)
  }

  /// Records the change of a row that was written by other means.
  mutating func note(_ transition: RowTransition) {
    if transition.before != transition.after { transitions.append(transition) }
  }

  /// Inserts new rows, the first of which gets the index.
  mutating func insert(_ values: [RowValues], at index: Int, in rows: any RowCollection) {
    guard !values.isEmpty else { return }
    rows.insert(values, at: index)
    transitions += [RowTransition](
      adding: values, to: rows.place, at: index, above: rows.neighbour(index - 1),
      below: rows.neighbour(index + values.count))
  }

  /// Deletes rows, at indices that ascend.
  mutating func delete(at indices: [Int], in rows: any RowCollection) {
    let doomed = indices.map { rows.row(at: $0) }
    let count = rows.count
    // Another program may have put a row there several times: all of its places go with it.
    var isOneByOne = true
    for (number, row) in doomed.enumerated() {
      isOneByOne = isOneByOne && rows.count == count - number
      // Those in front of it have been deleted already.
      guard !row.isInvalidated, let index = isOneByOne ? indices[number] - number : rows.find(row.id)?.index
      else { continue }
      var state = rows.state(at: index)
      let (values, links) = rows.delete(at: index)
      state.values = values
      transitions.append(
        RowTransition(id: values.id, before: state, after: nil, links: links.isEmpty ? nil : links))
    }
  }

  /// Sets other values of a row or another place, or both.
  ///
  /// - Parameters:
  ///   - destination: The index after the change; nil leaves the row in its place.
  ///   - order: The order of the tasks of a list that undo gives back to them.
  mutating func change(
    at index: Int, to destination: Int? = nil, keeping order: TaskOrder? = nil, in rows: any RowCollection,
    _ body: (any Row) -> Void = { _ in }
  ) {
    let before = rows.state(at: index)
    body(rows.row(at: index))
    if let destination, destination != index { rows.move(from: index, to: destination) }
    let after = rows.state(at: destination ?? index)
    if before != after {
      transitions.append(RowTransition(id: before.values.id, before: before, after: after, order: order))
    }
  }

  /// Sets other values of a task, in its place. The order is not read.
  mutating func change(_ task: TaskItem, in rows: TaskRows, _ body: (TaskItem) -> Void) {
    var state = rows.state(of: task)
    let before = state
    body(task)
    state.values = RowValues(task)
    if before != state { transitions.append(RowTransition(id: task.id, before: before, after: state)) }
  }

  /// Whether the subtasks of a place have been opened again for the next date of their task: those that the
  /// person meant, too, have been completed with it.
  func hasRenewedRows(of place: Place) -> Bool { arrivals[place]?.areRenewed == true }

  mutating func noteRenewal(of place: Place) { arrivals[place, default: .init()].areRenewed = true }

  mutating func noteCleared(_ task: TaskItem) {
    arrivals[.archive, default: .init()].lastCleared = task.id
  }

  /// Completes an open row, a task with its open subtasks, or reopens a completed one. A task that repeats
  /// goes on instead.
  mutating func toggleCompleted(at index: Int, in rows: any RowCollection) {
    let (row, tasks) = (rows.row(at: index), rows as? TaskRows)
    if !row.completed, hasRenewedRows(of: rows.place) { return }
    let number = countArrival(at: rows.place)
    if let task = row as? TaskItem, let tasks, finishOccurrence(of: task, in: tasks, following: number) != nil
    {
      return
    }
    change(at: index, to: rows.destination(ofToggled: index, following: number), in: rows) {
      $0.complete(!$0.completed, at: rows.dates.now())
    }
    if row.completed, let task = row as? TaskItem, let tasks { completeSubtasks(of: task, in: tasks) }
  }

  /// Completes tasks with their open subtasks. Tasks that are completed already are left out.
  ///
  /// - Returns: The ids of the completed rows: of a task that repeats, that of the finished one.
  @discardableResult
  mutating func complete(_ tasks: [TaskItem], in rows: TaskRows) -> [Identifier] {
    if hasRenewedRows(of: rows.place) { return [] }
    var completed: [Identifier] = []
    // The last row, as far as this loop has put it there.
    var last: Identifier?
    // A subtask may have been completed with its task.
    for task in tasks where !task.completed {
      let number = countArrival(at: rows.place)
      if let finished = finishOccurrence(of: task, in: rows, following: number) {
        completed.append(finished)
        last = nil
        continue
      }
      complete(task, in: rows, following: number, below: last)
      completeSubtasks(of: task, in: rows)
      completed.append(task.id)
      last = task.id
    }
    return completed
  }

  /// The last open task of a place.
  ///
  /// The search for it passes all completed ones, so that an action makes it once, and from then on begins
  /// with the task that it has found or put there.
  private func lastOpenTask(in rows: TaskRows) throws -> TaskItem? {
    try arrivals[rows.place]?.lastOpen.flatMap(rows.lastOpenTask(from:)) ?? rows.lastOpenTask()
  }

  /// Reopens completed tasks, which move to the end of the open ones. The order of the list is not read.
  mutating func reopen(_ tasks: [TaskItem], in rows: TaskRows) throws {
    var above = try lastOpenTask(in: rows)
    for task in tasks where task.completed {
      var state = rows.state(of: task)
      let before = state
      task.complete(false, at: nil)
      rows.items.move(task, after: above)
      state.values = RowValues(task)
      (state.previous, state.next) = (above?.id, rows.items.element(after: task)?.id)
      transitions.append(RowTransition(id: task.id, before: before, after: state))
      above = task
    }
    arrivals[rows.place, default: .init()].lastOpen = above?.id
  }

  /// Completes an open task, which moves to the destination of completed rows. The order of the list is not
  /// read if that is the end of all rows.
  ///
  /// - Parameters:
  ///   - number: The number of rows of the place that the action has completed before.
  ///   - last: The last of the rows, if it is known.
  private mutating func complete(
    _ task: TaskItem, in rows: TaskRows, following number: Int, below last: Identifier? = nil
  ) {
    guard rows.completedRows == .end else {
      guard let index = rows.find(task.id)?.index else { return }
      return change(at: index, to: rows.destination(ofToggled: index, following: number), in: rows) {
        $0.complete(true, at: rows.dates.now())
      }
    }
    var state = rows.state(of: task)
    let before = state
    let last = last ?? rows.items.last?.id
    task.complete(true, at: rows.dates.now())
    rows.items.moveToEnd(task)
    state.values = RowValues(task)
    if last != task.id { (state.previous, state.next) = (last, nil) }
    transitions.append(RowTransition(id: task.id, before: before, after: state))
  }

  /// Completes the open subtasks of a task that has been completed, of which none goes on.
  mutating func completeSubtasks(of task: TaskItem, in rows: TaskRows) {
    // Faster than reading an order, which of most tasks is empty.
    guard task.subtasks.last != nil else { return }
    let rows = rows.held(by: task)
    for (number, subtask) in task.ownSubtasks.filter({ !$0.completed }).enumerated() {
      complete(subtask, in: rows, following: number)
    }
  }

  /// Moves a task from one place to another.
  mutating func transfer(
    at index: Int, of source: TaskRows, to destination: Int, of target: TaskRows
  ) {
    let before = source.state(at: index)
    let task = source.items.remove(at: index)
    if !task.archivedFrom.isEmpty { task.archivedFrom = "" }
    target.items.insert(task, at: destination)
    transitions.append(
      RowTransition(id: before.values.id, before: before, after: target.state(at: destination)))
  }

  /// Moves a task from one place to another, below the open ones there. The order of the other place is not
  /// read.
  mutating func transferBelowOpenTasks(
    at index: Int, of source: TaskRows, to target: TaskRows, _ body: (TaskItem) -> Void = { _ in }
  ) throws {
    let task = source.items[index]
    transfer(at: index, of: source, to: target, below: try lastOpenTask(in: target)) {
      if !$0.archivedFrom.isEmpty { $0.archivedFrom = "" }
      body($0)
    }
    arrivals[target.place, default: .init()].lastOpen = task.id
  }

  /// Moves a task from one place to another, below a task there or on top. The order of the other place is
  /// not read.
  mutating func transfer(
    at index: Int, of source: TaskRows, to target: TaskRows, below above: TaskItem?,
    _ body: (TaskItem) -> Void
  ) {
    let before = source.state(at: index)
    let task = source.items.remove(at: index)
    body(task)
    target.insert(task, below: above)
    transitions.append(RowTransition(id: task.id, before: before, after: target.state(of: task)))
  }
}

extension TaskRows {
  /// The present state of a task, without its subtasks and its index: the order is not read.
  func state(of task: TaskItem) -> RowState {
    RowState(
      place: place, values: RowValues(task), index: RowState.unknownIndex,
      previous: items.element(before: task)?.id, next: items.element(after: task)?.id)
  }
}

extension RowCollection {
  /// The present state of a row, without the rows it contains. Complexity: O(log n).
  func state(at index: Int) -> RowState {
    RowState(
      place: place, values: RowValues(row(at: index)), index: index, previous: neighbour(index - 1),
      next: neighbour(index + 1))
  }
}
