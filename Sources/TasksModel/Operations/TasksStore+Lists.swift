import FoundationEssentials
import LiveStore

/// Operations on properties that only lists have.
extension TasksStore {
  /// All lists, each once: another program may have put one among them several times.
  public var distinctLists: [TaskList] {
    var seen: Set<Identifier> = []
    return lists.filter { seen.insert($0.id).inserted }
  }

  /// Gives lists a color of their own, as one action.
  ///
  /// - Parameter color: As `#rrggbb`; empty for that of their place.
  /// - Returns: The edit; without a change for `.gone` or `.unchanged`.
  ///
  /// Complexity: O(k log n) for k lists.
  @discardableResult
  public func setColor(_ ids: [Identifier], to color: String, in scope: RowScope) throws -> Edit {
    try changeLists(.setColor, ids, in: scope) { $0.color = color }
  }

  /// Keeps the open tasks of lists in an order from now on, or leaves them as the person puts them, as one
  /// action; see `keepSorted`. Undo gives them back the order in which they stood, if they are not very many.
  ///
  /// - Returns: The edit; without a change for `.gone` or `.unchanged`.
  /// - Throws: `StoreError`, `QueryError`.
  ///
  /// Complexity: O(k log n) for k lists, and O(their open tasks) where they are to be in another order.
  @discardableResult
  public func setOrder(_ ids: [Identifier], to order: RowOrder?, in scope: RowScope) throws -> Edit {
    try changeLists(.setOrder, ids, in: scope, sortingBy: order) {
      $0.sorting = order?.rawValue ?? ""
    }
  }

  /// - Parameter order: The order in which the change puts the tasks, so that undo needs the present one.
  private func changeLists(
    _ action: Action, _ ids: [Identifier], in scope: RowScope, sortingBy order: RowOrder? = nil,
    _ body: (TaskList) -> Void
  ) throws -> Edit {
    try transaction(action, on: ids, in: scope) { recorder in
      guard let rows = rows(of: .lists) else { return .gone }
      let indices = ids.compactMap { rows.find($0)?.index }
      if indices.isEmpty { return .gone }
      for index in indices {
        guard let list = rows.row(at: index) as? TaskList else { continue }
        let isSorted = order != nil && list.order != order
        let former = isSorted ? TaskOrder(of: try list.items.openIDs()) : nil
        recorder.change(at: index, keeping: former, in: rows) { _ in body(list) }
      }
      return recorder.transitions.isEmpty ? .unchanged : nil
    }
  }

  private func keptLists() throws -> [TaskList] { Array(try lists.filter(#Predicate { $0.sorting != "" })) }

  /// Puts the open tasks of all lists that are kept sorted in their orders; see `keepSorted`.
  public func keepListsSorted() throws {
    for list in try keptLists() { _ = try keepSorted(list.id) }
  }

  /// Puts the open tasks of those lists that the open transaction has changed, and that are kept sorted, in
  /// their orders.
  ///
  /// - Parameters:
  ///   - shown: The place on a screen, which stays as it is.
  ///   - most: The greatest number of tasks of a list.
  func sortChangedLists(except shown: Place? = nil, upTo most: Int? = nil) throws {
    for list in try keptLists() where list.items.isTouched {
      let place = Place.tasks(inList: list.id)
      if place == shown { continue }
      if let most, list.items.limit(most + 1).count > most { continue }
      guard let order = list.order, let rows = rows(of: place) as? TaskRows,
        let rearrangement = try rearrangement(of: rows, by: order)
      else { continue }
      if mayOnlyRead { return }
      rows.carryOut(rearrangement)
    }
  }

  /// The length of a list from which on a window sorts it only when it is opened next.
  public static let mostToSortAtOnce = 1000

  /// Puts tasks that an operation of a window has changed in their places of the lists that are kept sorted,
  /// in the transaction of the operation: another window or machine that saw a list in between would sort it
  /// too. Not so where a person types, or where other rows would move with them: the screen sorts those rows
  /// later, in a transaction of its own.
  ///
  /// - Parameters:
  ///   - changed: The rows that have changed.
  ///   - present: The order in which the rows of the scope were before.
  func sort(_ changed: some Sequence<Identifier>, in scope: RowScope, inOrder present: RowOrder?) throws {
    guard scope.presentOrder != nil else { return }
    if case .tasks(let id)? = scope.place, let present, list(id)?.order == present,
      let rows = rows(of: .tasks(inList: id)) as? TaskRows,
      let moves = moves(of: Set(changed), sorting: rows, by: present), !moves.isEmpty, !mayOnlyRead
    {
      rows.carryOut(moves)
    }
    try sortChangedLists(except: scope.place, upTo: Self.mostToSortAtOnce)
  }

  /// Puts the open tasks of a list in the order in which they are kept. It is no action of a person, so that
  /// there is nothing to undo. In a space that the person may only read, others do it.
  ///
  /// - Parameters:
  ///   - changed: The tasks that have changed since the list was in this order, and has had its open tasks
  ///     first; nil if that is not known.
  ///   - scope: The rows of the list on a screen; nil for none.
  /// - Returns: The change of the rows of the scope, empty without one; nil if the tasks were in order, or if
  ///   the subscriptions of the scope are notified because a task is in the list several times.
  /// - Throws: `StoreError`, `QueryError`.
  ///
  /// Complexity: O(k log n) for k changed tasks, O(n log n) if they are not known, for n open tasks.
  public func keepSorted(
    _ id: Identifier, after changed: Set<Identifier>? = nil, in scope: RowScope? = nil
  ) throws -> ChangeSet? {
    let place = Place.tasks(inList: id)
    guard let order = list(id)?.order, let rows = rows(of: place) as? TaskRows,
      let expected = try rearrangement(of: rows, by: order, after: changed), !mayOnlyRead
    else { return nil }
    // A change set by ids has one place of each row.
    let scope = expected.isByIDs ? scope ?? RowScope(nil) : RowScope(nil)
    return try write(withoutNotifying: scope.tokens) {
      // Now that no other program writes.
      guard let rows = self.rows(of: place) as? TaskRows, !mayOnlyRead,
        let rearrangement = try rearrangement(of: rows, by: order, after: changed)
      else { return nil }
      guard case .moves(let moves) = rearrangement else {
        // Otherwise another program has put a task there again just now, which is a reason to sort again.
        if !expected.isByIDs { rows.carryOut(rearrangement) }
        return nil
      }
      let ids = moves.map(\.id)
      let before = indices(of: ids, in: scope)
      rows.carryOut(moves)
      return ChangeSet(of: ids.map { ($0, false) }, before: before, after: indices(of: ids, in: scope))
    }
  }
}
