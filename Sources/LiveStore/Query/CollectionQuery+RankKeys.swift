/// The keys by which members are ordered and identified.
extension CollectionQuery {
  struct MemberPlace {
    /// The values that must be distinct; `nil` if the collection is not distinct.
    var group: RankKey?
    var rank: RankKey
  }

  /// Appends the rank key of the present row of ``members(on:limit:)`` to a writer.
  func write(_ row: Statement, to key: inout RankKeyWriter) {
    var column = distinct.count
    for sort in sort {
      key.append(row, column, descending: !sort.isAscending)
      column += 1
    }
    if list == nil {
      key.append(row, column, isKey: true)
    } else {
      key.append(row, column)
      key.append(row, column + 1, isKey: true)
      key.append(row, column + 2)
    }
  }

  /// Appends the values of the present row of ``members(on:limit:)`` that must be distinct to a writer.
  func writeGroup(_ row: Statement, to key: inout RankKeyWriter) {
    for column in distinct.indices { key.append(row, column) }
  }

  /// The place of a row of the class in the version of `rows`.
  func place(element: some ColumnValues, _ rows: RowVersion) throws(StoreError) -> MemberPlace {
    var writer = RankKeyWriter()
    try write(sortValuesOf: element, rows, to: &writer)
    element.append(elements.primaryKey, to: &writer, descending: false, isKey: true)
    return MemberPlace(group: try group(of: element, rows), rank: writer.key)
  }

  /// The place of an element of the list in the version of `rows`; `nil` if the object does not exist.
  func place(entry: RowImage, _ rows: RowVersion) throws(StoreError) -> MemberPlace? {
    var writer = RankKeyWriter()
    var group: RankKey?
    if !sort.isEmpty || !distinct.isEmpty {
      guard let element = try rows.row(elements.index, entry[Table.EntryColumn.target]) else { return nil }
      try write(sortValuesOf: element, rows, to: &writer)
      group = try self.group(of: element, rows)
    }
    writer.append(entry[Table.EntryColumn.position])
    writer.append(entry[Table.EntryColumn.target], isKey: true)
    writer.append(entry[Table.EntryColumn.entry])
    return MemberPlace(group: group, rank: writer.key)
  }

  private func write(
    sortValuesOf element: some ColumnValues, _ rows: RowVersion, to writer: inout RankKeyWriter
  ) throws(StoreError) {
    for sort in sort {
      try sort.value.append(of: element, rows, to: &writer, descending: !sort.isAscending)
    }
  }

  private func group(of element: some ColumnValues, _ rows: RowVersion) throws(StoreError) -> RankKey? {
    if distinct.isEmpty { return nil }
    var writer = RankKeyWriter()
    for value in distinct { try value.append(of: element, rows, to: &writer) }
    return writer.key
  }

  func element(of key: RankKey) -> SQLiteValue {
    key.withUnsafeBytes { element(of: $0) }
  }

  /// The primary key of the element that a rank key identifies.
  func element(of key: UnsafeRawBufferPointer) -> SQLiteValue {
    var reader = RankKeyReader(key)
    reader.skip(componentsBeforeElement)
    return reader.read() ?? .null
  }

  /// The number of components of a rank key before the primary key of the element.
  var componentsBeforeElement: Int { sort.count + (list == nil ? 0 : 1) }

  /// The value of the first sort key in a rank key.
  func firstSortValue(of key: UnsafeRawBufferPointer) -> SQLiteValue {
    var reader = RankKeyReader(key)
    return reader.read() ?? .null
  }

  /// The length in bytes of the first sort key's value in a rank key.
  func lengthOfFirstSortValue(in key: UnsafeRawBufferPointer) -> Int {
    var reader = RankKeyReader(key)
    reader.skip()
    return reader.offset
  }

  /// The position and the entry in the rank key of a list.
  func entry(of key: UnsafeRawBufferPointer) -> (position: String, entry: SQLiteValue) {
    var reader = RankKeyReader(key)
    reader.skip(sort.count)
    guard case .text(let position)? = reader.read() else { return ("", .null) }
    reader.skip()
    return (position, reader.read() ?? .null)
  }

  /// The identity that a member keeps through all changes: the primary key of the row, or of the entry in the
  /// list.
  func identity(of key: UnsafeRawBufferPointer) -> SQLiteValue {
    list == nil ? element(of: key) : entry(of: key).entry
  }
}
