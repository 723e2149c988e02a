import CSQLite

/// Functions of this library, for the queries of this connection only. SQLite does not let triggers and
/// indexes use them, because the writes of programs without them would fail.
///
/// SQLite has functions for JSON, too. They raise errors where a text is none, end a text at U+0000, and may
/// be left out of SQLite.
extension Connection {
  /// The name of the function that folds a text (first argument) by the raw value of ``StringOptions``
  /// (second).
  static let fold = "livestore_fold"
  /// The name of the function that counts the elements of a collection of values in JSON. A text that is none
  /// counts as empty.
  static let elementCount = "livestore_count"
  /// The name of the function that looks in an array in JSON (first argument) for a value (second) by the raw
  /// value of ``_JSONForm`` (third).
  static let containsElement = "livestore_contains"
  /// The name of the function that returns the value in an object in JSON (first argument) for a key (second)
  /// by the raw value of ``_JSONForm`` (third).
  static let valueForKey = "livestore_value"
  /// The name of the function that returns the ``DecimalKey`` of a value.
  static let decimalKey = "livestore_decimal"

  func defineFunctions() {
    define(Connection.fold, 2) { context, _, arguments in
      guard let arguments, case .text(let text) = SQLiteValue(arguments[0]) else {
        sqlite3_result_value(context, arguments?[0])
        return
      }
      let options = StringOptions(rawValue: Int(sqlite3_value_int(arguments[1])))
      setResult(text.folded(options), of: context)
    }
    define(Connection.elementCount, 1) { context, _, arguments in
      guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL else { return }
      sqlite3_result_int64(context, countOfElements(SQLiteValue(arguments[0])))
    }
    define(Connection.containsElement, 3) { context, _, arguments in
      guard let arguments, let form = _JSONForm(rawValue: sqlite3_value_int(arguments[2])) else { return }
      let (collection, element) = (SQLiteValue(arguments[0]), SQLiteValue(arguments[1]))
      guard collection != .null, element != .null else { return }
      sqlite3_result_int(context, hasElement(collection, element, form) ? 1 : 0)
    }
    define(Connection.valueForKey, 3) { context, _, arguments in
      guard let arguments, let form = _JSONForm(rawValue: sqlite3_value_int(arguments[2])),
        case .text(let key) = SQLiteValue(arguments[1])
      else { return }
      setResult(value(SQLiteValue(arguments[0]), key, form) ?? .null, of: context)
    }
    define(Connection.decimalKey, 1) { context, _, arguments in
      guard let arguments else { return }
      setResult(DecimalKey.key(of: SQLiteValue(arguments[0])), of: context)
    }
  }

  private func define(
    _ name: String, _ argumentCount: Int32,
    _ function:
      @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) {
    sqlite3_create_function_v2(
      handle, name, argumentCount, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil, function, nil,
      nil, nil)
  }
}

/// SQLITE_TRANSIENT: SQLite copies the bytes of a result before the call returns.
private var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// An address for no bytes. Without one, SQLite would take an empty result for NULL.
private var emptyBytes: UnsafeRawPointer {
  let empty: StaticString = ""
  return UnsafeRawPointer(empty.utf8Start)
}

private func setResult(_ value: SQLiteValue, of context: OpaquePointer?) {
  switch value {
  case .integer(let number): sqlite3_result_int64(context, number)
  case .real(let number): sqlite3_result_double(context, number)
  case .text(let text): setResult(text, of: context)
  case .blob(let bytes):
    bytes.withUnsafeBytes {
      sqlite3_result_blob64(context, $0.baseAddress ?? emptyBytes, UInt64($0.count), transient)
    }
  case .null, .malformedText: sqlite3_result_null(context)
  }
}

private func setResult(_ text: String, of context: OpaquePointer?) {
  var text = text
  text.withUTF8 { utf8 in
    let start = utf8.baseAddress.map { UnsafeRawPointer($0) } ?? emptyBytes
    sqlite3_result_text64(
      context, start.assumingMemoryBound(to: CChar.self), UInt64(utf8.count), transient, UInt8(SQLITE_UTF8))
  }
}

private func countOfElements(_ collection: SQLiteValue) -> Int64 {
  var count: Int64 = 0
  let isArray = collection.withTextBytes { bytes in
    var scanner = JSONScanner(bytes)
    return scanner.elements { _, _ in
      count += 1
      return true
    }
  }
  if isArray { return count }
  count = 0
  let isObject = collection.withTextBytes { bytes in
    var scanner = JSONScanner(bytes)
    return scanner.members { _, _, _ in
      count += 1
      return true
    }
  }
  return isObject ? count : 0
}

private func hasElement(_ collection: SQLiteValue, _ element: SQLiteValue, _ form: _JSONForm) -> Bool {
  var isFound = false
  let isArray = collection.withTextBytes { bytes in
    var scanner = JSONScanner(bytes)
    return scanner.elements { value, text in
      isFound = isFound || form.value(value, text).map { $0.isSame(inSQL: element) } ?? false
      return true
    }
  }
  return isArray && isFound
}

private func value(_ collection: SQLiteValue, _ key: String, _ form: _JSONForm) -> SQLiteValue? {
  var found: SQLiteValue?
  let isObject = collection.withTextBytes { bytes in
    var scanner = JSONScanner(bytes)
    return scanner.members { name, value, text in
      // Swift's equality of keys, which finds canonically equivalent ones.
      if name == key { found = form.value(value, text) }
      return true
    }
  }
  return isObject ? found : nil
}

extension SQLiteValue {
  /// Whether `=` of SQL would take two values, neither of which is NULL, for the same.
  fileprivate func isSame(inSQL other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let whole), .real(let number)), (.real(let number), .integer(let whole)):
      Int64(exactly: number) == whole
    default: self == other
    }
  }
}
