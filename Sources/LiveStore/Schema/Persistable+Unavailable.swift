// Types that look storable, but are not. An unavailable conformance lets the compiler say what to do, instead
// of which requirement is not met.

/// Not available: a property holds one value, a link or a ``List``.
@available(
  *, unavailable, message: "An array cannot be stored; declare a class for its elements and a List of them."
)
extension Array: Persistable {
  /// Not available.
  public static var _kind: PropertyKind { fatalError() }
  /// Not available.
  public static var _default: Self { fatalError() }
  /// Not available.
  public static func _read(_ row: _ManagedRow, _ property: Int) -> Self { fatalError() }
  /// Not available.
  public static func _write(_ value: Self, _ row: _ManagedRow, _ property: Int) { fatalError() }
  /// Not available.
  public static func _column(_ value: Self, addingTo store: any _AddingStore) -> SQLiteValue { fatalError() }
}

/// Not available: a property holds one value, a link or a ``List``.
@available(
  *, unavailable,
  message: "A dictionary cannot be stored; declare a class with a key and a value, and a List of them."
)
extension Dictionary: Persistable {
  /// Not available.
  public static var _kind: PropertyKind { fatalError() }
  /// Not available.
  public static var _default: Self { fatalError() }
  /// Not available.
  public static func _read(_ row: _ManagedRow, _ property: Int) -> Self { fatalError() }
  /// Not available.
  public static func _write(_ value: Self, _ row: _ManagedRow, _ property: Int) { fatalError() }
  /// Not available.
  public static func _column(_ value: Self, addingTo store: any _AddingStore) -> SQLiteValue { fatalError() }
}

/// Not available: a property holds one value, a link or a ``List``.
@available(
  *, unavailable, message: "A set cannot be stored; declare a class for its elements and a List of them."
)
extension Set: Persistable {
  /// Not available.
  public static var _kind: PropertyKind { fatalError() }
  /// Not available.
  public static var _default: Self { fatalError() }
  /// Not available.
  public static func _read(_ row: _ManagedRow, _ property: Int) -> Self { fatalError() }
  /// Not available.
  public static func _write(_ value: Self, _ row: _ManagedRow, _ property: Int) { fatalError() }
  /// Not available.
  public static func _column(_ value: Self, addingTo store: any _AddingStore) -> SQLiteValue { fatalError() }
}

/// Not available: the object that a link leads to may be deleted, so a link is optional.
@available(*, unavailable, message: "A link to an object must be optional; declare it with a question mark.")
extension Object: Persistable {
  /// Not available.
  public class var _kind: PropertyKind { fatalError() }
  /// Not available.
  public class var _default: Self { fatalError() }
  /// Not available.
  public class func _read(_ row: _ManagedRow, _ property: Int) -> Self { fatalError() }
  /// Not available.
  public class func _write(_ value: Object, _ row: _ManagedRow, _ property: Int) { fatalError() }
  /// Not available.
  public class func _column(_ value: Object, addingTo store: any _AddingStore) -> SQLiteValue { fatalError() }
}
