/// The repair of files that had no triggers for what is replaced through a unique rule.
extension SchemaUpdate {
  /// Removes the entries, and sets the links to NULL, that lead to rows which another program has replaced
  /// through a unique rule (`INSERT OR REPLACE`) before the file had the triggers that do so. A list with
  /// such an entry cannot be read.
  ///
  /// It happens once, with the opening that creates these triggers, and only in a file that is whole: in a
  /// damaged one, rows may be missing that can be saved yet.
  ///
  /// - Complexity: O(n log n) for the n rows that lead to classes whose triggers are new; O(file) if one
  ///   leads to a missing row.
  func clearReplacedRows() throws(StoreError) {
    // A file that is made now holds nothing yet.
    guard file.isPrepared else { return }
    let present = try FileSchema(connection)
    let tables = loggedTables(in: present)
    let replaced = tables.filter { table in
      file.tables[table.name] != nil && present.tables[table.name] != nil && !table.uniqueKeys.isEmpty
        && !file.triggers.contains { $0.name == LogTriggers.afterReplacement(in: table.name) }
    }
    let before = connection.changeCount
    var isKnownWhole = false
    for target in replaced {
      for (table, column) in LogTriggers(tables: tables).references(to: target)
      where present.tables[table.name] != nil {
        let condition =
          "WHERE \(quoted(column)) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(quoted(target.name)) AS t "
          + "WHERE t.\(quoted(target.primaryKey)) = \(quoted(table.name)).\(quoted(column)))"
        let select = "SELECT 1 FROM \(quoted(table.name)) \(condition) LIMIT 1"
        guard try connection.firstValue(select) != nil else { continue }
        if !isKnownWhole {
          guard try connection.firstValue("PRAGMA integrity_check(1)") == .text("ok") else { return }
          isKnownWhole = true
        }
        try connection.execute("\(LogTriggers.removal(of: column, in: table)) \(condition)")
      }
    }
    try logAnything(ifChangedSince: before)
  }
}
