import FoundationEssentials

/// The column value of a property for an untyped value, such as a part of a JSON document.
///
/// A value of another type is converted if it has exactly one meaning: an integer for a Double, a Double
/// without a fraction for an Int, the raw value for an enum, the stored value for a ``CustomPersistable``,
/// and text for a UUID, a Date, a URL, a Decimal, a ``PersistableJSON``, a collection of values (its JSON)
/// and Data (in base 64). A Double is rounded for a Float, and has its shortest digits as a Decimal. The
/// elements of a collection are converted likewise.
///
/// - Returns: `nil` when the property cannot have the value.
func column<Value: PersistableValue>(converting value: Any, to type: Value.Type) -> SQLiteValue? {
  if let value = value as? Value {
    let column = value.sqliteValue
    return column == .null ? nil : column
  }
  if let type = type as? any PersistableEnum.Type { return rawColumn(converting: value, to: type) }
  if let type = type as? any CustomPersistable.Type { return storedColumn(converting: value, to: type) }
  if let type = type as? any ValueCollection.Type, !(value is String) {
    let column = type.column(convertingElementsOf: value)
    return column == .null ? nil : column
  }
  switch value {
  // As a migration reads it from the file.
  case let number as Int where type is Bool.Type && (0...1).contains(number):
    return .integer(Int64(number))
  case let number as any BinaryInteger where type is Decimal.Type:
    return Decimal(sqliteValue: .text("\(number)"))?.sqliteValue
  case let number as any BinaryInteger:
    if let type = type as? any (BinaryFloatingPoint & PersistableValue).Type {
      return column(number, as: type)
    }
    return (type as? any (FixedWidthInteger & PersistableValue).Type).flatMap { column(number, as: $0) }
  case let number as Double:
    if type is Decimal.Type { return Decimal(sqliteValue: .text("\(number)"))?.sqliteValue }
    if type is Float.Type { return number.isNaN ? nil : Float(number).sqliteValue }
    return (type as? any (FixedWidthInteger & PersistableValue).Type).flatMap { column(number, as: $0) }
  case let text as String:
    if type is Data.Type { return Data(base64Encoded: text)?.sqliteValue }
    guard
      type is UUID.Type || type is Date.Type || type is URL.Type || type is Decimal.Type
        || type is any PersistableJSON.Type || type is any ValueCollection.Type
    else { return nil }
    return Value(sqliteValue: .text(text))?.sqliteValue
  default:
    return nil
  }
}

/// A whole number as a number with a fraction, if that has the same value.
private func column<Value: BinaryFloatingPoint & PersistableValue>(
  _ number: some BinaryInteger, as type: Value.Type
) -> SQLiteValue? {
  Value(exactly: number)?.sqliteValue
}

/// A number as a whole one of some size, if that has the same value.
private func column<Value: FixedWidthInteger & PersistableValue>(
  _ number: some BinaryInteger, as type: Value.Type
) -> SQLiteValue? {
  Value(exactly: number)?.sqliteValue
}

private func column<Value: FixedWidthInteger & PersistableValue>(
  _ number: Double, as type: Value.Type
) -> SQLiteValue? {
  Value(exactly: number)?.sqliteValue
}

private func storedColumn<Value: CustomPersistable>(converting value: Any, to type: Value.Type)
  -> SQLiteValue?
{
  guard let column = column(converting: value, to: Value.PersistedValue.self),
    let stored = Value.PersistedValue(sqliteValue: column)
  else { return nil }
  return Value(persistedValue: stored)?.sqliteValue
}

private func rawColumn<Value: PersistableEnum>(converting value: Any, to type: Value.Type) -> SQLiteValue? {
  guard let column = column(converting: value, to: Value.RawValue.self),
    let rawValue = Value.RawValue(sqliteValue: column)
  else { return nil }
  return Value(rawValue: rawValue)?.sqliteValue
}

/// Whether an untyped value stands for nil: an optional that is `nil`, or the null of a JSON document.
func isNil(_ value: Any) -> Bool {
  if let optional = value as? any AnyOptional { return optional.wrappedValue == nil }
  // Compared by name: the class belongs to Foundation, of which this library needs only FoundationEssentials.
  return String(describing: Swift.type(of: value)) == "NSNull"
}

/// An optional whose wrapped type is unknown.
protocol AnyOptional {
  static var wrappedType: Any.Type { get }
  var wrappedValue: Any? { get }
}

extension Optional: AnyOptional {
  static var wrappedType: Any.Type { Wrapped.self }
  var wrappedValue: Any? { self }
}
