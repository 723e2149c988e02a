@testable import LiveStore

extension Store {
  /// The rows that SQL of a test's own finds in this instance's version of the file.
  func rows(_ sql: String, _ parameters: SQLiteValue...) -> [[SQLiteValue]] {
    unfailing { () throws(StoreError) in
      try Statement(front.connection, sql).all(parameters) { $0.values(0..<$0.columnCount) }
    }
  }
}
