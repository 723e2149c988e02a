import FoundationEssentials
import LiveStore

/// Undo and redo of a person's own actions, as far back as the file goes.
///
/// An action is undone row by row, from the last to the first, in one transaction. Each row must be as the
/// action left it, in the values that the action changed. If another person has edited a text since, or has
/// deleted or moved a row, the undo stops and nothing is written. Other changes of other people stay.
extension TasksStore {
  /// Undoes the author's newest action.
  ///
  /// - Parameters:
  ///   - scope: The rows on the screen, which the result's changes are in terms of.
  ///   - long: Nil undoes the whole action in one transaction. A new instance undoes the newest part of the
  ///     author's newest action, and the same instance each further part; `.nothing` is the result when none
  ///     is left.
  ///
  /// Complexity: O(k log n) for k rows.
  public func undo(showing scope: RowScope, partOf long: LongAction? = nil) throws -> UndoResult {
    try takeSteps(try stepsToUndo(partOf: long), showing: scope, partOf: long) { step, transitions in
      step.isUndone = true
      return try keepingFinishedElsewhere(
        keepValues(of: transitions, in: step).reversed().map(\.reversed))
    }
  }

  /// Redoes the action that was undone last. It cannot be redone once the author has done something else.
  ///
  /// Parameter, errors and complexity are those of `undo`.
  public func redo(showing scope: RowScope, partOf long: LongAction? = nil) throws -> UndoResult {
    try takeSteps(try stepsToRedo(partOf: long), showing: scope, partOf: long) { step, transitions in
      step.isUndone = false
      return transitions
    }
  }

  /// Undoes an action without a trace: it cannot be redone.
  ///
  /// - Parameters:
  ///   - number: Its number; if the author has no such action, or has undone it, the result is `.nothing`.
  ///   - row: The row that it was about. The number of an action that was undone in another window may belong
  ///     to another one by now.
  public func takeBack(step number: Int, about row: Identifier, showing scope: RowScope) throws -> UndoResult
  {
    try takeSteps(
      step(number).flatMap { (try? $0.transitions().map(\.id)) == [row] ? [$0] : nil } ?? [], showing: scope
    ) { step, transitions in
      store.delete(step)
      return transitions.reversed().map(\.reversed)
    }
  }

  /// The number of tasks that are held between being compared and being removed; each takes half a kilobyte.
  private static var mostHeldTasks: Int { 20_000 }

  /// - Parameters:
  ///   - find: Returns the steps, of one action, in the order in which they are taken; called in the
  ///     transaction.
  ///   - direct: Returns the transitions to apply for those of a step.
  private func takeSteps(
    _ find: @autoclosure () throws -> [UndoStep], showing scope: RowScope, partOf long: LongAction? = nil,
    _ direct: (UndoStep, [RowTransition]) throws -> [RowTransition]
  ) throws -> UndoResult {
    var dropped: (numbers: [Int], action: Action)?
    do {
      return try write(withoutNotifying: scope.tokens) {
        let steps = try find()
        guard let first = steps.first else { return .nothing }
        let action = first.kind
        dropped = (steps.map(\.number), action)
        var (kept, transitions): ([RowTransition], [RowTransition]) = ([], [])
        // A task that is held is read once.
        var tasks: [TaskItem] = []
        defer { withExtendedLifetime(tasks) {} }
        for step in steps {
          let own = try readableTransitions(of: step) {
            if tasks.count < Self.mostHeldTasks { tasks.append($0) }
          }
          kept += own
          transitions += try direct(step, own)
        }
        // An order that has been read is kept up to date while something refers to it.
        let rows = places(of: transitions)
        defer { withExtendedLifetime(rows) {} }
        let counted = kept.rows(countedBy: action)
        let touched = transitions.touchedRows(withHeld: scope.collected != nil, withOwners: true)
        let orders = try transitions.compactMap(formerOrder)
        let links = transitions.flatMap { $0.links ?? [] }
        let moved = Set(orders.flatMap(\.moved) + links.map(\.id))
          .subtracting(touched.map(\.id)).map { (id: $0, isModified: false) }
        let ids = (touched + moved).map(\.id)
        let isByIDs = orders.allSatisfy(\.way.isByIDs)
        func present() -> [Identifier: [Int]] {
          isByIDs ? indices(of: ids, in: scope).mapValues { [$0] } : allIndices(in: scope)
        }
        let before = present()
        let order = orders.isEmpty ? scope.presentOrder?() : nil
        for transition in transitions { try apply(transition, in: rows) }
        for order in orders { order.rows.carryOut(order.way) }
        try sort(ids, in: scope, inOrder: order)
        let after = present()
        // The subtasks of a file come with their tasks, and tasks with their lists.
        let count = action == .importing ? counted.reduce(0) { $0 + $1.rowCount } : counted.count
        return .done(
          Undone(
            action: action, count: count, text: (counted.first ?? kept[0]).text,
            // A task whose subtasks changed counts only where these are out of sight.
            rowID: topmost(of: transitions.map(\.id), in: after) ?? topmost(of: touched.map(\.id), in: after),
            changes: ChangeSet(of: touched + moved, before: before, after: after),
            hasMore: long == nil ? false : try !find().isEmpty))
      }
    } catch let obstacle as UndoObstacle {
      guard let dropped else { throw obstacle }
      // The obstacle may be permanent, and must not block the actions before it.
      try write {
        for number in dropped.numbers {
          store.object(ofType: UndoStep.self, forPrimaryKey: number).map(store.delete)
        }
      }
      return .impossible(dropped.action, obstacle)
    }
  }

  private func topmost(of ids: [Identifier], in indices: [Identifier: [Int]]) -> Identifier? {
    ids.compactMap { id in indices[id]?.first.map { (id, $0) } }.min { $0.1 < $1.1 }?.0
  }

  /// The rows of a place that are to have another order again: the ids of those that move, and the way.
  private typealias FormerOrder = (rows: any RowCollection, moved: [Identifier], way: Rearrangement)

  /// The way that gives the tasks of a list that is kept sorted the order again which they had before. If
  /// they are kept in another order from then on, it says how those stood that this does not tell apart.
  private func formerOrder(_ transition: RowTransition) throws -> FormerOrder? {
    var rows: (any RowCollection)?
    if transition.laterOrder != nil {
      rows = transition.after.flatMap { self.rows(of: $0.place) }
    } else if (transition.before ?? transition.after)?.place == .lists, let list = list(transition.id),
      list.order != nil
    {
      rows = self.rows(of: .tasks(inList: list.id))
    }
    guard let order = transition.laterOrder ?? transition.order, let rows else { return nil }
    let ids = try rows.openIDs()
    let indices = order.indices(of: ids)
    return rearrangement(of: rows, ids, to: indices).map { way in
      (rows, RowMove.steps(to: indices).map { ids[$0.index] }, way)
    }
  }

  private func readableTransitions(
    of step: UndoStep, visit: (TaskItem) -> Void
  ) throws(UndoObstacle) -> [RowTransition] {
    do {
      let transitions = try transitions(of: step, visit: visit)
      if !transitions.isEmpty { return transitions }
    } catch {
      throw error as? UndoObstacle ?? .unreadable
    }
    throw .unreadable
  }

  /// The rows of the places that transitions concern, as far as these are there.
  private func places(of transitions: [RowTransition]) -> [Place: any RowCollection] {
    let isRemoval = transitions.allSatisfy { $0.after == nil }
    var places: [Place: any RowCollection] = [:]
    for place in transitions.places {
      let rows = rows(of: place)
      places[place] = isRemoval ? rows?.prepared(forRemoving: transitions.count) : rows
    }
    return places
  }

  /// Changes one row from the state before to the state after.
  ///
  /// - Parameter places: The rows of all places before the first change.
  private func apply(
    _ transition: RowTransition, in places: [Place: any RowCollection]
  ) throws(UndoObstacle) {
    switch (transition.before, transition.after) {
    case (nil, let after?):
      try restore(transition.id, as: after)
      for link in transition.links ?? [] { restore(link) }
    case (let before?, nil): try remove(transition.id, that: before, in: places)
    // One of rows that were sorted at once has to be there.
    case (let before?, let after?) where before == after: _ = try find(transition.id, that: before)
    case (let before?, let after?): try change(transition.id, from: before, to: after)
    case (nil, nil): break
    }
  }

  private func restore(_ id: Identifier, as state: RowState) throws(UndoObstacle) {
    guard let rows = rows(of: state.place) else { throw missing(state.place, for: state.values.text) }
    if exists(id, in: state.place) { throw .rowExists(state.values.text) }
    var values = state.values
    values.tasks = tasksToAdd(values.tasks)
    try checkNesting(values.text, holdsTasks: !values.tasks.isEmpty, in: state.place)
    rows.insert([values], at: rows.index(for: state))
    readTexts(of: values)
  }

  /// The tasks that are not there: another person may have brought one back alone, which stays where it is.
  private func tasksToAdd(_ tasks: [RowValues]) -> [RowValues] {
    tasks.filter { task($0.id) == nil }.map { values in
      var values = values
      values.tasks = tasksToAdd(values.tasks)
      return values
    }
  }

  /// Reads the texts of restored tasks that have not been read, as adding from the command line does: what
  /// is redone next was done to tasks with their dates.
  private func readTexts(of values: RowValues) {
    if values.date == nil, values.details.dateOrigin == .unknown, dates.words(in: values.text) != nil {
      task(values.id)?.readTextIfNeeded(by: dates)
    }
    for values in values.tasks { readTexts(of: values) }
  }

  /// Puts a task into a further place again, unless one of them is gone.
  private func restore(_ link: RowLink) {
    guard let rows = rows(of: link.place) as? TaskRows, let task = task(link.id),
      rows.items.index(of: task) == nil
    else { return }
    let state = RowState(
      place: link.place, values: RowValues(task), index: link.index, previous: link.previous, next: link.next)
    rows.items.insert(task, at: rows.index(for: state))
  }

  private func exists(_ id: Identifier, in place: Place) -> Bool {
    switch place {
    case .lists: list(id) != nil
    case .tasks, .subtasks: task(id) != nil
    }
  }

  private func missing(_ place: Place, for text: String) -> UndoObstacle {
    place.isOfSubtasks ? .taskDeleted(text) : .listDeleted(text)
  }

  /// Prevents a result that no operation allows: subtasks of subtasks.
  private func checkNesting(_ text: String, holdsTasks: Bool, in place: Place) throws(UndoObstacle) {
    guard case .subtasks(let owner) = place else { return }
    if holdsTasks || task(owner)?.parents.isEmpty == false { throw .nested(text) }
  }

  private func remove(
    _ id: Identifier, that state: RowState, in places: [Place: any RowCollection]
  ) throws(UndoObstacle) {
    if let rows = places[state.place] as? TaskRows {
      let isThere = try rows.remove(id) { (values) throws(UndoObstacle) in
        guard values.isWork(of: state.values) else { throw .rowChanged(values.text) }
      }
      if !isThere { throw obstacle(of: id, that: state) }
      return
    }
    let (rows, index) = try find(id, that: state)
    let values = rows.values(at: index)
    guard values.isWork(of: state.values) else { throw .rowChanged(values.text) }
    _ = rows.delete(at: index)
  }

  private func change(_ id: Identifier, from before: RowState, to after: RowState) throws(UndoObstacle) {
    if toggleBack(id, from: before, to: after) { return }
    if before.place != after.place { return try transfer(id, from: before, to: after) }
    let (rows, index) = try find(id, that: before)
    let row = rows.row(at: index)
    try replaceValues(before.values, by: after.values, of: row, in: rows)
    let isToggled = before.values.completed != after.values.completed
    if !before.standsLike(after) {
      // The destination of a row that is completed or reopened follows from the rules. A row that was only
      // moved must still be where it was put.
      if !isToggled, rows.hasMoved(index, since: before) { throw .rowMoved(row.text) }
      let destination = rows.index(for: after, movingFrom: index)
      if destination != index { rows.move(from: index, to: destination) }
    } else if let task = row as? TaskItem, let rows = rows as? TaskRows {
      moveBack(task, to: after, in: rows)
    }
    if isToggled { row.complete(after.values.completed, at: after.values.details.completedAt) }
  }

  /// Moves a task of a list that is kept sorted, which may have been sorted elsewhere by the value that was
  /// taken back, between its former neighbours again if they stand side by side: the order may not tell the
  /// three apart.
  private func moveBack(_ task: TaskItem, to state: RowState, in rows: TaskRows) {
    guard case .tasks(let id) = state.place, list(id)?.order != nil,
      let gap = gap(for: state, of: task.id, in: rows),
      rows.items.element(before: task)?.id != gap.above?.id
    else { return }
    rows.items.move(task, after: gap.above)
  }

  /// Sets the values in which two states of a row differ, apart from whether it is completed.
  ///
  /// - Throws: `UndoObstacle.rowChanged` if another person has changed one of them.
  private func replaceValues(
    _ before: RowValues, by after: RowValues, of row: any Row, in rows: any RowCollection
  ) throws(UndoObstacle) {
    // The date of a text may have been read, or read anew, since; the next one of a repetition is not read.
    let isDateRead = !before.isDateSet && (after.isDateSet || before.text != after.text)
    guard before.completed == after.completed || row.completed == before.completed,
      before.text == after.text || row.text == before.text,
      before.date == after.date || row.date == before.date
        || isDateRead && !RowValues(row).isDateSet
    else { throw .rowChanged(row.text) }
    if let task = row as? TaskItem {
      guard after.details.replace(before.details, in: task) else { throw .rowChanged(row.text) }
    }
    if let list = row as? TaskList {
      let (before, after) = (before.list ?? ListDetails(), after.list ?? ListDetails())
      guard after.replace(before, in: list) else { throw .rowChanged(row.text) }
    }
    if before.text != after.text {
      rows.setText(after.text, of: row)
      if let task = row as? TaskItem {
        // It was read when it was written: “tomorrow” is not that of today.
        task.readText = after.text
        var values = RowValues(task)
        values.takeReadValues(of: after)
        if task.date != values.date { task.date = values.date }
        if TaskDetails(task) != values.details { values.details.apply(to: task) }
      }
    }
    if before.date != after.date { row.date = after.date }
  }

  /// Completes or reopens a task again and moves it to its former gap, if nothing else of it has to change;
  /// returns whether that was possible. The order of its list is not read.
  private func toggleBack(_ id: Identifier, from before: RowState, to after: RowState) -> Bool {
    var changed = before.values
    changed.completed.toggle()
    changed.details.completedAt = after.values.details.completedAt
    guard changed == after.values, before.place == after.place, place(ofTask: id) == after.place,
      let task = task(id), task.completed == before.values.completed,
      let rows = rows(of: after.place) as? TaskRows, let gap = gap(for: after, of: id, in: rows)
    else { return false }
    task.complete(changed.completed, at: changed.details.completedAt)
    rows.items.move(task, after: gap.above)
    return true
  }

  /// Moves a task to another place again. The order of the place that it leaves is not read, and that of the
  /// other only if its former gap is not there.
  private func transfer(_ id: Identifier, from before: RowState, to after: RowState) throws(UndoObstacle) {
    guard let source = rows(of: before.place) as? TaskRows, let task = task(id), source.items.remove(task)
    else { throw obstacle(of: id, that: before) }
    guard let target = rows(of: after.place) as? TaskRows else { throw missing(after.place, for: task.text) }
    try checkNesting(task.text, holdsTasks: task.subtasks.last != nil, in: after.place)
    try replaceValues(before.values, by: after.values, of: task, in: source)
    if let gap = gap(for: after, of: id, in: target) {
      target.insert(task, below: gap.above)
    } else {
      target.items.insert(task, at: target.index(for: after))
    }
    if before.values.completed != after.values.completed {
      task.complete(after.values.completed, at: after.values.details.completedAt)
    }
  }

  /// The former neighbours of a task if they stand side by side, but for the task itself, and if the task
  /// may be between them: open rows stay above completed ones. The order is not read.
  private func gap(
    for state: RowState, of id: Identifier, in rows: TaskRows
  ) -> (above: TaskItem?, below: TaskItem?)? {
    let above = state.previous.flatMap(task)
    guard above?.id == state.previous, above.map({ place(ofTask: $0.id) == state.place }) ?? true else {
      return nil
    }
    var below = rows.task(below: above)
    if let task = below, task.id == id { below = rows.items.element(after: task) }
    let isCompleted = state.values.completed
    guard below?.id == state.next, isCompleted || above?.completed != true || below?.completed == false,
      !isCompleted || above?.completed == true || below?.completed != false
    else { return nil }
    return (above, below)
  }

  private func find(_ id: Identifier, that state: RowState) throws(UndoObstacle) -> (any RowCollection, Int) {
    guard let rows = rows(of: state.place), let (_, index) = rows.find(id) else {
      throw obstacle(of: id, that: state)
    }
    return (rows, index)
  }

  /// The reason why a row is not in its place.
  private func obstacle(of id: Identifier, that state: RowState) -> UndoObstacle {
    exists(id, in: state.place) ? .rowMoved(state.values.text) : .rowDeleted(state.values.text)
  }
}

extension RowValues {
  /// Whether a row is as it was added, apart from a date and a repetition that are read from its text, which
  /// are no work of a person that could be lost.
  fileprivate func isWork(of made: RowValues) -> Bool {
    let (details, other) = (details, made.details)
    let hasDate = date == made.date || !isDateSet && !made.isDateSet
    let hasRepetition =
      details.repetition == other.repetition || !details.isRepetitionSet && !other.isRepetitionSet
    return completed == made.completed && text == made.text && details.notes == other.notes
      && details.priority == other.priority && details.waitsUntil == other.waitsUntil && hasDate
      && hasRepetition && tasks.count == made.tasks.count
      && zip(tasks, made.tasks).allSatisfy { $0.id == $1.id && $0.isWork(of: $1) }
  }
}

extension RowCollection {
  /// Whether the row at an index is no longer between its former neighbours; deleted ones do not count.
  fileprivate func hasMoved(_ index: Int, since state: RowState) -> Bool {
    if let previous = state.previous.flatMap(find), previous.index > index { return true }
    if let next = state.next.flatMap(find), next.index < index { return true }
    return false
  }

  /// The index for a row in its former position: between its neighbours if they are still adjacent, otherwise
  /// next to the remaining one; but an open row never among the completed ones, nor a completed one among the
  /// open ones.
  ///
  /// - Parameter origin: The present index of the row, if it is among the rows.
  /// - Returns: The index after the move.
  fileprivate func index(for state: RowState, movingFrom origin: Int? = nil) -> Int {
    /// An index after the row was removed.
    func settled(_ index: Int) -> Int {
      if let origin, index > origin { index - 1 } else { index }
    }
    let rest = origin == nil ? count : count - 1
    let above = state.previous.flatMap(find).map { (settled($0.index), $0.row.completed) }
    let below = state.next.flatMap(find).map { (settled($0.index), $0.row.completed) }
    let isCompleted = state.values.completed
    switch (above, below) {
    case (let above?, let below?)
    where below.0 == above.0 + 1 && (isCompleted || !above.1 || !below.1): return below.0
    case (nil, let below?) where state.previous == nil && below.0 == 0 && !(isCompleted && !below.1): return 0
    case (let above?, nil) where state.next == nil && above.0 == rest - 1 && !(above.1 && !isCompleted):
      return rest
    default: break
    }
    let lastOpen = settled(lastOpenIndex(except: origin) ?? -1)
    let place: Int
    if let above, !above.1 || isCompleted {
      place = above.0 + 1
    } else if let below, below.1 == isCompleted {
      place = below.0
    } else {
      // Any program can write any index.
      place = state.previous == nil ? 0 : max(0, min(state.index, rest))
    }
    return isCompleted ? max(place, lastOpen + 1) : min(place, lastOpen + 1)
  }
}
