import FoundationEssentials

/// How SQLite stores a column.
public enum ColumnType: String, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}

/// What a persisted property holds.
public enum PropertyKind: Sendable {
  /// A value in a column of the object's own table.
  case value(ColumnType, isOptional: Bool)
  /// The primary key of another object, or NULL.
  case link(Object.Type)
  /// An ordered list of objects, in a table of its own.
  case list(Object.Type)
  /// The objects of a class that a property of theirs leads here from; nothing is stored.
  case linkingObjects(Object.Type)
}

/// A type that a ``Persisted`` property may have: Bool, Int, Double, String, Date, Data, UUID, an enum that is
/// ``PersistableEnum``, an optional of these, an optional ``Object``, or a ``List``.
public protocol Persistable {
  static var _kind: PropertyKind { get }
  /// What a property without a default starts with.
  static var _default: Self { get }
  static func _read(_ row: _ManagedRow, _ property: Int) -> Self
  static func _write(_ value: Self, _ row: _ManagedRow, _ property: Int)
  /// The value of the column for an object that is about to be added; adds the object a link points to.
  static func _column(_ value: Self, addingTo store: Store) -> SQLiteValue
  /// Connects the value to the row that now holds it.
  static func _attach(_ value: Self, _ row: _ManagedRow, _ property: Int)
}

extension Persistable {
  public static func _attach(_ value: Self, _ row: _ManagedRow, _ property: Int) {}
}

/// A type that may stand in an optional persisted property.
public protocol OptionalPersistable {
  static var _optionalKind: PropertyKind { get }
  static func _optionalRead(_ row: _ManagedRow, _ property: Int) -> Self?
  func _optionalColumn(addingTo store: Store) -> SQLiteValue
}

/// A type stored as one SQLite value.
public protocol PersistableValue: Persistable, OptionalPersistable, SQLiteValueConvertible {
  static var _columnType: ColumnType { get }
  /// SQL for the default of rows that other programs insert, where the Swift default is not a constant.
  static var _defaultExpression: String? { get }
}

extension PersistableValue {
  public static var _defaultExpression: String? { nil }
  public static var _kind: PropertyKind { .value(_columnType, isOptional: false) }
  public static var _optionalKind: PropertyKind { .value(_columnType, isOptional: true) }

  @inlinable
  public static func _read(_ row: _ManagedRow, _ property: Int) -> Self {
    // A foreign program may have left a value that has no meaning here; the default stands in for it.
    Self(sqliteValue: row.value(property)) ?? _default
  }

  public static func _write(_ value: Self, _ row: _ManagedRow, _ property: Int) {
    row.set(property, value.sqliteValue)
  }

  public static func _column(_ value: Self, addingTo store: Store) -> SQLiteValue {
    value.sqliteValue
  }

  @inlinable
  public static func _optionalRead(_ row: _ManagedRow, _ property: Int) -> Self? {
    let value = row.value(property)
    if case .null = value { return nil }
    return Self(sqliteValue: value)
  }

  public func _optionalColumn(addingTo store: Store) -> SQLiteValue {
    sqliteValue
  }
}

extension Optional: Persistable where Wrapped: OptionalPersistable {
  public static var _kind: PropertyKind { Wrapped._optionalKind }
  public static var _default: Self { nil }

  @inlinable
  public static func _read(_ row: _ManagedRow, _ property: Int) -> Self {
    Wrapped._optionalRead(row, property)
  }

  public static func _write(_ value: Self, _ row: _ManagedRow, _ property: Int) {
    row.set(property, value?._optionalColumn(addingTo: row.store) ?? .null)
  }

  public static func _column(_ value: Self, addingTo store: Store) -> SQLiteValue {
    value?._optionalColumn(addingTo: store) ?? .null
  }
}

/// A type that may be a primary key.
public protocol PrimaryKey: PersistableValue {}

extension Int: PrimaryKey {
  public static var _columnType: ColumnType { .integer }
  public static var _default: Int { 0 }
}

extension String: PrimaryKey {
  public static var _columnType: ColumnType { .text }
  public static var _default: String { "" }
}

extension UUID: PrimaryKey {
  public static var _columnType: ColumnType { .text }
  public static var _default: UUID { UUID() }
  /// A random UUID of version 4.
  public static var _defaultExpression: String? {
    "hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || "
      + "substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))"
  }
}

extension Bool: PersistableValue {
  public static var _columnType: ColumnType { .integer }
  public static var _default: Bool { false }
}

extension Double: PersistableValue {
  public static var _columnType: ColumnType { .real }
  public static var _default: Double { 0 }
}

extension Date: PersistableValue {
  public static var _columnType: ColumnType { .text }
  public static var _default: Date { Date() }
  public static var _defaultExpression: String? { "strftime('%Y-%m-%d %H:%M:%f', 'now')" }
}

extension Data: PersistableValue {
  public static var _columnType: ColumnType { .blob }
  public static var _default: Data { Data() }
}

/// An enum with raw values that a persisted property may have; it is stored as its raw value.
///
/// The property needs a default, or the enum a case order: without a default it starts with the first case.
public protocol PersistableEnum: PersistableValue, RawRepresentable, CaseIterable
where RawValue: PersistableValue {}

extension PersistableEnum {
  public static var _columnType: ColumnType { RawValue._columnType }

  public static var _default: Self {
    guard let first = allCases.first else {
      fatalError("\(Self.self) has no case that a property could hold.")
    }
    return first
  }
}
