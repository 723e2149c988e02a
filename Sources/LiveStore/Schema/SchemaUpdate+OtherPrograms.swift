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
  func create(
    _ table: Table, as name: String, with others: [(name: String, definition: String)], isChecked: Bool
  ) throws(StoreError) {
    do throws(StoreError) {
      try connection.execute(
        table.creation(as: name, with: others.map(\.definition), isChecked: isChecked))
    } catch {
      guard error.isGeneral, let last = others.last else { throw error }
      let message = connection.lastError.message
      try create(table, as: name, with: others.dropLast(), isChecked: isChecked)
      throw StoreError(
        .schema,
        "“\(path)” cannot be migrated while \(table.name) has the column “\(last.name)”, which another "
          + "program has added: \(message). Remove the column with ALTER TABLE, and add it again afterwards.",
        report: error.report)
    }
  }

  /// Whether the log may lack changes of a table that the file had before, or has its columns by other bits:
  /// triggers are missing, as after another program has dropped the table, or are those of an earlier version
  /// of the library.
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
