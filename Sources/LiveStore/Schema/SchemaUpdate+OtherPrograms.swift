/// The update of a file in which other programs have made, changed or removed something.
extension SchemaUpdate {
  /// Throws if another program has made something with the name of a missing table. For SQLite names are the
  /// same that differ in the case of ASCII letters.
  func requireFreeNames() throws(StoreError) {
    let parts = try Statement(
      connection,
      "SELECT type, name FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type <> 'trigger'")
    for table in schema.tables where file.tables[table.name] == nil {
      let part = try parts.first([.text(table.name)]) { (type: $0.text(0), name: $0.text(1)) }
      // An index of a property that is a list now makes room for it.
      guard let part, !indexesNamedLikeTables.contains(where: { $0.name == part.name }) else { continue }
      let isRenamed = part.type == "table" && part.name != table.name
      throw StoreError(
        .schema,
        "“\(path)” has \(part.type == "index" ? "an" : "a") \(part.type) named \(part.name) in the place of "
          + "the table \(table.name); "
          + (isRenamed
            ? "give it back that name with ALTER TABLE, by way of a third one."
            : "have the program that has made it use another name."))
    }
  }

  /// Creates a table with columns of other programs; the error names the first of them that it cannot have.
  /// It is STRICT if the former one is: there, a column of the type ANY keeps texts that look like numbers.
  func create(
    _ table: Table, as name: String, with others: [(name: String, definition: String)],
    constraints: [String]
  ) throws(StoreError) {
    let isStrict = try connection.firstValue(
      "SELECT 1 FROM pragma_table_list(\(literal(table.name))) WHERE schema = 'main' AND strict")
    do throws(StoreError) {
      try connection.execute(
        table.creation(
          as: name, with: others.map(\.definition) + constraints, isStrict: isStrict != nil))
    } catch {
      guard error.isGeneral, let last = others.last else { throw error }
      let message = connection.lastError.message
      try create(table, as: name, with: others.dropLast(), constraints: constraints)
      throw StoreError(
        .schema,
        "“\(path)” cannot be migrated while \(table.name) has the column “\(last.name)”, which another "
          + "program has added: \(message). Remove the column with ALTER TABLE, and add it again afterwards.",
        report: error.report)
    }
  }

  /// The constraints that other programs have given to the table of a class, without those that the class
  /// has in place of theirs: the primary key, and where its properties lead.
  ///
  /// - Parameter renamed: The new names of columns, by the former ones.
  func othersConstraints(of table: Table, renamed: [String: String]) throws(StoreError) -> [String] {
    guard let existing = file.tables[table.name] else { return [] }
    let checks = ColumnDefinitions(in: "(\(existing.checks))").texts
    var constraints: [String] = []
    for constraint in existing.constraints where !checks.contains(constraint) {
      do throws(StoreError) {
        if let constraint = try adapt(constraint, of: existing, to: table, renamed: renamed) {
          constraints.append(constraint)
        }
      } catch {
        throw StoreError(
          .schema,
          "“\(path)” cannot be migrated while \(table.name) has the constraint “\(constraint)”, which "
            + "another program has added and which cannot be kept, as it names what is no longer there. Make "
            + "the table anew without it, and add it again afterwards.",
          report: error.report)
      }
    }
    return constraints
  }

  /// A constraint of another program with the columns by their new names; `nil` if the class has its own in
  /// its place. SQLite reads and renames it in a table of the same columns, in memory.
  private func adapt(
    _ constraint: String, of existing: FileSchema.FileTable, to table: Table, renamed: [String: String]
  ) throws(StoreError) -> String? {
    let trial = try Connection(path: ":memory:", create: true)
    let name = quoted(table.name)
    let columns = existing.columnNames
    try trial.execute(
      "CREATE TABLE \(name) (\(columns.map(quoted).joined(separator: ", ")), \(constraint))")
    let decided = try Statement(
      trial,
      "SELECT name FROM pragma_table_info(?1) WHERE pk "
        + "UNION ALL SELECT \"from\" FROM pragma_foreign_key_list(?1)"
    ).all([.text(table.name)]) { $0.value(0).textReading }
    if decided.contains(where: { name in existing.ownColumns.contains { $0.name == name } }) { return nil }
    let others = existing.others(than: table).map(\.name)
    let removed = LogTriggers.prefix + "removed_"
    for column in columns where !others.contains(column) {
      let isKept = table.columns.contains { isSameName($0.name, column) }
      guard let new = renamed[column] ?? (isKept ? nil : removed + column) else { continue }
      try trial.execute("ALTER TABLE \(name) RENAME COLUMN \(quoted(column)) TO \(quoted(new))")
    }
    let sql = try trial.firstValue("SELECT sql FROM sqlite_schema WHERE type = 'table'")?.textReading ?? ""
    let adapted = ColumnDefinitions(in: sql).texts.dropFirst(columns.count).joined(separator: ", ")
    guard !adapted.contains(removed) else { throw StoreError(.schema, adapted) }
    return adapted
  }

  /// Whether the log may lack changes of a table that the file had before, or has its columns by other bits:
  /// triggers are missing, as after another program has dropped the table, or are others.
  var mayLackChanges: Bool {
    let tables = loggedTables(in: file)
    let wanted = LogTriggers(tables: tables).all
    let found = Dictionary(file.triggers.map { ($0.name, $0.sql) }) { first, _ in first }
    return tables.contains { logged in
      if let table = schema.table(named: logged.name), !file.hadTable(table, of: schema) { return false }
      let update = LogTriggers.update(in: logged.name)
      return found[update] != wanted[update]
        || LogTriggers.logging(logged.name).contains { found[$0] == nil }
    }
  }
}
