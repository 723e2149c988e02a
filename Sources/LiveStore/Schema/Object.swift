/// A row of the file as a live object: its properties always show the version that its store shows.
///
/// Subclasses declare their stored properties with ``Persisted``, exactly one of them as primary key, and must be
/// constructible without arguments.
open class Object {
  @usableFromInline internal var _row: _ManagedRow?

  public required init() {}

  /// Indexes over several properties, or over single ones that are not declared as indexed, each a list of key paths to
  /// persisted values of the class, such as `[[\TaskItem.completed, \TaskItem.text]]`; a class may override it.
  ///
  /// They make filtering and sorting by those properties faster and every write a little slower. They may change without a
  /// higher schema version.
  open class var indexes: [[AnyKeyPath]] { [] }

  /// The store that the object belongs to, or `nil` while it belongs to none.
  public var store: Store? { _row?.store }

  /// Whether the object's row has been deleted. Its properties must not be read any more.
  public var isInvalidated: Bool { _row?.isDeleted ?? false }

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
    store.key(adding: self)
  }
}
