import CSQLite

/// Functions of this library, for the queries of this connection only. SQLite does not let triggers and
/// indexes use them, because the writes of programs without them would fail.
extension Connection {
  /// The name of the function that folds a text (first argument) by the raw value of ``StringOptions``
  /// (second).
  static let fold = "livestore_fold"

  func defineFunctions() {
    sqlite3_create_function_v2(
      handle, Connection.fold, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, arguments in
        guard let arguments, case .text(let text) = SQLiteValue(arguments[0]) else {
          sqlite3_result_value(context, arguments?[0])
          return
        }
        let options = StringOptions(rawValue: Int(sqlite3_value_int(arguments[1])))
        var folded = text.folded(options)
        folded.withUTF8 { utf8 in
          // Without an address, SQLite would take the empty text for NULL.
          let empty: StaticString = ""
          let start = UnsafeRawPointer(utf8.baseAddress ?? empty.utf8Start)
          // SQLITE_TRANSIENT: SQLite copies the text before the call returns.
          sqlite3_result_text64(
            context, start.assumingMemoryBound(to: CChar.self), UInt64(utf8.count),
            unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
        }
      }, nil, nil, nil)
  }
}
