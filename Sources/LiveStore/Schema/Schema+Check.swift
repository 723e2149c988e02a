extension Schema {
  /// Checks that the file still has everything that the classes need: another program may have removed it
  /// since the store was opened. Additions are ignored.
  ///
  /// - Throws: ``StoreError/Code/schema``, with the name of the part that is missing or has another
  ///   collation; ``StoreError/Code/newerVersion`` when a newer version of the program has removed it.
  func check(_ connection: Connection) throws(StoreError) {
    let select = try Statement(
      connection,
      """
      SELECT s.type, s.name, c.name FROM sqlite_schema s
      LEFT JOIN pragma_table_info(s.name) c ON s.type = 'table' WHERE s.type IN ('table', 'trigger')
      """)
    var columns: [String: Set<String>] = [:]
    var triggers: Set<String> = []
    while try select.step() {
      guard case .text(let type) = select.value(0), case .text(let name) = select.value(1) else { continue }
      if type == "trigger" {
        triggers.insert(name)
      } else if case .text(let column) = select.value(2) {
        columns[name, default: []].insert(column)
      }
    }
    func missing(_ what: String) throws(StoreError) -> StoreError {
      try requireOwnVersion(connection)
      return StoreError(
        .schema, "Another program has removed \(what) from the file; put it back, or open a file that has it."
      )
    }
    for table in tables {
      guard let found = columns[table.name] else { throw try missing("the table \(table.name)") }
      for column in table.columns {
        guard found.contains(column.name) else {
          try requireOwnVersion(connection)
          throw .missingColumn("\(table.name).\(column.name)", of: "the file")
        }
      }
    }
    try checkCollations(connection)
    // Without the triggers the writes of other programs would not be noticed. Those of rules, which delete
    // and refuse rows, are not for readers: the program that writes the file may not have the rules.
    let logged = loggedTables.map { connection.isReadOnly ? $0.withoutOwnerships : $0 }
    for trigger in LogTriggers(tables: logged).all.keys.sorted() where !triggers.contains(trigger) {
      throw try missing("the trigger \(trigger)")
    }
    guard columns[LogTable.name] != nil else { throw try missing("the table \(LogTable.name)") }
  }

  /// Checks that keys and orders are compared byte by byte in the file, as they are here.
  func checkCollations(_ connection: Connection) throws(StoreError) {
    for table in tables {
      for column in table.columns {
        guard let collation = connection.collation(of: column.name, in: table.name), collation != "BINARY"
        else { continue }
        throw StoreError(
          .schema,
          "Another program has given the column \(table.name).\(column.name) the order \(collation); "
            + "make the table anew without it.")
      }
    }
  }

  /// Throws if a newer program has migrated the file, whose tables may then no longer be those of the
  /// classes.
  func requireOwnVersion(_ connection: Connection) throws(StoreError) {
    guard case .integer(let found)? = try connection.firstValue("PRAGMA user_version"), found > Int64(version)
    else { return }
    throw StoreError(
      .newerVersion,
      "A newer version of this program has migrated the file (\(found), this one knows \(version)); "
        + "end this one and start the newer one.")
  }
}
