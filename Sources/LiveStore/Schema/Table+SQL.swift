extension Table {
  /// The statement that creates the table, under its own or another name.
  ///
  /// - Parameters:
  ///   - additions: The definitions of further columns, and then the constraints, if they are not the
  ///     checks of the class.
  ///   - isStrict: Whether a value of another type than its column's is refused.
  func creation(as name: String? = nil, with additions: [String]? = nil, isStrict: Bool = false) -> String {
    let definitions =
      columns.map { "\(quoted($0.name)) \($0.definition)" } + (additions ?? rules.checks.map(\.constraint))
    // Without a rowid a text key is found in one search instead of two.
    let options = (isPrimaryKeyInteger ? [] : ["WITHOUT ROWID"]) + (isStrict ? ["STRICT"] : [])
    return "CREATE TABLE \(quoted(name ?? self.name)) (\(definitions.joined(separator: ", ")))"
      + (options.isEmpty ? "" : " " + options.joined(separator: ", "))
  }

  /// The statements that create the table's indexes, as SQLite stores them, by the index's name.
  var indexCreations: [String: String] {
    var creations: [String: String] = [:]
    for index in indexes {
      let creation = Table.indexCreation(name, index.map { columns[$0].name })
      creations[creation.name] = creation.sql
    }
    for index in ruleIndexes { creations[index.name] = index.sql }
    return creations
  }

  /// The indexes that the rules of the class need, each with its name and the statement that creates it.
  var ruleIndexes: [(rule: TableRules.Index, name: String, sql: String)] {
    var names: Set<String> = []
    return rules.indexes.map { rule in
      let creation = creation(of: rule)
      // Two indexes of the same columns differ in their conditions.
      var name = creation.name
      var number = 1
      while !names.insert(name).inserted {
        number += 1
        name = "\(creation.name)_\(number)"
      }
      let kind = rule.isUnique ? "UNIQUE INDEX" : "INDEX"
      return (rule, name, "CREATE \(kind) \(quoted(name)) ON \(quoted(self.name)) \(creation.rest)")
    }
  }

  /// The name of an index for a rule, and its statement from the columns on.
  private func creation(of rule: TableRules.Index) -> (name: String, rest: String) {
    let list = rule.columns.map { column($0) + (rule.descending.contains($0) ? " DESC" : "") }
    let name = ([LogTriggers.prefix + name] + rule.columns.map { columns[$0].name }).joined(separator: "_")
    return (
      name, "(\(list.joined(separator: ", ")))" + (rule.condition.map { " WHERE \($0)" } ?? "")
    )
  }

  /// The checks of the class, as they are noted in the file.
  var checksNote: String { rules.checks.map(\.constraint).joined(separator: ", ") }

  /// Whether SQL has created an index for a declaration of a class, possibly over columns that were removed.
  static func isIndexCreation(_ sql: String, named name: String, table: String) -> Bool {
    if name.hasPrefix(LogTriggers.prefix) { return true }
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
