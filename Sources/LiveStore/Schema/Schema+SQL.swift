extension Schema {
  /// The statements that create a table, its indexes and its log triggers.
  func creation(of table: Table) -> [String] {
    let columns = table.columns.map { "\(quoted($0.name)) \($0.definition)" }.joined(separator: ", ")
    // Without a rowid a text key is found in one search instead of two.
    let suffix = table.isPrimaryKeyInteger ? "" : " WITHOUT ROWID"
    var statements = ["CREATE TABLE IF NOT EXISTS \(quoted(table.name)) (\(columns))\(suffix)"]
    statements += indexCreation(of: table)
    return statements
  }

  func indexCreation(of table: Table) -> [String] {
    table.indexes.map { index in
      let name = "\(table.name)_" + index.map { table.columns[$0].name }.joined(separator: "_")
      let columns = index.map { table.column($0) }.joined(separator: ", ")
      return "CREATE INDEX IF NOT EXISTS \(quoted(name)) ON \(quoted(table.name)) (\(columns))"
    }
  }

  /// The triggers by which the writes of programs that know nothing of LiveStore are logged, and by which they keep
  /// lists and links free of rows that are gone. They use nothing but plain SQL.
  ///
  /// A table's only unique key is its primary key, so the row that an `INSERT OR REPLACE` removes, for which no delete
  /// trigger fires, has the key that the insert logs.
  func triggers(of table: Table) -> [(name: String, sql: String)] {
    let key = table.column(table.primaryKey)
    let name = table.name.replacing("'", with: "''")
    func log(_ key: String, _ columns: String) -> String {
      "INSERT INTO \(ChangeLog.table) (\"table\", key, columns) VALUES ('\(name)', \(key), \(columns));"
    }
    var triggers: [(name: String, sql: String)] = []
    func add(_ suffix: String, _ event: String, _ actions: [String]) {
      let trigger = "_livestore_\(table.name)_\(suffix)"
      triggers.append(
        (
          trigger,
          "CREATE TRIGGER \(quoted(trigger)) \(event) BEGIN " + actions.joined(separator: " ") + " END"
        ))
    }
    let on = "ON \(quoted(table.name))"
    let changed = table.columns.indices.map { "(OLD.\(table.column($0)) IS NOT NEW.\(table.column($0)))" }
    let mask = changed.enumerated().map { "(\($1) << \(min($0, 62)))" }.joined(separator: " | ")

    var inserted = [log("NEW.\(key)", "-1")]
    if case .entries(let owner, let target) = table.role {
      // With its foreign keys off, a program could add an entry that leads nowhere.
      for (column, other) in [("owner", tables[owner]), ("target", tables[target])] {
        let otherKey = other.column(other.primaryKey)
        add(
          column, "BEFORE INSERT \(on)",
          [
            "SELECT RAISE(ABORT, '\(name).\(column) names no \(other.name.replacing("'", with: "''"))') "
              + "WHERE NOT EXISTS (SELECT 1 FROM \(quoted(other.name)) WHERE \(otherKey) = NEW.\(column));"
          ])
      }
      // A person who adds an entry by hand need not know positions: without one it goes to the end.
      let table = quoted(table.name)
      inserted.append(
        "UPDATE \(table) SET position = coalesce((SELECT max(position) FROM \(table) WHERE owner = NEW.owner "
          + "AND entry <> NEW.entry), '') || 'V' WHERE entry = NEW.entry AND position = '';")
    }
    add("insert", "AFTER INSERT \(on)", inserted)
    add("update", "AFTER UPDATE \(on) WHEN \(changed.joined(separator: " OR "))", [log("NEW.\(key)", mask)])
    add(
      "rename", "AFTER UPDATE OF \(key) \(on) WHEN OLD.\(key) IS NOT NEW.\(key)",
      [log("OLD.\(key)", "-1")]
        + references(to: table).map { table, column in
          "UPDATE \(quoted(table.name)) SET \(column) = NEW.\(key) WHERE \(column) = OLD.\(key);"
        })
    add(
      "delete", "AFTER DELETE \(on)",
      [log("OLD.\(key)", "-1")]
        + references(to: table).map { table, column in
          table.isEntries
            ? "DELETE FROM \(quoted(table.name)) WHERE \(column) = OLD.\(key);"
            : "UPDATE \(quoted(table.name)) SET \(column) = NULL WHERE \(column) = OLD.\(key);"
        })
    return triggers
  }

  /// The columns of other tables that name rows of a table.
  private func references(to table: Table) -> [(table: Table, column: String)] {
    tables.flatMap { other in
      other.references.filter { $0.target == table.index }.map { (other, other.column($0.column)) }
    }
  }

  /// What the file must have for this schema to be used as it is; compared with what it was last prepared for.
  var fingerprint: String {
    tables.flatMap { creation(of: $0) + triggers(of: $0).map(\.sql) }.joined(separator: ";\n")
  }
}
