/// Rows that were written to since a version and whose former values are no longer known.
enum TouchedRows {
  /// Any row may have been written to.
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

  /// The objects of a class that may count as modified for a filter.
  ///
  /// - Complexity: O(k log n) for k rows.
  func elements(
    of table: Table, _ filter: PropertyFilter, _ objects: ChangedObjects
  ) throws(StoreError) -> TouchedElements {
    if filter.isEmpty { return .some(ModifiedObjects()) }
    guard case .some(let rows) = self else { return .all }
    if rows.isEmpty { return .some(ModifiedObjects()) }
    if case .properties(let tree) = filter {
      // The former ends of the path are not known.
      guard tree.branches.isEmpty else { return .all }
      return .some(ModifiedObjects(Set(rows.lazy.filter { $0.table == table.index }.map(\.key))))
    }
    return try objects.elements(of: table, leadingTo: rows)
  }
}

/// Elements that may show other values than before.
enum TouchedElements {
  case all
  case some(ModifiedObjects)

  /// Whether there are none. May be false in vain.
  var isEmpty: Bool {
    if case .some(let elements) = self { elements.isEmpty } else { false }
  }

  /// An upper bound of their number, if it is known.
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
