/// The objects of a class with a changed observed value, their own or one that they lead to.
struct ModifiedObjects {
  /// The changes of an object's own row that count.
  enum Own {
    case any
    case columns(Set<Int>)
  }

  private let changed: TableChanges
  private let own: Own
  /// The objects that lead to a change. They may have changed themselves.
  let leading: Set<SQLiteValue>

  init(_ changed: TableChanges, own: Own, leading: Set<SQLiteValue>) {
    self.changed = changed
    self.own = own
    self.leading = leading
  }

  /// Exactly the objects with some primary keys.
  init(_ keys: Set<SQLiteValue> = []) {
    self.init(TableChanges(), own: .columns([]), leading: keys)
  }

  /// Whether there are none. May be false in vain.
  var isEmpty: Bool {
    if case .columns(let columns) = own, columns.isEmpty { return leading.isEmpty }
    return changed.isEmpty && leading.isEmpty
  }

  var countLimit: Int { changed.count + leading.count }

  /// - Complexity: O(log k) for k changed rows.
  func contains(_ key: SQLiteValue) -> Bool {
    (!leading.isEmpty && leading.contains(key)) || (changed[key].map(counts) ?? false)
  }

  /// Whether an object whose row changed is among them.
  func contains(_ key: SQLiteValue, _ change: VersionDifference.Change) -> Bool {
    counts(change) || leading.contains(key)
  }

  private func counts(_ change: VersionDifference.Change) -> Bool {
    switch own {
    case .any: change.isModification
    case .columns(let columns): !columns.isEmpty && change.modifies(columns)
    }
  }
}

extension VersionDifference.Change {
  /// Whether a property reads another value; true for an inserted or deleted row.
  var isModification: Bool {
    guard !decimals.isEmpty, let old else { return true }
    return modifies(Set(old.image.indices))
  }

  /// Whether a property in one of the given columns reads another value; true for an inserted or deleted row.
  func modifies(_ columns: Set<Int>) -> Bool {
    guard let old, let new else { return true }
    return columns.contains { column in
      guard old.differs(from: new, in: column) else { return false }
      guard decimals.contains(column) else { return true }
      let number = DecimalKey.key(of: old[column])
      return number == .null || number != DecimalKey.key(of: new[column])
    }
  }

  /// Whether the file has something else in one of the given columns; true for an inserted or deleted row.
  func differs(in columns: Set<Int>) -> Bool {
    guard let old, let new else { return true }
    return columns.contains { old.differs(from: new, in: $0) }
  }
}
