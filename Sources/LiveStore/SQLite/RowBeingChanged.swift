import CSQLite
import LibC

/// A row that SQLite is about to change, as its hook describes it
/// (<https://sqlite.org/c3ref/preupdate_blobwrite.html>).
struct RowBeingChanged {
  let handle: OpaquePointer
  /// `SQLITE_INSERT`, `SQLITE_DELETE` or `SQLITE_UPDATE`.
  let operation: Int32
  /// The numbers of the row before and after; meaningless for a table without row numbers.
  let oldRow: Int64
  let newRow: Int64

  /// Whether the statement itself changes it, instead of an action of a foreign key.
  var isDirect: Bool { sqlite3_preupdate_depth(handle) == 0 }

  /// The value of a column before the change; columns are numbered as in the file.
  func old(_ position: Int32) throws(StoreError) -> SQLiteValue {
    SQLiteValue(try oldPointer(position))
  }

  /// The value of a column after the change.
  func new(_ position: Int32) throws(StoreError) -> SQLiteValue {
    SQLiteValue(try newPointer(position))
  }

  /// Whether a column gets another value.
  func isChanging(_ position: Int32) throws(StoreError) -> Bool {
    !isSame(try oldPointer(position), try newPointer(position))
  }

  // Both may have to read pages, which can fail on a full disk too: changed pages are written out to free
  // memory for them.

  private func oldPointer(_ position: Int32) throws(StoreError) -> OpaquePointer {
    var value: OpaquePointer?
    let result = sqlite3_preupdate_old(handle, position, &value)
    return try require(value, result)
  }

  private func newPointer(_ position: Int32) throws(StoreError) -> OpaquePointer {
    var value: OpaquePointer?
    let result = sqlite3_preupdate_new(handle, position, &value)
    return try require(value, result)
  }

  private func require(_ value: OpaquePointer?, _ result: Int32) throws(StoreError) -> OpaquePointer {
    guard result == SQLITE_OK, let value else {
      throw StoreError(sqlite: result, handle: handle, while: "reading a row before its change")
    }
    return value
  }

  private func isSame(_ a: OpaquePointer?, _ b: OpaquePointer?) -> Bool {
    let type = sqlite3_value_type(a)
    guard type == sqlite3_value_type(b) else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER: return sqlite3_value_int64(a) == sqlite3_value_int64(b)
    case SQLITE_FLOAT: return sqlite3_value_double(a) == sqlite3_value_double(b)
    default:
      let count = sqlite3_value_bytes(a)
      guard count == sqlite3_value_bytes(b) else { return false }
      guard count > 0, let a = sqlite3_value_blob(a), let b = sqlite3_value_blob(b) else { return true }
      return memcmp(a, b, Int(count)) == 0
    }
  }
}

/// Whether two names of tables are the same for SQLite.
func isSameName(_ a: UnsafePointer<CChar>?, _ b: UnsafePointer<CChar>) -> Bool {
  sqlite3_stricmp(a, b) == 0
}

/// Whether two names of tables or columns are the same for SQLite.
func isSameName(_ a: String, _ b: String) -> Bool {
  a.utf8.elementsEqual(b.utf8) { foldedLetter($0) == foldedLetter($1) }
}

/// A name of a table or a column as all that SQLite takes for the same: it ignores the case of ASCII letters.
func foldedName(_ name: String) -> String {
  String(decoding: name.utf8.map(foldedLetter), as: UTF8.self)
}

private func foldedLetter(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

extension Connection {
  /// A C function that SQLite calls with the context, the connection, the operation, the names of the
  /// database and the table, and the numbers of the row before and after.
  typealias PreupdateHook =
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int64,
      Int64
    ) -> Void

  /// Sets the function that is called before each row is changed through the connection; `nil` removes it.
  func setPreupdateHook(_ hook: PreupdateHook?, context: UnsafeMutableRawPointer?) {
    sqlite3_preupdate_hook(handle, hook, context)
  }
}
