// Int64.max is SQLite's greatest integer, so UInt and UInt64 do not conform: half of their values have no
// stored form that keeps their order.

/// Stored as 0 or 1. Any other number is read like a condition in SQL: true unless it is zero.
extension Bool: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }

  @inlinable
  public init?(sqliteValue: SQLiteValue) {
    if case .integer(let value) = sqliteValue {
      self = value != 0
    } else {
      guard let value = sqliteValue.realReading else { return nil }
      self = value != 0
    }
  }
}

extension SQLiteValueConvertible where Self: FixedWidthInteger {
  /// The number as SQLite's integer. Only types that fit into Int64 conform.
  public var sqliteValue: SQLiteValue { .integer(Int64(self)) }

  /// Converts an integer; `nil` for NULL and for one that the type cannot represent.
  @inlinable
  public init?(sqliteValue: SQLiteValue) {
    if case .integer(let value) = sqliteValue {
      self.init(exactly: value)
    } else {
      guard let value = sqliteValue.integerReading else { return nil }
      self.init(exactly: value)
    }
  }
}

extension Int: SQLiteValueConvertible {}
extension Int8: SQLiteValueConvertible {}
extension Int16: SQLiteValueConvertible {}
extension Int32: SQLiteValueConvertible {}
extension Int64: SQLiteValueConvertible {}
extension UInt8: SQLiteValueConvertible {}
extension UInt16: SQLiteValueConvertible {}
extension UInt32: SQLiteValueConvertible {}

/// SQLite has no NaN, which is stored as NULL, and one zero: -0.0 is stored as 0.0.
extension Double: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { isNaN ? .null : .real(isZero ? 0 : self) }

  @inlinable
  public init?(sqliteValue: SQLiteValue) {
    if case .real(let value) = sqliteValue {
      self = value
    } else {
      guard let value = sqliteValue.realReading else { return nil }
      self = value
    }
  }
}

/// Stored as the double of the same value; NaN as NULL, and -0.0 as 0.0.
extension Float: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { Double(self).sqliteValue }

  public init?(sqliteValue: SQLiteValue) {
    guard let value = sqliteValue.realReading else { return nil }
    self.init(value)
  }
}
