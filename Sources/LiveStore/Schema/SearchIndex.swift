/// The full-text index of a class: a table of FTS5, which only this library writes, and beside it the numbers
/// of the rows in it.
///
/// No trigger keeps it up to date: a program whose SQLite has no FTS5 can write the class. A note in the file
/// says up to which row of the change log the index reaches.
struct SearchIndex: Sendable {
  let table: Table
  let columns: [Int]

  /// The index of a class; `nil` if the class has none.
  init?(of table: Table) {
    guard !table.rules.searchColumns.isEmpty else { return nil }
    self.table = table
    columns = table.rules.searchColumns
  }

  /// The table of FTS5.
  var name: String { SearchIndex.name(table.name) }
  /// The table of the numbers that the rows have in the index, by primary key.
  var numbers: String { name + "_rows" }
  /// The index by which the rows are found that have the numbers of matches.
  private var numbersIndex: String { numbers + "_number" }
  /// The SQL that counts the parts of the index in the file, all of which are three.
  private var partCount: String {
    let names = [name, numbers, numbersIndex].map(literal).joined(separator: ", ")
    return "SELECT count(*) FROM sqlite_schema WHERE name IN (\(names))"
  }
  var note: String { "search \(table.name)" }
  private var key: String { table.key }
  private var columnNames: [String] { columns.map { table.column($0) } }
  /// The part of the note that tells whether the index is of this form.
  var form: String { columns.map { table.columns[$0].name }.joined(separator: ",") }

  /// Whether SQLite has FTS5.
  static func isAvailable(on connection: Connection) throws(StoreError) -> Bool {
    try connection.firstValue("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'") != nil
  }

  /// Whether the file has the index: another program may have dropped it, or SQLite may have no FTS5.
  func isThere(on connection: Connection) throws(StoreError) -> Bool {
    guard try SearchIndex.isAvailable(on: connection) else { return false }
    return try connection.firstValue(partCount) == .integer(3)
  }

  /// The names that a column of FTS5 cannot have, in any case.
  static let reserved: Set<String> = ["rank", "rowid"]

  static let prefix = LogTriggers.prefix + "search_"

  static func name(_ table: String) -> String { prefix + table }

  /// SQL that creates a table of FTS5 with the columns of the index.
  func creation(of name: String) -> String {
    "CREATE VIRTUAL TABLE \(name) USING fts5(\(columnNames.joined(separator: ", ")), "
      + "tokenize = 'unicode61 remove_diacritics 2')"
  }

  static func removal(ofTable table: String) -> [String] {
    let name = name(table)
    return [
      "DROP TABLE IF EXISTS \(quoted(name))", "DROP TABLE IF EXISTS \(quoted(name + "_rows"))",
      "DELETE FROM \(FileSchema.notes) WHERE name = \(literal("search \(table)"))",
    ]
  }

  /// SQL that creates the index with all rows.
  var building: [String] {
    SearchIndex.removal(ofTable: table.name) + [
      creation(of: quoted(name)),
      "CREATE TABLE \(quoted(numbers)) (key \(table.columns[table.primaryKey].type.rawValue) PRIMARY KEY, "
        + "number INTEGER NOT NULL) WITHOUT ROWID",
      "CREATE UNIQUE INDEX \(quoted(numbersIndex)) ON \(quoted(numbers)) (number)",
    ] + filling
  }

  /// SQL that fills the index anew: while a version is held, no table can be dropped.
  var refilling: [String] {
    ["DELETE FROM \(quoted(name))", "DELETE FROM \(quoted(numbers))"] + filling
  }

  private var filling: [String] {
    let list = columnNames.joined(separator: ", ")
    // With the table's name: a text may be called `key` or `number` too.
    let texts = columnNames.map { "t.\($0)" }.joined(separator: ", ")
    return [
      "INSERT INTO \(quoted(numbers)) SELECT \(key), row_number() OVER (ORDER BY \(key)) "
        + "FROM \(quoted(table.name))",
      "INSERT INTO \(quoted(name)) (rowid, \(list)) SELECT n.number, \(texts) "
        + "FROM \(quoted(table.name)) AS t JOIN \(quoted(numbers)) AS n ON n.key = t.\(key)",
      reachingEnd,
    ]
  }

  /// SQL that notes that the index reaches the end of the log.
  var reachingEnd: String {
    "INSERT OR REPLACE INTO \(FileSchema.notes) SELECT \(literal(note)), max(seq) || ' ' || "
      + "coalesce(mark, '') || ' ' || \(literal(form)) FROM \(LogTable.name)"
  }

  /// The number of the log row up to which the index reaches; `nil` if there is no such index, or the log
  /// does not have that row.
  func end(on statements: StatementCache) throws(StoreError) -> Int64? { try reach(on: statements)?.number }

  /// The same with the mark of that row.
  func reach(on statements: StatementCache) throws(StoreError) -> (number: Int64, mark: String)? {
    let select = try statements.prepare(
      "SELECT value FROM \(FileSchema.notes) WHERE name = \(literal(note)) AND 3 = (\(partCount))")
    guard case .text(let text)? = try select.first(read: { $0.value(0) }) else { return nil }
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let number = Int64(parts[0]), parts[2] == form else { return nil }
    let mark = try statements.prepare("SELECT mark FROM \(LogTable.name) WHERE seq = ?")
      .first([.integer(number)]) { $0.value(0).textReading ?? "" }
    return mark.flatMap { $0 == parts[1] ? (number, $0) : nil }
  }

  /// Takes over some rows as they are now.
  ///
  /// - Complexity: O(log n) for each.
  func update(_ keys: [SQLiteValue], on statements: StatementCache) throws(StoreError) {
    let fts = quoted(name)
    let find = try statements.prepare("SELECT number FROM \(quoted(numbers)) WHERE key = ?")
    let remove = try statements.prepare("DELETE FROM \(fts) WHERE rowid = ?")
    let forget = try statements.prepare("DELETE FROM \(quoted(numbers)) WHERE key = ?")
    let read = try statements.prepare(
      "SELECT \(columnNames.joined(separator: ", ")) FROM \(quoted(table.name)) WHERE \(key) = ?")
    let highest = try statements.prepare("SELECT coalesce(max(rowid), 0) FROM \(fts)")
    let add = try statements.prepare(
      "INSERT INTO \(fts) (rowid, \(columnNames.joined(separator: ", "))) VALUES "
        + "(?, \(columns.map { _ in "?" }.joined(separator: ", ")))")
    let number = try statements.prepare("INSERT INTO \(quoted(numbers)) VALUES (?, ?)")
    for key in keys {
      let known = try find.first([key]) { $0.integer(0) }
      if let known { try remove.run(.integer(known)) }
      guard let values = try read.first([key], read: { $0.values(0..<columns.count) }) else {
        if known != nil { try forget.run(key) }
        continue
      }
      var row = known
      if row == nil {
        row = try highest.first { $0.integer(0) + 1 }
        try number.run(key, .integer(row ?? 1))
      }
      add.bind([.integer(row ?? 1)] + values)
      try add.run()
    }
  }
}
