/// Nil is NULL.
extension Optional: SQLiteValueConvertible where Wrapped: SQLiteValueConvertible {
  public var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }

  /// Fails only for a value that is not NULL and that the wrapped type cannot represent.
  public init?(sqliteValue: SQLiteValue) {
    if case .null = sqliteValue {
      self = .none
    } else {
      guard let wrapped = Wrapped(sqliteValue: sqliteValue) else { return nil }
      self = .some(wrapped)
    }
  }
}

/// An enumeration with raw values conforms by declaring it. It is stored as its raw value.
extension RawRepresentable where Self: SQLiteValueConvertible, RawValue: SQLiteValueConvertible {
  @inlinable public var sqliteValue: SQLiteValue { rawValue.sqliteValue }

  @inlinable
  public init?(sqliteValue: SQLiteValue) {
    guard let rawValue = RawValue(sqliteValue: sqliteValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}
