import LiveStore

extension TasksStore {
  /// The rows of a place, or nil when the list or task that contains them was deleted.
  func rows(of place: Place) -> (any RowCollection)? {
    switch place {
    case .lists: ListRows(store: store, items: lists, dates: dates, completedRows: completedRows)
    case .tasks(let listID): list(listID).map { rows($0.items, at: place) }
    case .subtasks(let taskID): task(taskID).map { rows($0.subtasks, at: place) }
    }
  }

  private func rows(_ items: List<TaskItem>, at place: Place) -> TaskRows {
    TaskRows(store: store, place: place, items: items, dates: dates, completedRows: completedRows)
  }

  /// The place of a task: the first of the lists that contain it, or of the tasks that it is a subtask of;
  /// nil if there is none.
  ///
  /// Complexity: O(log n).
  public func place(ofTask id: Identifier) -> Place? {
    guard let task = task(id) else { return nil }
    if let list = task.lists.first { return .tasks(inList: list.id) }
    return task.parents.first.map { .subtasks(of: $0.id) }
  }

  /// The indices of rows among those of a scope; without the rows that are not among them.
  func indices(of ids: some Sequence<Identifier>, in scope: RowScope) -> [Identifier: Int] {
    var indices: [Identifier: Int] = [:]
    if let collected = scope.collected {
      for id in ids { indices[id] = task(id).flatMap(collected.index(of:)) }
    } else if let rows = scope.place.flatMap(rows(of:)) {
      for id in ids { indices[id] = rows.find(id)?.index }
    }
    return indices
  }

  /// The indices of all rows of a scope, also of those that are there several times.
  func allIndices(in scope: RowScope) -> [Identifier: [Int]] {
    let ids = scope.collected?.values(of: \.id) ?? scope.place.flatMap(rows(of:))?.allIDs ?? []
    var indices: [Identifier: [Int]] = [:]
    for (index, id) in ids.enumerated() { indices[id, default: []].append(index) }
    return indices
  }

  /// Runs one operation in a transaction, and stores in the same transaction the step that undoes it. An
  /// operation without effect writes nothing and causes no notification.
  ///
  /// - Parameters:
  ///   - ids: The rows of the scope that it changes, if they exist already.
  ///   - step: The step that this one continues (see `keep(_:as:continuing:partOf:)`).
  ///   - long: The action that this transaction is a part of.
  ///   - body: Changes the rows through the recorder; returns the reason if there was nothing to change.
  /// - Throws: A `Refusal` or another error of `body`, after which nothing has been written, or `StoreError`.
  func transaction(
    _ action: Action, on ids: [Identifier], in scope: RowScope, continuing step: Int? = nil,
    partOf long: LongAction? = nil, _ body: (inout ActionRecorder) throws -> Edit.NoChange?
  ) throws -> Edit {
    let (edit, arrivals) = try write(withoutNotifying: scope.tokens) {
      try record(action, on: ids, in: scope, continuing: step, partOf: long, body)
    }
    // Only what has been committed counts.
    if let long, let step = edit.step {
      long.root = long.root ?? step
      long.arrivals = arrivals
    }
    return edit
  }

  /// Runs one operation within a transaction; see `transaction`.
  func record(
    _ action: Action, on ids: [Identifier], in scope: RowScope, continuing step: Int? = nil,
    partOf long: LongAction? = nil, _ body: (inout ActionRecorder) throws -> Edit.NoChange?
  ) throws -> (edit: Edit, arrivals: [Place: LongAction.Arrivals]) {
    // An order that has been read is kept up to date while something refers to it.
    let rows = scope.place.flatMap(rows(of:))
    // An object that is referred to is read once, and not by each step that asks for it.
    let objects: [Object] = ids.compactMap { scope.place == .lists ? list($0) : task($0) }
    defer { withExtendedLifetime((rows, objects)) {} }
    let isCollected = scope.collected != nil
    // Their subtasks may have been collected as well.
    let held = isCollected ? ids.flatMap { task($0)?.subtasks.map(\.id) ?? [] } : []
    let before = indices(of: ids + held, in: scope)
    let present = scope.presentOrder?()
    var recorder = ActionRecorder(action, partOf: long)
    if let reason = try body(&recorder) { return (Edit(noChange: reason, step: step), [:]) }
    let transitions = recorder.transitions
    let touched = transitions.touchedRows(withHeld: isCollected, withOwners: !isCollected)
    try sort(touched.lazy.map(\.id), in: scope, inOrder: present)
    let after = indices(of: touched.lazy.map(\.id), in: scope)
    // The rows that the person meant and those that were created; others changed as a consequence.
    let all = Set(ids)
    let meant = transitions.filter { $0.before == nil || all.contains($0.id) }
    let edit = Edit(
      changes: ChangeSet(of: touched, before: before, after: after),
      before: meant.compactMap(\.before?.values), after: meant.compactMap(\.after?.values),
      step: try keep(transitions, as: recorder.action, continuing: step, partOf: long))
    return (edit, recorder.arrivals)
  }
}

extension ChangeSet {
  /// The change set of the rows that a transaction touched, by their indices before it and after it.
  init(
    of touched: [(id: Identifier, isModified: Bool)], before: [Identifier: Int], after: [Identifier: Int]
  ) {
    self.init(of: touched.lazy.map { (before[$0.id], after[$0.id], $0.isModified) })
  }

  /// The same for rows of which some may be there several times.
  init(
    of touched: [(id: Identifier, isModified: Bool)], before: [Identifier: [Int]], after: [Identifier: [Int]]
  ) {
    self.init(
      of: touched.flatMap { row -> [(before: Int?, after: Int?, isModified: Bool)] in
        let (old, new) = (before[row.id] ?? [], after[row.id] ?? [])
        return (0..<max(old.count, new.count)).map {
          (old.indices.contains($0) ? old[$0] : nil, new.indices.contains($0) ? new[$0] : nil, row.isModified)
        }
      })
  }
}

extension TasksStore {
  /// Some rows of a place: their indices, ascending.
  typealias RowGroup = (rows: any RowCollection, indices: [Int])

  /// Runs an operation on some rows of a scope as one action.
  ///
  /// - Parameter body: Receives the rows that exist, by their places.
  func change(
    _ action: Action, _ ids: [Identifier], in scope: RowScope, continuing step: Int? = nil,
    partOf long: LongAction? = nil, _ body: ([RowGroup], inout ActionRecorder) throws -> Void
  ) throws -> Edit {
    try transaction(action, on: ids, in: scope, continuing: step, partOf: long) { recorder in
      let takesSubtasksAlong = action == .delete || action == .moveToList
      let groups = groups(
        of: scope.place == nil && takesSubtasksAlong ? withoutTheirSubtasks(ids) : ids, in: scope)
      if groups.isEmpty { return .gone }
      try body(groups, &recorder)
      return recorder.transitions.isEmpty ? .unchanged : nil
    }
  }

  /// The rows that exist, by their places: tasks before subtasks, whose changes may follow from those of the
  /// tasks.
  private func groups(of ids: [Identifier], in scope: RowScope) -> [RowGroup] {
    var groups: [RowGroup] = []
    for id in ids {
      guard let place = scope.place ?? place(ofTask: id) else { continue }
      if let known = groups.firstIndex(where: { $0.rows.place == place }) {
        if let index = groups[known].rows.find(id)?.index { groups[known].indices.append(index) }
      } else if let rows = rows(of: place), let index = rows.find(id)?.index {
        groups.append((rows, [index]))
      }
    }
    let ordered = groups.map { (rows: $0.rows, indices: $0.indices.sorted()) }
    return ordered.filter { !$0.rows.place.isOfSubtasks } + ordered.filter { $0.rows.place.isOfSubtasks }
  }

  /// The rows of the place of a row, and its index there; nil if it was deleted.
  func find(_ id: Identifier, in scope: RowScope) -> (rows: any RowCollection, index: Int)? {
    groups(of: [id], in: scope).first.map { ($0.rows, $0.indices[0]) }
  }

  /// The ids without those of subtasks of another of them.
  private func withoutTheirSubtasks(_ ids: [Identifier]) -> [Identifier] {
    let all = Set(ids)
    return ids.filter { id in
      guard case .subtasks(let owner)? = place(ofTask: id) else { return true }
      return !all.contains(owner)
    }
  }
}

extension String {
  /// Whether a value that is typed says that there is to be none: `none`, `-`, or nothing at all.
  package var meansNothing: Bool { ["", "none", "-"].contains(trimmedForRow.lowercased()) }

  /// The stored form of a note: without the white space at its end.
  var trimmedForNotes: String {
    unicodeScalars.lastIndex { !$0.properties.isWhitespace }.map { String(unicodeScalars[...$0]) } ?? ""
  }

  /// The stored form of a text: without the white space around it, but with a mark that combines with that.
  package var trimmedForRow: String {
    let visible: ClosedRange<UInt8> = 0x21...0x7E
    // Most texts begin and end like this; finding their characters takes longer than all the rest.
    if let first = utf8.first, let last = utf8.last, visible ~= first, visible ~= last { return self }
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}
