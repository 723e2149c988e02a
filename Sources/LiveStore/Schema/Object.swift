/// A row of the file as a live object: its properties always show the version that its store shows.
///
/// Subclasses declare their stored properties with ``Persisted``, exactly one of them as primary key, and must be
/// constructible without arguments.
open class Object {
  @usableFromInline internal var _row: _ManagedRow?

  public required init() {}

  /// The store that the object belongs to, or `nil` while it belongs to none.
  public var store: Store? { _row?.store }

  /// Whether the object's row has been deleted. Its properties must not be read any more.
  public var isInvalidated: Bool { _row?.isDeleted ?? false }

  /// Whether two objects show the same row of the same store.
  public func isSameObject(as other: Object) -> Bool {
    if let row = _row, let otherRow = other._row { return row === otherRow }
    return self === other
  }

  @usableFromInline
  internal func _requireRow() -> _ManagedRow {
    guard let row = _row else { fatalError("A managed property of an object that shows no row.") }
    return row
  }
}

extension Object: OptionalPersistable {
  public class var _optionalKind: PropertyKind { .link(self) }

  public class func _optionalRead(_ row: _ManagedRow, _ property: Int) -> Self? {
    let key = row.value(property)
    if let standIn = row.traced(self) { return unsafeDowncast(standIn, to: self) }
    guard key != .null, let object = row.store.object(self, key: key) else { return nil }
    return unsafeDowncast(object, to: self)
  }

  public func _optionalColumn(addingTo store: Store) -> SQLiteValue {
    if _row == nil { store.add(self) }
    // An object that could not be added has made the transaction one that cannot be committed.
    return _row?.key ?? .null
  }
}
