import CSQLite

/// Finds the rows of a table with ascending primary keys.
///
/// Where the keys are neighbours in the table it walks from one to the next, which costs a fifth of a search;
/// where they are far from each other it searches. It finds out by itself which.
struct RowCursor: ~Copyable {
  /// Stands on the row that was found.
  let row: Statement
  private let keyColumn: Int
  /// The storage class of the key that was searched for last; `nil` before the first search.
  ///
  /// SQLite converts a key to the type of its column before it compares, and nothing is greater than NULL, so
  /// that the place where a search ended says nothing about keys of another class.
  private var searchedClass: UInt64?
  private var isAtEnd = false
  /// How many rows are passed over before a search is tried.
  private var reach = 1

  private static let furthestReach = 16

  /// - Parameter row: Selects all columns of the rows from a key on, in the order of keys.
  init(_ row: Statement, keyColumn: Int) {
    self.row = row
    self.keyColumn = keyColumn
  }

  deinit {
    row.reset()
  }

  /// Goes to the row with a key, which must be greater than the last one.
  ///
  /// - Returns: Whether there is one.
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

  /// How the present row's key compares with another.
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
