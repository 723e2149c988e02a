import CSQLite
import LibC

/// A prepared statement. See <https://sqlite.org/c3ref/stmt.html>.
package final class Statement {
  private let handle: OpaquePointer
  private let database: OpaquePointer
  /// The reason why a value was not bound, for which SQLite has bound NULL, until the statement is next run.
  private var bindFailure: StoreError?
  /// Whether a long value is bound, of which SQLite keeps a copy as long as it is.
  private var hasLongValue = false
  private static let longValue = 65_536
  /// The short texts that are bound, for each of which SQLite would otherwise allocate memory. The next ones
  /// overwrite them, so that only those of all parameters together are kept here.
  private var texts: UnsafeMutablePointer<UInt8>?
  /// The number of bytes that are left for the texts of the values that are being bound.
  private var textRoom = 0
  private static let textCapacity = 1024

  package init(_ connection: Connection, _ sql: String) throws(StoreError) {
    var prepared: OpaquePointer?
    let result = sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard result == SQLITE_OK else {
      throw StoreError(sqlite: result, handle: connection.handle, while: sql)
    }
    guard let prepared else {
      throw StoreError(.misuse, "The SQL that was to be run has no statement; write one.", report: sql)
    }
    handle = prepared
    database = connection.handle
    parameterCount = Int(sqlite3_bind_parameter_count(prepared))
  }

  deinit {
    sqlite3_finalize(handle)
    texts?.deallocate()
  }

  /// Binds the parameter at a 1-based position.
  package func bind(_ value: SQLiteValue, at position: Int) {
    textRoom = parameterCount == 1 ? Self.textCapacity : 0
    set(value, at: position)
  }

  /// Binds the parameters from the first on.
  package func bind(_ values: some Collection<SQLiteValue>) {
    textRoom = values.count == parameterCount ? Self.textCapacity : 0
    var position = 1
    for value in values {
      set(value, at: position)
      position += 1
    }
  }

  private func set(_ value: SQLiteValue, at position: Int) {
    let result = result(binding: value, at: Int32(position))
    if result != SQLITE_OK { noteBindFailure(result, value) }
  }

  private func result(binding value: SQLiteValue, at position: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, position)
    case .integer(let integer): return sqlite3_bind_int64(handle, position, integer)
    case .real(let real): return sqlite3_bind_double(handle, position, real)
    case .text(var text):
      return text.withUTF8 { utf8 in
        // The base address is nil for an empty string, which SQLite would take for NULL.
        let copy = kept(utf8)
        if utf8.count > Self.longValue { hasLongValue = true }
        let start = UnsafeRawPointer(copy ?? utf8.baseAddress) ?? UnsafeRawPointer(Self.empty)
        return sqlite3_bind_text64(
          handle, position, start.assumingMemoryBound(to: CChar.self), UInt64(utf8.count),
          copy == nil ? Self.transient : nil, UInt8(SQLITE_UTF8))
      }
    case .malformedText(let bytes):
      if bytes.count > Self.longValue { hasLongValue = true }
      return bytes.withUnsafeBytes { buffer in
        sqlite3_bind_text64(
          handle, position, buffer.assumingMemoryBound(to: CChar.self).baseAddress, UInt64(buffer.count),
          Self.transient, UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      if bytes.count > Self.longValue { hasLongValue = true }
      return bytes.withUnsafeBytes { buffer in
        buffer.isEmpty
          ? sqlite3_bind_zeroblob(handle, position, 0)
          : sqlite3_bind_blob64(
            handle, position, buffer.baseAddress, UInt64(buffer.count), Self.transient)
      }
    }
  }

  /// A copy of a text that stays as long as it is bound; nil where there is no room for it, or it is empty.
  private func kept(_ utf8: UnsafeBufferPointer<UInt8>) -> UnsafePointer<UInt8>? {
    guard let start = utf8.baseAddress, utf8.count > 0, utf8.count <= textRoom else { return nil }
    let texts = texts ?? .allocate(capacity: Self.textCapacity)
    self.texts = texts
    let copy = texts + (Self.textCapacity - textRoom)
    copy.update(from: start, count: utf8.count)
    textRoom -= utf8.count
    return UnsafePointer(copy)
  }

  private func noteBindFailure(_ result: Int32, _ value: SQLiteValue) {
    bindFailure =
      result == SQLITE_TOOBIG
      ? StoreError(
        .invalidValue,
        "A value of \(value.withBytes { $0.count }.grouped) bytes is too long to be kept, "
          + "\(Int(lengthLimit).grouped) being the most; keep it in a file of its own.")
      : StoreError(sqlite: result, handle: database, while: "A value cannot be written")
  }

  /// The greatest length of a value, or of a row, in bytes.
  private var lengthLimit: Int32 { sqlite3_limit(database, SQLITE_LIMIT_LENGTH, -1) }

  /// Throws if a value was not bound: it would be written as NULL.
  private func requireBound() throws(StoreError) {
    guard let error = bindFailure else { return }
    bindFailure = nil
    throw error
  }

  /// Advances to the next row; returns `false` at the end.
  package func step() throws(StoreError) -> Bool {
    try requireBound()
    let result = sqlite3_step(handle)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(handle)
      return false
    default: throw failure(result)
    }
  }

  /// Ends the statement, which has failed, and returns the reason.
  private func failure(_ result: Int32) -> StoreError {
    let error = StoreError(sqlite: result, handle: database, while: sql)
    sqlite3_reset(handle)
    if isQuery, result == SQLITE_ERROR || result == SQLITE_TOOBIG, isUnderstood {
      return StoreError(ofQuery: error, in: StoreError.name(nil, database))
    }
    guard result == SQLITE_TOOBIG else { return error }
    return StoreError(
      .invalidValue,
      "A row is too long to be kept, \(Int(lengthLimit).grouped) bytes being the most; "
        + "keep long values in files of their own.")
  }

  /// Whether it reads rows, and does nothing else.
  private var isQuery: Bool { sqlite3_stmt_readonly(handle) != 0 && columnCount > 0 }

  /// Whether the file still has the tables and columns that it names: what then fails is the value of a row.
  private var isUnderstood: Bool {
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    return sqlite3_prepare_v3(database, sqlite3_sql(handle), -1, 0, &prepared, nil) == SQLITE_OK
  }

  /// Runs a statement that returns no rows; returns the extended result code, for callers that depend on it.
  func result() -> Int32 {
    let result = sqlite3_step(handle)
    sqlite3_reset(handle)
    return result == SQLITE_DONE ? SQLITE_OK : result
  }

  /// Runs the statement to its end. Afterwards its parameters have to be bound again.
  package func run() throws(StoreError) {
    defer { forgetLongValues() }
    while try step() {}
  }

  /// Releases the memory of the bound values if one of them is long: a statement may be kept for ever.
  private func forgetLongValues() {
    guard hasLongValue else { return }
    hasLongValue = false
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  package func run(_ values: SQLiteValue...) throws(StoreError) {
    bind(values)
    try run()
  }

  package func reset() {
    sqlite3_reset(handle)
  }

  /// The first row for some values of the parameters, as a closure reads it; `nil` if there is none.
  package func first<R>(
    _ values: [SQLiteValue] = [], read: (Statement) -> R
  ) throws(StoreError) -> R? {
    bind(values)
    defer {
      reset()
      forgetLongValues()
    }
    return try step() ? read(self) : nil
  }

  /// All rows for some values of the parameters, as a closure reads them.
  package func all<R>(_ values: [SQLiteValue] = [], read: (Statement) -> R) throws(StoreError) -> [R] {
    bind(values)
    defer { forgetLongValues() }
    var rows: [R] = []
    while try step() { rows.append(read(self)) }
    return rows
  }

  /// Whether there is a row for some values of the parameters.
  package func hasRow(_ values: [SQLiteValue] = []) throws(StoreError) -> Bool {
    try first(values) { _ in true } ?? false
  }

  /// Runs a closure that uses the statement many times, and locks the connection once instead of each time.
  /// Other users of the connection wait meanwhile.
  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let mutex = sqlite3_db_mutex(database)
    sqlite3_mutex_enter(mutex)
    defer { sqlite3_mutex_leave(mutex) }
    return try body()
  }

  /// Releases the memory of the pages that the connection has read, which costs little if they are read once.
  func releaseMemory() {
    sqlite3_db_release_memory(database)
  }

  /// The number of times that SQLite has prepared it, including the first.
  var preparations: Int32 { 1 + sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) }

  /// The value of a column of the present row, at a 0-based position.
  package func value(_ column: Int) -> SQLiteValue {
    let column = Int32(column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      return withUTF8(Int(column)) { SQLiteValue(utf8: $0) }
    case SQLITE_BLOB:
      return withBytes(Int(column)) { .blob([UInt8]($0)) }
    default: return .null
    }
  }

  package func values(_ columns: Range<Int>) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    values.reserveCapacity(columns.count)
    for column in columns { values.append(value(column)) }
    return values
  }

  /// Whether it is all of some SQL, but for spaces and semicolons.
  func isWhole(_ sql: String) -> Bool {
    let length = sqlite3_sql(handle).map { strlen($0) } ?? 0
    return sql.utf8.dropFirst(length).allSatisfy { " \t\r\n;".utf8.contains($0) }
  }

  var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  /// The number of its parameters.
  let parameterCount: Int

  /// The name of a column of its rows, at a 0-based position.
  func name(of column: Int32) -> String {
    sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
  }

  /// The table and column that a column of its rows is taken from; `nil` for an expression.
  func origin(of column: Int) -> (table: String, column: String)? {
    guard let table = sqlite3_column_table_name(handle, Int32(column)),
      let name = sqlite3_column_origin_name(handle, Int32(column))
    else { return nil }
    return (String(cString: table), String(cString: name))
  }

  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  package func integer(_ column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(column))
  }

  /// The integer in a column of the present row; `nil` if the value is no integer.
  ///
  /// Locks the connection once, while ``type(_:)`` and ``integer(_:)`` do so twice: reading many integers
  /// takes hardly longer than that.
  func integerIfAny(_ column: Int) -> Int64? {
    let value = sqlite3_column_value(handle, Int32(column))
    return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
  }

  func type(_ column: Int) -> Int32 {
    sqlite3_column_type(handle, Int32(column))
  }

  package func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

  /// The text in a column of the present row; empty if it has another type.
  package func text(_ column: Int) -> String {
    if case .text(let text) = value(column) { text } else { "" }
  }

  func real(_ column: Int) -> Double {
    sqlite3_column_double(handle, Int32(column))
  }

  /// The bytes of a text column; valid inside the closure.
  func withUTF8<R>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let start = sqlite3_column_text(handle, Int32(column))
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// The bytes of a blob column; valid inside the closure.
  func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let start = sqlite3_column_blob(handle, Int32(column))
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  // SQLITE_TRANSIENT: SQLite copies the bound value before the call returns.
  private static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  nonisolated(unsafe) private static let empty: UnsafeMutablePointer<CChar> = {
    // Written once here, only read afterwards.
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.pointee = 0
    return byte
  }()
}

extension SQLiteValue {
  /// A copy of a value that SQLite owns, such as one from the preupdate hook.
  init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let count = Int(sqlite3_value_bytes(value))
      let start = sqlite3_value_text(value)
      self = SQLiteValue(utf8: UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    case SQLITE_BLOB:
      let count = Int(sqlite3_value_bytes(value))
      let start = sqlite3_value_blob(value)
      self = .blob([UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    default: self = .null
    }
  }
}

/// Quotes a name for use in SQL.
package func quoted(_ name: String) -> String { quoted(name, UInt8(ascii: "\"")) }

/// Quotes a text for use in SQL.
package func literal(_ text: String) -> String { quoted(text, UInt8(ascii: "'")) }

/// Byte by byte, as SQLite reads it: a quotation mark with a combining accent is another character in Swift.
private func quoted(_ text: String, _ mark: UInt8) -> String {
  let end = String(UnicodeScalar(mark))
  guard text.utf8.contains(mark) else { return end + text + end }
  return end + String(decoding: text.utf8.flatMap { $0 == mark ? [mark, mark] : [$0] }, as: UTF8.self) + end
}
