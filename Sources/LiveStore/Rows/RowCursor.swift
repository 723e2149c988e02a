import CSQLite

/// A cursor that finds the rows of a table with ascending primary keys.
///
/// If the keys are neighbours in the table it steps from one to the next, which costs a fifth of a search; if
/// they are far apart it searches. It adapts to the distances that it finds.
struct RowCursor: ~Copyable {
  /// The statement, positioned on the row that was found.
  let row: Statement
  private let keyColumn: Int
  /// The storage class of the last key searched for; `nil` before the first search.
  ///
  /// SQLite converts a key to the type of its column before it compares, and nothing is greater than NULL.
  /// The position after a search therefore says nothing about keys of another class.
  private var searchedClass: UInt64?
  private var isAtEnd = false
  /// The number of rows to step over before the next search.
  private var reach = 1

  private static let furthestReach = 16

  /// - Parameter row: A statement that selects all columns of the rows from a key on, in the order of keys.
  init(_ row: Statement, keyColumn: Int) {
    self.row = row
    self.keyColumn = keyColumn
  }

  deinit {
    row.reset()
  }

  /// Advances to the row with a key, which must be greater than the last one; returns whether the row exists.
  mutating func find(_ key: OrderedKey) throws(StoreError) -> Bool {
    guard searchedClass == key.storageClass else {
      searchedClass = key.storageClass
      try search(key)
      return !isAtEnd && order(of: key) == 0
    }
    if isAtEnd { return false }
    var passed = 0
    var order = order(of: key)
    while order < 0 {
      guard passed < reach else {
        reach = max(1, reach / 2)
        try search(key)
        return !isAtEnd && self.order(of: key) == 0
      }
      guard try row.step() else {
        isAtEnd = true
        return false
      }
      passed += 1
      order = self.order(of: key)
    }
    if passed > 0 { reach = min(reach * 2, Self.furthestReach) }
    return order == 0
  }

  private mutating func search(_ key: OrderedKey) throws(StoreError) {
    row.reset()
    row.bind(key.value, at: 1)
    isAtEnd = try !row.step()
  }

  /// The sign of the comparison of the present row's key with another.
  private func order(of key: OrderedKey) -> Int {
    switch key.value {
    case .integer(let other) where row.type(keyColumn) == SQLITE_INTEGER:
      let own = row.integer(keyColumn)
      return own < other ? -1 : own > other ? 1 : 0
    case .text where row.type(keyColumn) == SQLITE_TEXT:
      return row.withUTF8(keyColumn) { own in
        key.value.withBytes { compareRankBytes(UnsafeRawBufferPointer(own), $0) }
      }
    default:
      return OrderedKey(row.value(keyColumn)).compare(key)
    }
  }
}
