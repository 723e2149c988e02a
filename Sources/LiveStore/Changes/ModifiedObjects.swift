/// The objects of a class of which a watched value changed, their own or one that they lead to.
struct ModifiedObjects {
  /// Which changes of an object's own row count.
  enum Own {
    case any
    case columns(Set<Int>)
  }

  /// The rows of the class that changed.
  private let changed: TableChanges
  private let own: Own
  /// Those that lead to a change. They may have changed themselves.
  let leading: Set<SQLiteValue>

  init(_ changed: TableChanges, own: Own, leading: Set<SQLiteValue>) {
    self.changed = changed
    self.own = own
    self.leading = leading
  }

  /// The objects with some primary keys, and no others.
  init(_ keys: Set<SQLiteValue> = []) {
    self.init(TableChanges(), own: .columns([]), leading: keys)
  }

  /// Whether there are none. It may say no in vain.
  var isEmpty: Bool {
    if case .columns(let columns) = own, columns.isEmpty { return leading.isEmpty }
    return changed.isEmpty && leading.isEmpty
  }

  /// How many there are at most.
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
    case .any: true
    case .columns(let columns): !columns.isEmpty && change.differs(in: columns)
    }
  }
}

extension VersionDifference.Change {
  /// Whether a column among those given has another value; a row that came or went has.
  func differs(in columns: Set<Int>) -> Bool {
    guard let old, let new else { return true }
    return columns.contains { old.differs(from: new, in: $0) }
  }
}
