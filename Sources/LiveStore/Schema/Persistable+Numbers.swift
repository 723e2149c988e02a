import FoundationEssentials

// Numbers of other sizes. A value that another program wrote, and that the type cannot have, reads as the
// default of the property. UInt and UInt64 are no types of properties: half of their values have no place in
// SQLite's order.

extension Int8: PersistableValue {}
extension Int16: PersistableValue {}
extension Int32: PersistableValue {}
extension Int64: PrimaryKey {}
extension UInt8: PersistableValue {}
extension UInt16: PersistableValue {}
extension UInt32: PersistableValue {}

extension Float: PersistableValue {
  @inlinable public static var _isKept: Bool { true }
  public static var _columnType: ColumnType { .real }
  public static var _default: Float { 0 }
}

/// Stored as its text. A property without a default starts with `about:blank`; most are optional.
extension URL: PersistableValue {
  public static var _columnType: ColumnType { .text }
  public static var _default: URL { URL(string: "about:blank") ?? URL(filePath: "/") }

  public var sqliteValue: SQLiteValue { .text(absoluteString) }

  public init?(sqliteValue: SQLiteValue) {
    guard case .text(let text) = sqliteValue else { return nil }
    self.init(string: text)
  }
}
