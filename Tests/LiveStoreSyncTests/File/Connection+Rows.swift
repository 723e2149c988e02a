import LiveStore

extension Connection {
  /// All rows that a query finds.
  func rows(_ sql: String) throws(StoreError) -> [[SQLiteValue]] {
    try Statement(self, sql).all { $0.values(0..<$0.columnCount) }
  }
}
