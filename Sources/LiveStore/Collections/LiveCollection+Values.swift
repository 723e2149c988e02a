extension LiveCollection {
  /// The values of some properties of all elements, in their order, at the version that the store shows.
  ///
  /// One statement of SQLite reads them, and no objects are made:
  ///
  /// ```swift
  /// for (name, age) in dogs.values(of: \.name, \.age) { print(name, age) }
  /// ```
  ///
  /// - Parameter properties: Persisted values of the elements, or of objects to which they link; no links and
  ///   no lists.
  /// - Returns: A tuple for each element. Empty if the file cannot be read; `Store.failure` is set then.
  /// - Complexity: O(n); O(n log n) if no index has the order, or the results are distinct.
  public func values<each Value: Persistable>(
    of properties: repeat KeyPath<Element, each Value>
  ) -> [(repeat each Value)] {
    let ranked = _elements("read by their values").ranked
    // Each object records which of its properties are read.
    if ranked.store.isTracked { return map { element in (repeat element[keyPath: each properties]) } }
    return ranked.values(of: repeat each properties)
  }
}

extension RankedCollection {
  fileprivate func values<Element: Object, each Value: Persistable>(
    of properties: repeat KeyPath<Element, each Value>
  ) -> [(repeat each Value)] {
    let reader = ValueReader()
    for property in repeat each properties {
      reader.columns.append(column(of: query.value(property, "read by")))
    }
    reader.values = values(of: reader.columns.map(\.value))
    var rows: [(repeat each Value)] = []
    rows.reserveCapacity(reader.values.count / reader.columns.count)
    while !reader.isAtEnd { rows.append((repeat reader.next((each Value).self))) }
    return rows
  }

  private func column(of value: QueryValue) -> ValueReader.Column {
    let table = store.schema.tables[value.table]
    guard case .objects(let schema) = table.role, case .value = schema.columns[value.column].kind else {
      fatalError("values(of:) reads persisted values, not links; use the objects of \(table.name).")
    }
    return ValueReader.Column(
      value: value, row: _ManagedRow(frozenIn: store, table: table, key: .null, values: nil))
  }

  /// The values of each element one after the other.
  private func values(of columns: [QueryValue]) -> [SQLiteValue] {
    store.exclusively {
      store.requireOpen()
      noteRead()
      return store.reading(else: []) { () throws(StoreError) in
        let statement = try query.elements(columns, on: store.reader.statements)
        defer { statement.reset() }
        return try statement.withLock { () throws(StoreError) in
          var values: [SQLiteValue] = []
          while try statement.step() {
            // A list that leads to no row, because another program has removed it.
            if statement.isNull(0) { store.note(store.missingRow(of: query.elements)) }
            for position in columns.indices { values.append(statement.value(1 + position)) }
          }
          return values
        }
      }
    }
  }
}

/// A reader of values as the properties of a class, as objects would show them.
private final class ValueReader {
  struct Column {
    let value: QueryValue
    /// Any row of the class.
    let row: _ManagedRow
  }

  var columns: [Column] = []
  /// The values of all columns of the first element, of the second, and so on.
  var values: [SQLiteValue] = []
  /// The indices of the next value, and of its column.
  private var (index, column) = (0, 0)

  var isAtEnd: Bool { index == values.count }

  /// The next value as one of a type. The type and not the key path is the parameter: Swift would look up
  /// the type of the key path for every value.
  func next<Value: Persistable>(_ type: Value.Type) -> Value {
    let (row, number) = (columns[column].row, columns[column].value.column)
    row.adopt(values[index], at: number)
    index += 1
    column = column + 1 == columns.count ? 0 : column + 1
    return Value._read(row, number)
  }
}
