import FoundationEssentials

/// Exact, stored as its text: `12.5`, in one form for equal numbers. NaN is stored as NULL.
///
/// Collections are sorted, and predicates compare, by the number; also where another program has written it
/// in another form, such as `12.50`. No index helps there. SQLite cannot add such numbers, and the compiler
/// refuses their sum: add them up in Swift, with `values(of:)`, or store a whole number of the smallest unit.
extension Decimal: PersistableValue {
  public static var _isKept: Bool { true }
  public static var _isDecimal: Bool { true }
  public static var _columnType: ColumnType { .text }
  public static var _default: Decimal { 0 }

  /// The shortest text that reads back the same.
  public var sqliteValue: SQLiteValue {
    DecimalKey.canonicalText(of: description).map { .text($0) } ?? .null
  }

  /// Reads a number in digits; `nil` if it is none, or out of the range of the type.
  public init?(sqliteValue: SQLiteValue) {
    let text: String?
    switch sqliteValue {
    case .blob(let key): text = DecimalKey.text(of: key)
    case .text, .integer, .real: text = sqliteValue.textReading.flatMap(DecimalKey.canonicalText)
    case .null, .malformedText: text = nil
    }
    guard let text, let number = Decimal(string: text), !number.isNaN else { return nil }
    self = number
  }
}
