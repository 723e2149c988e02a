import CSQLite
import TestSupport
import Testing

@testable import LiveStore

/// A database reached by SQLite's C functions alone, so that what a test expects does not stand on what it
/// tests. Any error is a failed test.
final class TestDatabase {
  private var handle: OpaquePointer?
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(path: String = ":memory:") {
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    sqlite3_busy_timeout(handle, Patience.milliseconds)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  @discardableResult
  func rows(_ sql: String, _ parameters: [SQLiteValue] = []) -> [[SQLiteValue]] {
    withStatement(sql) { statement in
      for (index, value) in parameters.enumerated() { Self.bind(value, at: Int32(index + 1), of: statement) }
      var rows: [[SQLiteValue]] = []
      while true {
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else {
          #expect(code == SQLITE_DONE, "\(String(cString: sqlite3_errmsg(self.handle))): \(sql)")
          return rows
        }
        rows.append((0..<sqlite3_column_count(statement)).map { Self.column($0, of: statement) })
      }
    }
  }

  /// The values that SQLite's column functions read from a text.
  func columnReadings(ofText text: String) -> (integer: Int64, real: Double) {
    func read<Value>(_ body: (OpaquePointer?) -> Value) -> Value {
      withStatement("select ?1") { statement in
        Self.bind(.text(text), at: 1, of: statement)
        #expect(sqlite3_step(statement) == SQLITE_ROW)
        return body(statement)
      }
    }
    return (read { sqlite3_column_int64($0, 0) }, read { sqlite3_column_double($0, 0) })
  }

  private func withStatement<Result>(_ sql: String, _ body: (OpaquePointer?) -> Result) -> Result {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    #expect(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    defer { sqlite3_finalize(statement) }
    return body(statement)
  }

  private static func bind(_ value: SQLiteValue, at index: Int32, of statement: OpaquePointer?) {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .real(let value): sqlite3_bind_double(statement, index, value)
    case .text(let text):
      sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), transient)
    case .malformedText(let bytes):
      bytes.withUnsafeBytes { text in
        _ = sqlite3_bind_text(
          statement, index, text.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count),
          transient)
      }
    case .blob(let bytes):
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(statement, index, 0)
      } else {
        sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), transient)
      }
    }
  }

  private static func column(_ index: Int32, of statement: OpaquePointer?) -> SQLiteValue {
    func bytes(_ pointer: UnsafeRawPointer?) -> [UInt8] {
      Array(UnsafeRawBufferPointer(start: pointer, count: Int(sqlite3_column_bytes(statement, index))))
    }
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      let pointer = sqlite3_column_text(statement, index)
      return .text(String(decoding: bytes(pointer), as: UTF8.self))
    case SQLITE_BLOB: return .blob(bytes(sqlite3_column_blob(statement, index)))
    default: return .null
    }
  }
}
