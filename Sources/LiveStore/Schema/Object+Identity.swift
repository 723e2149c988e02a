extension Object {
  /// Whether two objects show the same row of the same store.
  ///
  /// Objects that belong to no store are the same only if they are one instance.
  public func isSameObject(as other: Object) -> Bool {
    if let row = _row, let otherRow = other._row { return row === otherRow }
    return self === other
  }
}

/// Two objects are equal when they show the same row of the same store, regardless of their values; see
/// ``isSameObject(as:)``.
///
/// The hash value depends on the row, and so changes once, when an object is added to a store. Do not add an
/// object while it is in a set or the key of a dictionary.
extension Object: Hashable {
  /// Whether two objects show the same row of the same store, or are one instance.
  public static func == (left: Object, right: Object) -> Bool {
    left.isSameObject(as: right)
  }

  /// Hashes class and primary key or, for an object that belongs to no store, the identity of the instance.
  public func hash(into hasher: inout Hasher) {
    if let row = _row {
      hasher.combine(row.table.index)
      hasher.combine(row.key)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }
}
