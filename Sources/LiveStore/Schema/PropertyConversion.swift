import FoundationEssentials

/// The column value of a property for an untyped value, such as a part of a JSON document.
///
/// A value of another type is converted if it has exactly one meaning: an integer for a Double, a Double
/// without a fraction for an Int, the raw value for an enum, and text for a UUID, a Date and Data (in base
/// 64).
///
/// - Returns: `nil` when the property cannot have the value.
func column<Value: PersistableValue>(converting value: Any, to type: Value.Type) -> SQLiteValue? {
  if let value = value as? Value {
    let column = value.sqliteValue
    return column == .null ? nil : column
  }
  if let type = type as? any PersistableEnum.Type { return rawColumn(converting: value, to: type) }
  switch value {
  case let number as any BinaryInteger:
    if type is Double.Type { return Double(exactly: number).map { .real($0) } }
    return type is Int.Type ? Int(exactly: number).map { .integer(Int64($0)) } : nil
  case let number as Double:
    return type is Int.Type ? Int(exactly: number).map { .integer(Int64($0)) } : nil
  case let text as String:
    if type is Data.Type { return Data(base64Encoded: text)?.sqliteValue }
    guard type is UUID.Type || type is Date.Type else { return nil }
    return Value(sqliteValue: .text(text))?.sqliteValue
  default:
    return nil
  }
}

private func rawColumn<Value: PersistableEnum>(converting value: Any, to type: Value.Type) -> SQLiteValue? {
  guard let column = column(converting: value, to: Value.RawValue.self),
    let rawValue = Value.RawValue(sqliteValue: column)
  else { return nil }
  return Value(rawValue: rawValue)?.sqliteValue
}

/// Whether an untyped value stands for nil: an optional that is `nil`, or the null of a JSON document.
func isNil(_ value: Any) -> Bool {
  if let optional = value as? any OptionalStorable { return optional.isNone }
  // Compared by name: the class belongs to Foundation, of which this library needs only FoundationEssentials.
  return String(describing: Swift.type(of: value)) == "NSNull"
}

/// An optional whose wrapped type is unknown.
protocol OptionalStorable {
  /// The type of the value, if a column can store it.
  static var valueType: (any PersistableValue.Type)? { get }
  var isNone: Bool { get }
}

extension Optional: OptionalStorable {
  static var valueType: (any PersistableValue.Type)? { Wrapped.self as? any PersistableValue.Type }
  var isNone: Bool { self == nil }
}
