/// The triggers that log the writes of programs that know nothing of LiveStore, and keep lists and links free
/// of deleted rows. They use only plain SQL.
///
/// A file's triggers depend on all of its logged tables, including those of classes that this program does
/// not know: a deleted dog has to leave the lists of people, regardless of which program opened the file
/// last.
struct LogTriggers {
  /// The description of a table for the triggers.
  struct LoggedTable {
    struct Reference {
      let column: String
      let target: String
    }

    let name: String
    let columns: [String]
    let primaryKey: String
    /// The columns that refer to rows of other tables.
    let references: [Reference]
    /// Whether it holds the entries of a list.
    let isEntries: Bool
    /// The columns, with their collations, of each unique index that another program has added.
    var uniqueKeys: [[(column: String, collation: String)]] = []
  }

  static let prefix = "_livestore_"

  let tables: [LoggedTable]

  /// The triggers of all tables: SQL by name.
  var all: [String: String] {
    var all: [String: String] = [:]
    for table in tables {
      for (name, sql) in triggers(of: table) { all[name] = sql }
    }
    return all
  }

  /// The name of the trigger that logs the rows which an insertion is about to replace.
  static func replacement(in table: String) -> String { "\(prefix)\(table)_replace" }

  /// The triggers for unique indexes of other programs: SQL by name.
  var replacements: [String: String] {
    var all: [String: String] = [:]
    for table in tables {
      for (name, sql) in replacements(in: table) { all[name] = sql }
    }
    return all
  }

  /// SQLite fires no delete trigger for a row that `OR REPLACE` removes because of a unique index: it is
  /// logged before. If the statement then does something else, a row is logged that does not change.
  private func replacements(in table: LoggedTable) -> [(name: String, sql: String)] {
    guard !table.uniqueKeys.isEmpty else { return [] }
    let key = quoted(table.primaryKey)
    let name = quoted(table.name)
    func log(besides row: String) -> String {
      table.uniqueKeys.map { columns in
        let isSame = columns.map { "\(quoted($0.column)) = NEW.\(quoted($0.column)) COLLATE \($0.collation)" }
        return
          "INSERT INTO \(LogTable.name) (\"table\", key, columns) SELECT \(literal(table.name)), \(key), -1 "
          + "FROM \(name) WHERE \(isSame.joined(separator: " AND ")) AND \(key) IS NOT \(row).\(key); "
      }.joined()
    }
    let columns = Set(table.uniqueKeys.joined().map(\.column)).sorted().map(quoted).joined(separator: ", ")
    let insertion = Self.replacement(in: table.name)
    let update = "\(Self.prefix)\(table.name)_displace"
    return [
      (
        insertion,
        "CREATE TRIGGER \(quoted(insertion)) BEFORE INSERT ON \(name) BEGIN \(log(besides: "NEW"))END"
      ),
      (
        update,
        "CREATE TRIGGER \(quoted(update)) BEFORE UPDATE OF \(columns) ON \(name) BEGIN "
          + "\(log(besides: "OLD"))END"
      ),
    ]
  }

  /// The primary key is the only unique key of the table itself. The row that an `INSERT OR REPLACE` removes,
  /// for which no delete trigger fires, therefore has the key that the insert logs.
  private func triggers(of table: LoggedTable) -> [(name: String, sql: String)] {
    let key = quoted(table.primaryKey)
    func log(_ key: String, _ columns: String) -> String {
      "INSERT INTO \(LogTable.name) (\"table\", key, columns) VALUES (\(literal(table.name)), \(key), "
        + "\(columns));"
    }
    var triggers: [(name: String, sql: String)] = []
    func add(_ suffix: String, _ event: String, _ actions: [String]) {
      let trigger = "\(Self.prefix)\(table.name)_\(suffix)"
      triggers.append(
        (
          trigger,
          "CREATE TRIGGER \(quoted(trigger)) \(event) BEGIN " + actions.joined(separator: " ") + " END"
        ))
    }
    let on = "ON \(quoted(table.name))"
    let changed = table.columns.map { "(OLD.\(quoted($0)) IS NOT NEW.\(quoted($0)))" }
    let mask = changed.enumerated().map { "(\($1) << \(min($0, 62)))" }.joined(separator: " | ")

    var inserted = [log("NEW.\(key)", "-1")]
    if table.isEntries {
      // With foreign keys off, a program could add an entry that leads nowhere.
      for reference in table.references {
        guard let other = tables.first(where: { $0.name == reference.target }) else { continue }
        let refusal =
          "SELECT RAISE(ABORT, \(literal("\(table.name).\(reference.column) names no \(other.name)"))) "
          + "WHERE NOT EXISTS (SELECT 1 FROM "
          + "\(quoted(other.name)) WHERE \(quoted(other.primaryKey)) = NEW.\(reference.column));"
        add(reference.column, "BEFORE INSERT \(on)", [refusal])
        add("\(reference.column)_update", "BEFORE UPDATE OF \(reference.column) \(on)", [refusal])
      }
      // A person who adds an entry by hand need not know positions: without one it is appended.
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
          "UPDATE \(quoted(table.name)) SET \(quoted(column)) = NEW.\(key) "
            + "WHERE \(quoted(column)) = OLD.\(key);"
        })
    add(
      "delete", "AFTER DELETE \(on)",
      [log("OLD.\(key)", "-1")]
        + references(to: table).map { table, column in removal(of: column, in: table, key: "OLD.\(key)") + ";"
        }
    )
    return triggers + replacements(in: table)
  }

  /// The columns of other tables that refer to rows of a table.
  func references(to table: LoggedTable) -> [(table: LoggedTable, column: String)] {
    tables.flatMap { other in
      other.references.filter { $0.target == table.name }.map { (other, $0.column) }
    }
  }

  /// Removes the references to a deleted row from another table.
  func removal(of column: String, in table: LoggedTable, key: String) -> String {
    table.isEntries
      ? "DELETE FROM \(quoted(table.name)) WHERE \(quoted(column)) = \(key)"
      : "UPDATE \(quoted(table.name)) SET \(quoted(column)) = NULL WHERE \(quoted(column)) = \(key)"
  }
}

extension Schema {
  /// The description of the schema's tables for the triggers.
  var loggedTables: [LogTriggers.LoggedTable] {
    tables.map { table in
      LogTriggers.LoggedTable(
        name: table.name, columns: table.columns.map(\.name),
        primaryKey: table.columns[table.primaryKey].name,
        references: table.references.map {
          .init(column: table.columns[$0.column].name, target: tables[$0.target].name)
        },
        isEntries: table.isEntries)
    }
  }
}
