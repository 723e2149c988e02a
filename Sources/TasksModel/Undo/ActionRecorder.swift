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

  /// Adds new rows after the open ones.
  mutating func insertAfterOpenRows(_ values: [RowValues], in rows: any RowCollection) throws {
    let (above, below) = try rows.insertNewAfterOpenRows(values)
    transitions += [RowTransition](adding: values, to: rows.place, above: above, below: below)
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

  /// Completes an open row or reopens a completed one. The next task of one that repeats takes its place.
  ///
  /// - Returns: Whether there is a next task.
  mutating func toggleCompleted(at index: Int, to destination: Int, in rows: any RowCollection) -> Bool {
    if let task = rows.row(at: index) as? TaskItem { readTexts(of: task, by: rows.dates) }
    let next = rows.nextOccurrence(ofRowAt: index)
    change(at: index, to: destination, in: rows) { row in
      row.complete(!row.completed, at: rows.dates.now())
      if next != nil { (row as? TaskItem)?.endRepetition() }
    }
    if let next {
      let isBelowOpenRow = index == 0 || !rows.row(at: index - 1).completed
      insert([next], at: isBelowOpenRow ? index : rows.openEnd, in: rows)
    }
    return next != nil
  }

  /// Reads what the next task of one, and its subtasks, are made of.
  private func readTexts(of task: TaskItem, by dates: DateReader) {
    task.readTextIfNeeded(by: dates)
    guard !task.repetition.isEmpty else { return }
    for subtask in task.ownSubtasks { subtask.readTextIfNeeded(by: dates) }
  }

  /// Completes tasks with their open subtasks. Tasks that are completed already are left out.
  mutating func complete(_ tasks: [TaskItem], in rows: TaskRows) throws {
    // A subtask may have been completed with its task.
    for task in tasks where !task.completed {
      let repeats = try complete(task, in: rows, following: countArrival(at: rows.place))
      try completeSubtasks(of: task, in: rows, repeatingWithIt: repeats)
    }
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

  /// Completes an open task, which moves to the destination of completed rows; the next task of one that
  /// repeats takes its place. The order of the list is not read if the task moves to the end of all rows.
  ///
  /// - Parameters:
  ///   - number: The number of rows of the place that the action has completed before.
  ///   - repeats: False for a subtask that is completed with its task and therefore does not repeat.
  ///   - endsRepetition: Whether the next task of the one that it belongs to goes on with its repetition.
  /// - Returns: Whether there is a next task.
  @discardableResult
  private mutating func complete(
    _ task: TaskItem, in rows: TaskRows, following number: Int, repeats: Bool = true,
    endsRepetition: Bool = false
  ) throws -> Bool {
    guard rows.completedRows == .end else {
      guard let index = rows.find(task.id)?.index else { return false }
      let destination = rows.destination(ofToggled: index, following: number)
      if repeats { return toggleCompleted(at: index, to: destination, in: rows) }
      change(at: index, to: destination, in: rows) { row in
        row.complete(true, at: rows.dates.now())
        if endsRepetition { task.endRepetition() }
      }
      return false
    }
    if repeats { readTexts(of: task, by: rows.dates) }
    let next = repeats ? rows.nextOccurrence(of: task) : nil
    var state = rows.state(of: task)
    let before = state
    let last = rows.items.last?.id
    task.complete(true, at: rows.dates.now())
    if next != nil || endsRepetition { task.endRepetition() }
    rows.items.moveToEnd(task)
    state.values = RowValues(task)
    if last != task.id { (state.previous, state.next) = (last, nil) }
    transitions.append(RowTransition(id: task.id, before: before, after: state))
    guard let next else { return false }
    let above = before.previous.flatMap { rows.store.object(ofType: TaskItem.self, forPrimaryKey: $0) }
    if let above, above.completed {
      try insertAfterOpenRows([next], in: rows)
      return true
    }
    let below = rows.task(below: above)?.id
    rows.insertNew([next], below: above)
    transitions += [RowTransition](adding: [next], to: rows.place, above: above?.id, below: below)
    return true
  }

  /// Completes the open subtasks of a task that has been completed.
  ///
  /// - Parameter repeats: Whether there is a next task, with the next subtasks of those that repeat.
  mutating func completeSubtasks(of task: TaskItem, in rows: TaskRows, repeatingWithIt repeats: Bool) throws {
    // Faster than reading an order, which of most tasks is empty.
    guard task.subtasks.last != nil else { return }
    let rows = rows.held(by: task)
    for (number, subtask) in task.ownSubtasks.filter({ !$0.completed }).enumerated() {
      try complete(
        subtask, in: rows, following: number, repeats: false,
        endsRepetition: repeats && !subtask.repetition.isEmpty)
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
