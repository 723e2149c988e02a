extension Schema {
  /// Checks that the file still has what the classes need: another program may have removed it since the store was
  /// opened. What was added does no harm.
  ///
  /// - Throws: ``StoreError/Code/schema``, with the name of what is missing.
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
    func missing(_ what: String) -> StoreError {
      StoreError(
        .schema, "Another program has removed \(what) from the file; put it back, or open a file that has it."
      )
    }
    for table in tables {
      guard let found = columns[table.name] else { throw missing("the table \(table.name)") }
      for column in table.columns where !found.contains(column.name) {
        throw missing("the column \(table.name).\(column.name)")
      }
      // Without its triggers nobody would hear of what other programs write.
      for trigger in self.triggers(of: table) where !triggers.contains(trigger.name) {
        throw missing("the trigger \(trigger.name)")
      }
    }
    guard columns[ChangeLog.table] != nil else { throw missing("the table \(ChangeLog.table)") }
  }
}
