/// A query whose result is kept up to date: a number, or rows, as a value.
protocol MaintainedQuery: Sendable {
  /// The result at one version, and everything that is needed to advance it.
  associatedtype State: Sendable

  /// The tables on whose rows the result may depend.
  var tables: Set<Int> { get }
  /// Whether a state is advanced by the changed rows, instead of being loaded again.
  var isIncremental: Bool { get }

  /// Whether the result may depend on some columns, bit by bit, of a row that is written.
  func depends(on columns: UInt64, of table: Int) -> Bool

  /// The state at the version that the statements read.
  func load(on statements: StatementCache) throws(StoreError) -> State

  /// The state in the open write transaction.
  ///
  /// - Parameter unlogged: The rows that it has touched, which are not in the log yet; `nil` if they are not
  ///   known.
  func load(
    on statements: StatementCache, unlogged: [RowIdentity]?
  ) throws(StoreError) -> State

  /// Whether a state is that of the version which the statements read, if no row differs on which it depends.
  func isCurrent(_ state: State, on statements: StatementCache) throws(StoreError) -> Bool

  /// The state at the new version, from `state` at the old one, which `old` reads.
  func advance(
    _ state: State, by changes: ChangedObjects, from old: RowReader
  ) throws(StoreError) -> State

  /// Whether the results of two states are the same.
  func hasSameValue(_ a: State, _ b: State) -> Bool
}

extension MaintainedQuery {
  func depends(on columns: UInt64, of table: Int) -> Bool { tables.contains(table) }

  func load(
    on statements: StatementCache, unlogged: [RowIdentity]?
  ) throws(StoreError) -> State {
    try load(on: statements)
  }

  func isCurrent(_ state: State, on statements: StatementCache) throws(StoreError) -> Bool { true }

  func isCurrent(erased state: any Sendable, on statements: StatementCache) throws(StoreError) -> Bool {
    guard let state = state as? State else { return false }
    return try isCurrent(state, on: statements)
  }

  func advance(
    erased state: any Sendable, by changes: ChangedObjects, from old: RowReader
  ) throws(StoreError) -> any Sendable {
    guard let state = state as? State else { return state }
    return try advance(state, by: changes, from: old)
  }

  func hasSameValue(erased a: any Sendable, _ b: any Sendable) -> Bool {
    guard let a = a as? State, let b = b as? State else { return false }
    return hasSameValue(a, b)
  }
}

/// A result that is kept up to date: its query, and its state at the version that the instance shows.
final class MaintainedResult: @unchecked Sendable {
  // `state` is changed by the instance only, under the coordinator's lock. The worker reads it under that
  // lock. It may be the last to release this object, which therefore does not lead to the store.

  let query: any MaintainedQuery
  /// The state without the writes of the open transaction; `nil` if it is not known.
  var state: (any Sendable)?

  init(_ query: some MaintainedQuery) {
    self.query = query
  }
}

/// The state that was last read in an open write transaction, and that of the store then.
final class ReadInWrite<State> {
  var last: (store: StoreState, state: State)?
}
