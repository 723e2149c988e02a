import Observation

/// The rows that a statement of SQL selects, at the version that the store shows.
///
/// They are live like ``Results``: they follow the store from version to version, and ``observe(_:)`` reports
/// the changes. The statement is run again when a row has changed in a column that it reads, as SQLite says
/// when it prepares it, and not otherwise.
///
/// ```swift
/// let counts = try store.select(sql: "SELECT author, count(*) AS books FROM Book GROUP BY author")
/// let token = counts.observe { change in
///   if case .update(let counts, let changes) = change { print(changes.insertions.map { counts[$0] }) }
/// }
/// ```
///
/// A row is the same in two versions if its key is: the primary key of a class, where a column of the result
/// is one, or the columns that ``keyed(by:)`` names. Otherwise it is known by all its values, and is deleted
/// and inserted when one of them changes.
///
/// Reads of the rows take part in Swift's Observation: they are invalidated by a write of this store to a
/// column that the statement reads, and by a delivery if a row differs.
///
/// Only rows of the store's own classes and their lists are observed; what is read from other tables of the
/// file is that of the time when the statement was last run.
public final class SQLResults: RandomAccessCollection, ResultSource, Observable {
  let store: Store
  let query: SelectQuery
  let live: MaintainedResult
  let readInWrite = ReadInWrite<SelectedRows>()

  init(store: Store, query: SelectQuery) {
    store.confinement.require()
    self.store = store
    self.query = query
    live = MaintainedResult(query)
    store.coordinator.add(live)
  }

  /// The names of the columns.
  public var columns: [String] { query.columns }

  /// The first index, zero.
  public var startIndex: Int { 0 }
  /// The number of rows.
  ///
  /// - Complexity: O(1) if the rows are known; otherwise the statement is run.
  public var endIndex: Int { rows.count }

  /// The row at an index.
  ///
  /// - Complexity: O(1) if the rows are known; otherwise the statement is run.
  public subscript(index: Int) -> SQLRow {
    SQLRow(columns: query.columns, values: rows[index])
  }

  /// The same rows, of which two versions are compared by some columns.
  ///
  /// Where several rows have the same values of them, they are told apart by their order.
  public func keyed(by columns: String...) -> SQLResults {
    let key = columns.map { column in
      guard let index = query.columns.firstIndex(of: column) else {
        fatalError("There is no column “\(column)” among \(query.columns.joined(separator: ", ")).")
      }
      return index
    }
    return SQLResults(
      store: store,
      query: SelectQuery(
        sql: query.sql, parameters: query.parameters, reads: query.reads, columns: query.columns, key: key))
  }

  /// The values of all rows; see ``SQLRow/decode(_:)``.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(StoreError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for row in self { values.append(try row.decode(type)) }
    return values
  }

  /// The objects of a class that the rows name by their primary key, in a column of that name.
  public func objects<Element: Object>(_ type: Element.Type) -> [Element] {
    let table = store.schema.table(of: type)
    let name = table.columns[table.primaryKey].name
    guard let column = query.columns.firstIndex(of: name) else {
      fatalError("The rows have no column “\(name)”, by which each \(table.name) is known.")
    }
    return rows.compactMap { store.object(type, key: $0[column]) }
  }
}
