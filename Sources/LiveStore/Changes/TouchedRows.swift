/// Rows that were written to since a version whose values nobody knows any more.
enum TouchedRows {
  /// Any row may have been.
  case all
  case some(Set<RowIdentity>)

  var isEmpty: Bool {
    if case .some(let rows) = self { rows.isEmpty } else { false }
  }

  /// Whether a row of a table may be among them.
  ///
  /// - Complexity: O(k) for k rows.
  func includes(_ table: Table) -> Bool {
    if case .some(let rows) = self { rows.contains { $0.table == table.index } } else { true }
  }

  /// The objects of a class that a filter may take for modified.
  ///
  /// - Complexity: O(k log n) for k rows.
  func elements(
    of table: Table, _ filter: PropertyFilter, _ objects: ChangedObjects
  ) throws(StoreError) -> TouchedElements {
    if filter.isEmpty { return .some(ModifiedObjects()) }
    guard case .some(let rows) = self else { return .all }
    if rows.isEmpty { return .some(ModifiedObjects()) }
    if case .properties(let tree) = filter {
      // Where a path led before is not known.
      guard tree.branches.isEmpty else { return .all }
      return .some(ModifiedObjects(Set(rows.lazy.filter { $0.table == table.index }.map(\.key))))
    }
    return try objects.elements(of: table, leadingTo: rows)
  }
}

/// Elements that may show something else than before.
enum TouchedElements {
  case all
  case some(ModifiedObjects)

  /// Whether there are none. It may say no in vain.
  var isEmpty: Bool {
    if case .some(let elements) = self { elements.isEmpty } else { false }
  }

  /// How many there are at most, if anybody knows.
  var countLimit: Int? {
    if case .some(let elements) = self { elements.countLimit } else { nil }
  }

  func contains(_ element: SQLiteValue) -> Bool {
    switch self {
    case .all: true
    case .some(let elements): elements.contains(element)
    }
  }
}
