/// A writer of rows by primary key, with statements that are prepared once for each table and column; used by
/// the instance.
final class RowWriter {
  private let connection: Connection
  private var insertions: [Statement?]
  private var deletions: [Statement?]
  private var updates: [[Statement?]]
  private var logging: Statement?

  init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    insertions = Array(repeating: nil, count: schema.tables.count)
    deletions = insertions
    updates = schema.tables.map { Array(repeating: nil, count: $0.columns.count) }
  }

  func insert(_ values: RowImage, into table: Table) throws(StoreError) {
    let statement = try prepared(&insertions[table.index], table.insertRow)
    statement.bind(values)
    try statement.run()
  }

  func update(
    _ column: Int, of key: SQLiteValue, in table: Table, to value: SQLiteValue
  ) throws(StoreError) {
    let statement = try prepared(&updates[table.index][column], table.updateRow[column])
    statement.bind(value, at: 1)
    statement.bind(key, at: 2)
    try statement.run()
  }

  func delete(_ key: SQLiteValue, from table: Table) throws(StoreError) {
    let statement = try prepared(&deletions[table.index], table.deleteRow)
    statement.bind(key, at: 1)
    try statement.run()
  }

  /// Adds a row to the change log and returns its sequence number.
  func log(origin: Int64, entries: [UInt8]?, mark: Int64) throws(StoreError) -> Int64 {
    let statement = try prepared(&logging, ChangeLog.insertion)
    statement.bind(.integer(origin), at: 1)
    statement.bind(entries.map { .blob($0) } ?? .null, at: 2)
    statement.bind(.integer(mark), at: 3)
    try statement.run()
    return connection.lastInsertedRow
  }

  private func prepared(_ known: inout Statement?, _ sql: String) throws(StoreError) -> Statement {
    if let known { return known }
    let statement = try Statement(connection, sql)
    known = statement
    return statement
  }
}
