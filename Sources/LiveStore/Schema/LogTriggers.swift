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
      var onDelete = DeletionRule.nullify
    }

    /// A property through which rows own those of another table.
    struct Ownership {
      let property: String
      /// The table of the entries, if it is a list.
      let entries: String?
      let target: String
      /// Whether a row that leaves the property is deleted too.
      let isEmbedding: Bool
    }

    let name: String
    let columns: [String]
    let primaryKey: String
    /// The columns that refer to rows of other tables.
    let references: [Reference]
    /// Whether it holds the entries of a list.
    let isEntries: Bool
    /// The columns, with their collations, of each unique index besides the primary key.
    var uniqueKeys: [[(column: String, collation: String)]] = []
    var ownerships: [Ownership] = []

    /// The same table without rules that delete and refuse rows.
    var withoutOwnerships: LoggedTable {
      var copy = self
      copy.ownerships = []
      return copy
    }
  }

  static let prefix = "_livestore_"

  let tables: [LoggedTable]

  /// The triggers of all tables: SQL by name.
  var all: [String: String] { byName(triggers(of:)) }

  /// The name of the trigger that logs the rows which an insertion is about to replace.
  static func replacement(in table: String) -> String { "\(prefix)\(table)_replace" }

  /// The name of the trigger that logs the columns that an update changes.
  static func update(in table: String) -> String { "\(prefix)\(table)_update" }

  /// The names of the triggers that log all changes of a table.
  static func logging(_ table: String) -> [String] {
    ["insert", "update", "rename", "delete"].map { "\(prefix)\(table)_\($0)" }
  }

  /// The name of the trigger that clears what leads to a row which an insertion has replaced.
  static func afterReplacement(in table: String) -> String { "\(prefix)\(table)_replaced" }

  /// The triggers for unique indexes: SQL by name.
  var replacements: [String: String] { byName(replacements(in:)) }

  private func byName(_ triggers: (LoggedTable) -> [(name: String, sql: String)]) -> [String: String] {
    Dictionary(tables.flatMap(triggers).map { ($0.name, $0.sql) }, uniquingKeysWith: { $1 })
  }

  /// SQLite fires no delete trigger for a row that `OR REPLACE` removes because of a unique index: it is
  /// logged before. If the statement then does something else, a row is logged that does not change. What
  /// refers to the row is looked after when it has gone.
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
    ] + afterReplacements(in: table, columns)
  }

  /// The triggers that do what follows for the rows that refer to a replaced one. With foreign keys it has
  /// happened already.
  ///
  /// - Parameter columns: The columns of the unique indexes.
  private func afterReplacements(in table: LoggedTable, _ columns: String) -> [(name: String, sql: String)] {
    // Each unique index may have replaced one row. Others follow in the log: that of the statement itself,
    // and those of triggers of other programs.
    let count = table.uniqueKeys.count + 3
    let isLogged = "\"table\" = \(literal(table.name)) AND columns = -1"
    let isGone =
      "NOT EXISTS (SELECT 1 FROM \(quoted(table.name)) AS t WHERE t.\(quoted(table.primaryKey)) = l.key)"
    // The consequences are logged too, so that the rows cannot be found by their place in the log any more.
    let consequences = consequences(
      of: table,
      for: "IN (SELECT key FROM (SELECT key FROM \(LogTable.name) WHERE \(isLogged) ORDER BY seq DESC "
        + "LIMIT \(count)) AS l WHERE \(isGone))")
    guard !consequences.isEmpty else { return [] }
    let condition =
      "EXISTS (SELECT 1 FROM \(LogTable.name) AS l WHERE seq > (SELECT max(seq) FROM \(LogTable.name)) "
      + "- \(count) AND \(isLogged) AND \(isGone))"
    return [("replaced", "INSERT"), ("displaced", "UPDATE OF \(columns)")].map { suffix, event in
      let name = "\(Self.prefix)\(table.name)_\(suffix)"
      return (
        name,
        "CREATE TRIGGER \(quoted(name)) AFTER \(event) ON \(quoted(table.name)) WHEN \(condition) BEGIN "
          + consequences.joined(separator: " ") + " END"
      )
    }
  }

  /// The prefix of the triggers that delete the rows which a row of a table owns.
  static func ownership(in table: String) -> String { "\(prefix)\(table)_own_" }

  private func ownerships(of table: LoggedTable) -> [(name: String, sql: String)] {
    table.ownerships.lazy.filter { !$0.isEmbedding }.compactMap { ownership in
      guard let target = tables.first(where: { $0.name == ownership.target }) else { return nil }
      let name = Self.ownership(in: table.name) + ownership.property
      let key = quoted(target.primaryKey)
      // The entries of a list go with their owner, and are gone when the triggers after that fire.
      let (moment, condition) =
        ownership.entries.map {
          ("BEFORE", "IN (SELECT target FROM \(quoted($0)) WHERE owner = OLD.\(quoted(table.primaryKey)))")
        } ?? ("AFTER", "= OLD.\(quoted(ownership.property))")
      return (
        name,
        "CREATE TRIGGER \(quoted(name)) \(moment) DELETE ON \(quoted(table.name)) BEGIN "
          + "DELETE FROM \(quoted(target.name)) WHERE \(key) \(condition); END"
      )
    }
  }

  /// The effects of the deletion of rows on those that refer to them.
  ///
  /// - Parameter keys: The condition for the keys of the deleted rows.
  private func consequences(of table: LoggedTable, for keys: String) -> [String] {
    tables.flatMap { other in
      other.references.filter { $0.target == table.name }.map {
        consequence(of: table, for: other, $0, keys) + ";"
      }
    }
  }

  /// The effect of a row's deletion on a row that refers to it, for programs without foreign keys: with them,
  /// it has happened already.
  private func consequence(
    of table: LoggedTable, for other: LoggedTable, _ reference: LoggedTable.Reference, _ keys: String
  ) -> String {
    let condition = " WHERE \(quoted(reference.column)) \(keys)"
    func refusal(_ message: String) -> String {
      "SELECT RAISE(ABORT, \(literal(message))) WHERE EXISTS (SELECT 1 FROM \(quoted(other.name))"
        + condition + ")"
    }
    switch reference.onDelete {
    case .nullify: return Self.removal(of: reference.column, in: other) + condition
    case .deny: return refusal("\(other.name).\(reference.column) leads to the \(table.name)")
    // A trigger does not fire for what it deletes itself.
    case .cascade where isCascading(from: other, to: table):
      return refusal(
        "\(other.name) goes with \(table.name), which only PRAGMA foreign_keys = ON can follow")
    case .cascade: return "DELETE FROM \(quoted(other.name))" + condition
    }
  }

  /// Whether the deletion of a row may lead, link by link, to that of a row of another table.
  private func isCascading(from table: LoggedTable, to end: LoggedTable) -> Bool {
    var waiting = [table.name]
    var seen: Set<String> = [table.name]
    while let name = waiting.popLast() {
      if name == end.name { return true }
      for other in tables
      where other.references.contains(where: { $0.target == name && $0.onDelete == .cascade })
        && seen.insert(other.name).inserted
      {
        waiting.append(other.name)
      }
    }
    return false
  }

  /// The row that an `INSERT OR REPLACE` removes because of its primary key, for which no delete trigger
  /// fires, has the key that the insert logs.
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
    let changed = Table.columnsByBit(table.columns).map { "(OLD.\(quoted($0)) IS NOT NEW.\(quoted($0)))" }
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
      let last = "SELECT max(position) AS last FROM \(table) WHERE owner = NEW.owner AND entry <> NEW.entry"
      inserted.append(
        "UPDATE \(table) SET position = (\(PositionKey.sqlAfterLast(last))) "
          + "WHERE entry = NEW.entry AND position = '';")
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
      [log("OLD.\(key)", "-1")] + consequences(of: table, for: "= OLD.\(key)"))
    return triggers + replacements(in: table) + ownerships(of: table) + embeddings(of: table)
  }

  /// The columns of other tables that refer to rows of a table.
  func references(to table: LoggedTable) -> [(table: LoggedTable, column: String)] {
    tables.flatMap { other in
      other.references.filter { $0.target == table.name }.map { (other, $0.column) }
    }
  }

  /// Removes the references to deleted rows from another table; a condition may follow.
  static func removal(of column: String, in table: LoggedTable) -> String {
    table.isEntries
      ? "DELETE FROM \(quoted(table.name))" : "UPDATE \(quoted(table.name)) SET \(quoted(column)) = NULL"
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
          .init(
            column: table.columns[$0.column].name, target: tables[$0.target].name,
            onDelete: table.rules.deletions[$0.column] ?? .nullify)
        },
        isEntries: table.isEntries, ownerships: table.rules.owners.map { ownership($0, of: table) })
    }
  }

  private func ownership(_ owner: TableRules.Owner, of table: Table) -> LogTriggers.LoggedTable.Ownership {
    func make(_ property: String, _ entries: Table?, _ target: Int) -> LogTriggers.LoggedTable.Ownership {
      .init(
        property: property, entries: entries?.name, target: tables[target].name,
        isEmbedding: owner.isEmbedding)
    }
    switch owner.property {
    case .column(let column):
      guard let reference = table.references.first(where: { $0.column == column }) else {
        preconditionFailure("Only links and lists own objects.")
      }
      return make(table.columns[column].name, nil, reference.target)
    case .list(let slot):
      let entries = self.table(ofList: slot, in: table)
      guard case .objects(let schema) = table.role, case .entries(_, let target) = entries.role else {
        preconditionFailure("Only objects have lists.")
      }
      return make(schema.lists[slot].name, entries, target)
    }
  }
}

extension LogTable {
  /// The name of the trigger that deletes with a row of a table what it owns by a property.
  package static func ownershipTrigger(of property: String, in table: String) -> String {
    LogTriggers.ownership(in: table) + property
  }

  /// The name of the trigger that keeps a column's rows, which are parts of others, in one place.
  package static func embeddingTrigger(of column: String, in table: String) -> String {
    LogTriggers.ownership(in: table) + "\(column).insert"
  }
}
