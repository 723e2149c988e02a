extension Table {
  /// The statement that creates the table, under its own or another name.
  ///
  /// - Parameter others: The definitions of columns that another program has added.
  func creation(as name: String? = nil, with others: [String] = []) -> String {
    let definitions = columns.map { "\(quoted($0.name)) \($0.definition)" } + others
    // Without a rowid a text key is found in one search instead of two.
    let suffix = isPrimaryKeyInteger ? "" : " WITHOUT ROWID"
    return "CREATE TABLE \(quoted(name ?? self.name)) (\(definitions.joined(separator: ", ")))\(suffix)"
  }

  /// The statements that create the table's indexes, as SQLite stores them, by the index's name.
  var indexCreations: [String: String] {
    var creations: [String: String] = [:]
    for index in indexes {
      let creation = Table.indexCreation(name, index.map { columns[$0].name })
      creations[creation.name] = creation.sql
    }
    return creations
  }

  /// Whether SQL is the result of ``indexCreation(_:_:)`` for an index of a table, possibly over columns that
  /// were removed.
  static func isIndexCreation(_ sql: String, named name: String, table: String) -> Bool {
    let start = "CREATE INDEX \(quoted(name)) ON \(quoted(table)) ("
    guard sql.hasPrefix(start), sql.hasSuffix(")") else { return false }
    let columns = sql.dropFirst(start.count + 1).dropLast(2).split(separator: "\", \"").map {
      String($0.replacing("\"\"", with: "\""))
    }
    return indexCreation(table, columns) == (name, sql)
  }

  static func indexCreation(_ table: String, _ columns: [String]) -> (name: String, sql: String) {
    let name = ([table] + columns).joined(separator: "_")
    let list = columns.map(quoted).joined(separator: ", ")
    return (name, "CREATE INDEX \(quoted(name)) ON \(quoted(table)) (\(list))")
  }
}
