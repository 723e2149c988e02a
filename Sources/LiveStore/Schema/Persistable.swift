import FoundationEssentials

/// The type of a column in SQLite.
public enum ColumnType: String, Sendable {
  /// Integers of 64 bits: Int, those of other sizes, Bool and enums of them.
  case integer = "INTEGER"
  /// Floating-point numbers of 64 bits: Double and Float. There is one zero, without a sign, and no NaN.
  case real = "REAL"
  /// Texts: String, UUID, Date, URL, Decimal, JSON and enums of them, and collections of values as JSON.
  case text = "TEXT"
  /// Bytes: Data.
  case blob = "BLOB"
}

/// The kind of a persisted property.
public enum PropertyKind: Sendable {
  /// A value in a column of the object's own table.
  case value(ColumnType, isOptional: Bool)
  /// The primary key of another object, or NULL.
  case link(Object.Type)
  /// An ordered list of objects, in its own table.
  case list(Object.Type)
  /// The objects of a class that lead here through a property; nothing is stored.
  case linkingObjects(Object.Type)
}

/// A store to which an object is being added, as needed by the types of the object's properties.
public protocol _AddingStore: AnyObject {
  /// The primary key of an object, which is added if it belongs to no store yet.
  func _key(adding object: Object) -> SQLiteValue
}

/// A type that a ``Persisted`` property may have: Bool, Int and integers of other sizes, Double, Float,
/// Decimal, String, Date, Data, UUID, URL, an enum that is ``PersistableEnum``, a type of a program's own
/// that is ``CustomPersistable`` or ``PersistableJSON``, an array or a set of these or a dictionary of them
/// by texts, an optional of all these, an optional ``Object``, or a ``List``.
public protocol Persistable {
  static var _kind: PropertyKind { get }
  /// The initial value of a property without a default.
  static var _default: Self { get }
  /// Whether a property keeps the value that it has read, so that it is converted once: true for values that
  /// take no memory worth mentioning and are the same for all who read them, unlike instances of classes.
  static var _isKept: Bool { get }
  /// Whether the values are decimal numbers in the file, whose texts do not sort as they do.
  static var _isDecimal: Bool { get }
  static func _read(_ row: _ManagedRow, _ property: Int) -> Self
  static func _write(_ value: Self, _ row: _ManagedRow, _ property: Int)
  /// The value as the property of an object in no store keeps it.
  static func _own(_ value: Self) -> Self
  /// The value of the column for an object that is about to be added; adds the target of a link.
  static func _column(_ value: Self, addingTo store: any _AddingStore) -> SQLiteValue
  /// Attaches the value to the row that now holds it.
  static func _attach(_ value: Self, _ row: _ManagedRow, _ property: Int)
  /// The targets of the value of an object that belongs to no store.
  static func _targets(_ value: Self) -> [Object]

  // The following work on the ``Persisted`` property at an address inside an object, which the caller keeps
  // alive. They are requirements, although all types do the same, so that each type has its own code: generic
  // code asks the runtime for the type every time.

  /// The value of the column when the object is added.
  static func _column(at address: UnsafeMutableRawPointer, addingTo store: any _AddingStore) -> SQLiteValue
  /// Makes the property show the row that its object was added as: its own value is released, or attached to
  /// the row.
  static func _manage(at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int)
  /// Makes the property show a row without reading its own value.
  static func _adopt(at address: UnsafeMutableRawPointer, _ property: Int)
}

extension Persistable {
  @inlinable public static var _isKept: Bool { false }
  public static var _isDecimal: Bool { false }

  @inlinable
  @inline(__always)
  public static func _own(_ value: Self) -> Self { value }
  public static func _attach(_ value: Self, _ row: _ManagedRow, _ property: Int) {}
  public static func _targets(_ value: Self) -> [Object] { [] }

  @inlinable
  public static func _column(
    at address: UnsafeMutableRawPointer, addingTo store: any _AddingStore
  ) -> SQLiteValue {
    let property = address.assumingMemoryBound(to: Persisted<Self>.self)
    return property.pointee.slot >= 0 ? .null : _column(property.pointee.ownValue(), addingTo: store)
  }

  @inlinable
  public static func _manage(at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int) {
    let storage = address.assumingMemoryBound(to: Persisted<Self>.self)
    guard storage.pointee.slot < 0 else { return }
    let value = storage.pointee.ownValue()
    storage.pointee.show(property)
    _attach(value, row, property)
  }

  @inlinable
  public static func _adopt(at address: UnsafeMutableRawPointer, _ property: Int) {
    address.assumingMemoryBound(to: Persisted<Self>.self).pointee.show(property)
  }
}

/// A type that may be optional in a persisted property.
public protocol OptionalPersistable {
  /// See ``Persistable/_isKept``.
  static var _isKept: Bool { get }
  /// See ``Persistable/_isDecimal``.
  static var _isDecimal: Bool { get }
  static var _optionalKind: PropertyKind { get }
  static func _optionalRead(_ row: _ManagedRow, _ property: Int) -> Self?
  func _optionalColumn(addingTo store: any _AddingStore) -> SQLiteValue
  /// The value of the column of an optional property when its object is added.
  static func _optionalColumn(at address: UnsafeMutableRawPointer, addingTo store: any _AddingStore)
    -> SQLiteValue
  /// Makes an optional property show a row; its own value is released.
  static func _optionalAdopt(at address: UnsafeMutableRawPointer, _ property: Int)
  /// The object, if it is one.
  var _optionalTarget: Object? { get }
}

extension OptionalPersistable {
  @inlinable public static var _isKept: Bool { false }
  public static var _isDecimal: Bool { false }

  public var _optionalTarget: Object? { nil }

  @inlinable
  public static func _optionalColumn(
    at address: UnsafeMutableRawPointer, addingTo store: any _AddingStore
  ) -> SQLiteValue {
    let property = address.assumingMemoryBound(to: Persisted<Self?>.self)
    guard property.pointee.slot < 0 else { return .null }
    return property.pointee.ownValue()?._optionalColumn(addingTo: store) ?? .null
  }

  @inlinable
  public static func _optionalAdopt(at address: UnsafeMutableRawPointer, _ property: Int) {
    address.assumingMemoryBound(to: Persisted<Self?>.self).pointee.show(property)
  }
}

/// A type stored as one SQLite value.
public protocol PersistableValue: Persistable, OptionalPersistable, SQLiteValueConvertible {
  static var _columnType: ColumnType { get }
  /// The form of a value in an array, a set or a dictionary.
  static var _jsonForm: _JSONForm { get }
  /// SQL for the default of rows that other programs insert, if the Swift default is not a constant.
  static var _defaultExpression: String? { get }
}

extension PersistableValue {
  @inlinable public static var _isKept: Bool { false }
  public static var _isDecimal: Bool { false }
  public static var _jsonForm: _JSONForm { _columnType == .blob ? .bytes : .plain }
  public static var _defaultExpression: String? { nil }
  public static var _kind: PropertyKind { .value(_columnType, isOptional: false) }
  public static var _optionalKind: PropertyKind { .value(_columnType, isOptional: true) }

  @inlinable
  public static func _read(_ row: _ManagedRow, _ property: Int) -> Self {
    // Another program may have written a value that the type cannot represent; the default substitutes for
    // it.
    Self(sqliteValue: row.value(property)) ?? row.defaultInPlace(of: property)
  }

  @inlinable
  public static func _write(_ value: Self, _ row: _ManagedRow, _ property: Int) {
    row.set(property, value.sqliteValue)
  }

  /// Does nothing: a plain value is not attached, so it need not be read.
  @inlinable
  public static func _manage(at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int) {
    let storage = address.assumingMemoryBound(to: Persisted<Self>.self)
    if storage.pointee.slot < 0 { storage.pointee.show(property) }
  }

  @inlinable
  public static func _column(_ value: Self, addingTo store: any _AddingStore) -> SQLiteValue {
    value.sqliteValue
  }

  @inlinable
  public static func _optionalRead(_ row: _ManagedRow, _ property: Int) -> Self? {
    let value = row.value(property)
    if case .null = value { return nil }
    return Self(sqliteValue: value)
  }

  public func _optionalColumn(addingTo store: any _AddingStore) -> SQLiteValue {
    sqliteValue
  }
}

extension Optional: Persistable where Wrapped: OptionalPersistable {
  public static var _kind: PropertyKind { Wrapped._optionalKind }
  public static var _default: Self { nil }
  @inlinable public static var _isKept: Bool { Wrapped._isKept }
  public static var _isDecimal: Bool { Wrapped._isDecimal }

  @inlinable
  public static func _read(_ row: _ManagedRow, _ property: Int) -> Self {
    Wrapped._optionalRead(row, property)
  }

  public static func _write(_ value: Self, _ row: _ManagedRow, _ property: Int) {
    row.set(property, value?._optionalColumn(addingTo: row.store) ?? .null)
  }

  public static func _column(_ value: Self, addingTo store: any _AddingStore) -> SQLiteValue {
    value?._optionalColumn(addingTo: store) ?? .null
  }

  public static func _targets(_ value: Self) -> [Object] {
    value?._optionalTarget.map { [$0] } ?? []
  }

  public static func _column(
    at address: UnsafeMutableRawPointer, addingTo store: any _AddingStore
  ) -> SQLiteValue {
    Wrapped._optionalColumn(at: address, addingTo: store)
  }

  public static func _manage(at address: UnsafeMutableRawPointer, _ row: _ManagedRow, _ property: Int) {
    Wrapped._optionalAdopt(at: address, property)
  }

  public static func _adopt(at address: UnsafeMutableRawPointer, _ property: Int) {
    Wrapped._optionalAdopt(at: address, property)
  }
}

/// A type that may be a primary key.
public protocol PrimaryKey: PersistableValue {}

extension PersistableValue where Self: FixedWidthInteger {
  @inlinable public static var _isKept: Bool { true }
  public static var _columnType: ColumnType { .integer }
  public static var _default: Self { 0 }
}

extension Int: PrimaryKey {}

extension String: PrimaryKey {
  @inlinable public static var _isKept: Bool { true }
  public static var _columnType: ColumnType { .text }
  public static var _default: String { "" }
}

extension UUID: PrimaryKey {
  @inlinable public static var _isKept: Bool { true }
  public static var _columnType: ColumnType { .text }
  public static var _default: UUID { UUID() }
  /// A random UUID of version 4.
  public static var _defaultExpression: String? {
    "hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || "
      + "substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))"
  }
}

extension Bool: PersistableValue {
  @inlinable public static var _isKept: Bool { true }
  public static var _jsonForm: _JSONForm { .truth }
  public static var _columnType: ColumnType { .integer }
  public static var _default: Bool { false }
}

extension Double: PersistableValue {
  @inlinable public static var _isKept: Bool { true }
  public static var _columnType: ColumnType { .real }
  public static var _default: Double { 0 }
}

extension Date: PersistableValue {
  @inlinable public static var _isKept: Bool { true }
  public static var _columnType: ColumnType { .text }
  public static var _default: Date { Date() }
  public static var _defaultExpression: String? { "strftime('%Y-%m-%d %H:%M:%f', 'now')" }
}

extension Data: PersistableValue {
  public static var _columnType: ColumnType { .blob }
  public static var _default: Data { Data() }
}

/// An enum with raw values that a persisted property may have; its raw value is stored.
///
/// A property without a default starts with the first case. Predicates compare with a value from outside,
/// such as `let work = Kind.work`: the macro `#Predicate` takes neither `.work` nor `Kind.work`. They compare
/// an enum that is `Comparable` by the order of Swift; `sorted(by:)` always orders by the raw values, so that
/// texts are in the order of their letters. Give an enum that is sorted integers as raw values.
public protocol PersistableEnum: PersistableValue, RawRepresentable, CaseIterable, Codable, Sendable
where RawValue: PersistableValue {}

extension PersistableEnum {
  @inlinable public static var _isKept: Bool { true }
  public static var _columnType: ColumnType { RawValue._columnType }
  public static var _jsonForm: _JSONForm { RawValue._jsonForm }

  public static var _default: Self {
    guard let first = allCases.first else {
      fatalError("\(Self.self) has no case that a property could hold.")
    }
    return first
  }
}
