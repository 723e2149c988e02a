import FoundationEssentials
import LiveStore

extension TasksStore {
  /// The fewest moves, one after the other, that sort the open rows of a place; rows that the order does not
  /// tell apart stay as they are. Nil if one of the rows is there several times, and they are not very many:
  /// `sortTogether` sorts them.
  ///
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(n log n).
  public func moves(sorting place: Place, by order: RowOrder) throws -> [RowMove]? {
    let (ids, sorted) = try sortedRows(of: place, by: order)
    if ids.count <= TaskOrder.mostTasks, Set(ids).count < ids.count { return nil }
    return RowMove.moves(of: ids, to: sorted)
  }

  /// Sorts the open rows of a place in one transaction, also where another program has put one of them
  /// there several times: its id does not say which of its places is meant.
  ///
  /// - Parameter scope: The rows of the place.
  /// - Returns: The edit; without a change for `.gone` or `.unchanged`.
  /// - Throws: `StoreError`, `QueryError`.
  ///
  /// Complexity: O(n log n).
  @discardableResult
  public func sortTogether(by order: RowOrder, in scope: RowScope) throws -> Edit {
    try write(withoutNotifying: scope.tokens) {
      guard let rows = scope.place.flatMap(rows(of:)) else { return Edit(noChange: .gone) }
      let (ids, sorted) = try sortedRows(of: rows.place, by: order)
      guard let rearrangement = rearrangement(of: rows, ids, to: sorted) else {
        return Edit(noChange: .unchanged)
      }
      let moved = Set(RowMove.steps(to: sorted).map { ids[$0.index] })
      let places = allIndices(in: scope)
      rows.carryOut(rearrangement)
      var transitions = ids.withoutRepetitions.filter(moved.contains).compactMap { id in
        rows.find(id).map { rows.state(at: $0.index) }.map { RowTransition(id: id, before: $0, after: $0) }
      }
      guard !transitions.isEmpty else { return Edit(noChange: .unchanged) }
      (transitions[0].order, transitions[0].laterOrder) = (
        TaskOrder(of: ids), TaskOrder(of: try rows.openIDs())
      )
      return Edit(
        changes: ChangeSet(of: moved.map { ($0, false) }, before: places, after: allIndices(in: scope)),
        before: transitions.compactMap(\.before?.values), after: transitions.compactMap(\.after?.values),
        step: try keep(transitions, as: .sort))
    }
  }

  /// The ids of the open rows of a place as they stand, and their indices in an order.
  private func sortedRows(of place: Place, by order: RowOrder) throws -> (ids: [Identifier], sorted: [Int]) {
    let keys: [(id: Identifier, key: SortKey)] =
      switch rows(of: place) {
      case let rows as TaskRows:
        try rows.items.filter(#Predicate { !$0.completed }).values(of: \.id, \.text, \.date, \.priority)
          .map { ($0, SortKey(order, text: $1, date: $2, priority: $3)) }
      case let rows as ListRows:
        try rows.items.filter(#Predicate { !$0.completed }).values(of: \.id, \.text, \.date)
          .map { ($0, SortKey(order, text: $1, date: $2, priority: .none)) }
      default: []
      }
    let sorted = keys.indices.sorted { (keys[$0].key, $0) < (keys[$1].key, $1) }
    return (keys.map(\.id), sorted)
  }

  /// The way to the order in which the open tasks of a list are kept; nil if they are in it.
  ///
  /// - Parameter changed: The tasks that have changed since then, if the open ones come first; nil if that is
  ///   not known.
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(k log n) for k changed tasks, O(n log n) if they are not known, or if one of them is in
  /// the list several times.
  func rearrangement(
    of rows: TaskRows, by order: RowOrder, after changed: Set<Identifier>? = nil
  ) throws -> Rearrangement? {
    if let changed, let moves = moves(of: changed, sorting: rows, by: order) {
      return moves.isEmpty ? nil : .moves(moves)
    }
    let (ids, sorted) = try sortedRows(of: rows.place, by: order)
    return rearrangement(of: rows, ids, to: sorted)
  }

  /// The way to another order of the open rows of a place; nil if they are in it.
  ///
  /// - Parameters:
  ///   - ids: The open rows as they stand.
  ///   - sorted: Their indices in the other order.
  func rearrangement(
    of rows: some RowCollection, _ ids: [Identifier], to sorted: [Int]
  ) -> Rearrangement? {
    let steps = RowMove.steps(to: sorted)
    if steps.isEmpty { return nil }
    let open = Set(ids)
    if open.count == ids.count { return .moves(RowMove.moves(of: ids, to: sorted)) }
    let all = rows.allIDs
    let places = all.indices.filter { open.contains(all[$0]) }
    // A file that cannot be read seems to have no rows.
    guard places.count == ids.count else { return nil }
    return .order(
      RowMove.order(of: all.count, after: steps.map { (places[$0.index], $0.above.map { places[$0] }) }))
  }

  /// Whether the open tasks of a list come before those that are completed, as they do where no other program
  /// has put them.
  ///
  /// - Throws: `QueryError`.
  ///
  /// Complexity: O(n).
  public func hasOpenTasksFirst(_ list: TaskList) throws -> Bool {
    let open = try list.items.filter(#Predicate { !$0.completed })
    guard let last = open.last else { return true }
    return list.items.index(of: last) == open.count - 1
  }

  /// The moves, one after the other, that sort the open tasks of a list, where these come first and all but
  /// some are in order; nil if a task that they name is there several times.
  ///
  /// Complexity: O(k log n) for k changed tasks.
  func moves(
    of changed: Set<Identifier>, sorting rows: TaskRows, by order: RowOrder
  ) -> [RowMove]? {
    let items = rows.items
    func key(_ index: Int) -> (SortKey, Int) {
      let task = items[index]
      return (SortKey(order, text: task.text, date: task.date, priority: task.priority), index)
    }
    let found = changed.compactMap { rows.find($0) }.filter { !$0.row.completed }
    let changedIndices = Set(found.map(\.index))
    if changedIndices.contains(where: { items.isRepeated(items[$0]) }) { return nil }

    /// The last of the rows in order that precedes a changed one.
    func predecessor(of changed: (SortKey, Int)) -> (SortKey, Int)? {
      var (low, high) = (0, items.count)
      var last: (SortKey, Int)?
      while low < high {
        let middle = (low + high) / 2
        let probe = (middle..<high).first { !changedIndices.contains($0) }
        if let probe, !items[probe].completed, key(probe) < changed {
          (last, low) = (key(probe), probe + 1)
        } else {
          high = middle
        }
      }
      return last
    }

    var moves: [RowMove] = []
    var former: (key: (SortKey, Int), isMoved: Bool)?
    for changed in changedIndices.map(key).sorted(by: <) {
      var above = predecessor(of: changed)
      var isMoved = false
      if let former, above.map({ $0 < former.key }) ?? true {
        (above, isMoved) = (former.key, former.isMoved)
      }
      isMoved = isMoved || above?.1 ?? -1 != changed.1 - 1
      if isMoved, let above, items.isRepeated(items[above.1]) { return nil }
      if isMoved { moves.append(RowMove(id: items[changed.1].id, above: above.map { items[$0.1].id })) }
      former = (changed, isMoved)
    }
    return moves
  }

  /// Carries out some of the moves that sort a place, in their order. Rows that have been deleted or
  /// completed since are left out.
  ///
  /// - Parameter scope: The rows of a place.
  /// - Returns: The edit; without a change for `.gone` or `.unchanged`.
  ///
  /// Complexity: O(k log n) for k moves.
  @discardableResult
  public func sort(_ moves: [RowMove], in scope: RowScope, partOf long: LongAction? = nil) throws -> Edit {
    try transaction(.sort, on: moves.map(\.id), in: scope, partOf: long) { recorder in
      guard let rows = scope.place.flatMap(rows(of:)) else { return .gone }
      for move in moves {
        guard let (row, index) = rows.find(move.id), !row.completed else { continue }
        let above = move.above.flatMap { rows.find($0) }
        if move.above != nil, above?.row.completed != false { continue }
        // Taking the row away moves up those below it.
        let destination = above.map { $0.index < index ? $0.index + 1 : $0.index } ?? 0
        recorder.change(at: index, to: destination, in: rows)
      }
      return recorder.transitions.isEmpty ? .unchanged : nil
    }
  }
}

/// The value by which a row is sorted.
private enum SortKey: Comparable {
  case date(Date)
  case rank(Int)
  case text(String)
  case last

  init(_ order: RowOrder, text: String, date: Date?, priority: TaskPriority) {
    self =
      switch order {
      case .due: date.map(SortKey.date) ?? .last
      case .priority: [.a: .rank(0), .b: .rank(1), .c: .rank(2)][priority] ?? .last
      case .text: .text(text.lowercased())
      }
  }
}
