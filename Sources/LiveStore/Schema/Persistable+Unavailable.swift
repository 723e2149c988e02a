// A type that looks storable, but is not. An unavailable conformance lets the compiler say what to do,
// instead of which requirement is not met.

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
