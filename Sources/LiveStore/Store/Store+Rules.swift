/// The rules of classes, where they concern single objects.
extension Store {
  /// The primary key of the row that a rule takes for the same as an object; `nil` if there is none.
  ///
  /// - Parameter value: Returns the object's value of a column.
  /// - Complexity: O(log n) for each rule.
  func key(in table: Table, sharing value: (_ column: Int) -> SQLiteValue) -> SQLiteValue? {
    for columns in table.rules.uniqueKeys {
      let values = columns.map(value)
      if values.contains(.null) { continue }
      let conditions = columns.map { "\(table.column($0)) = ?" }.joined(separator: " AND ")
      let key = reading(else: SQLiteValue?.none) { () throws(StoreError) in
        try front.instance.statements.prepare(
          "SELECT \(table.key) FROM \(quoted(table.name)) WHERE \(conditions)"
        ).first(values) { $0.value(0) }
      }
      if let key { return key }
    }
    return nil
  }

  /// Assigns several columns of a row in one statement: a rule about several properties may forbid that only
  /// some of them have their new values.
  func assign(_ assignments: [(column: Int, value: SQLiteValue)], to row: _ManagedRow) {
    let table = row.table
    let changes = assignments.filter { row.value($0.column) != $0.value }
    guard changes.count > 1, !table.rules.uniqueKeys.isEmpty else {
      for (column, value) in changes { row.set(column, value) }
      return
    }
    changing(row.id, columns: changes.reduce(0) { $0 | columnBit($1.column) }) {
      let settings = changes.map { "\(table.column($0.column)) = ?" }.joined(separator: ", ")
      execute(
        "UPDATE \(quoted(table.name)) SET \(settings) WHERE \(table.key) = ?",
        changes.map(\.value) + [row.key], on: row.id)
    }
  }

  /// The error of the statement that has just failed, with the rules that deny a deletion if that was the
  /// cause. SQLite does not say which of them it was.
  func namingDenials(_ error: StoreError) -> StoreError {
    // Such a rule fails like a trigger, unlike a link to an object that is not there.
    guard connection.lastError == (StoreError.denial, "FOREIGN KEY constraint failed") else { return error }
    let links = schema.tables.flatMap { table in
      table.rules.deletions.keys.sorted().filter { table.rules.deletions[$0] == .deny }
        .map { "\(table.name).\(table.columns[$0].name)" }
    }
    guard !links.isEmpty else { return error }
    return StoreError(
      error.code,
      "An object cannot be deleted while another leads to it (\(links.joined(separator: " or "))); "
        + "delete that before.", report: error.report)
  }

  /// The error of a deletion that failed because objects lead to the row whose rule denies it; `nil` if there
  /// are none.
  func denial(of key: SQLiteValue, in table: Table, _ failure: StoreError) -> StoreError? {
    for other in schema.tables {
      for reference in other.references
      where reference.target == table.index && other.rules.deletions[reference.column] == .deny {
        let column = other.column(reference.column)
        let counting = "SELECT count(*) FROM \(quoted(other.name)) WHERE \(column) = ?"
        guard let count = try? Statement(connection, counting).first([key], read: { $0.integer(0) }),
          count > 0
        else { continue }
        return StoreError(
          failure.code,
          "The \(table.name) with the primary key \(key.textReading ?? "") cannot be deleted while "
            + (count == 1 ? "a \(other.name) leads" : "\(Int(count).grouped) objects of \(other.name) lead")
            + " to it (\(other.name).\(other.columns[reference.column].name)); delete those before.")
      }
    }
    return nil
  }
}
