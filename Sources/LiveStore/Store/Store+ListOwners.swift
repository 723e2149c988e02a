extension Store {
  /// The primary keys of the objects of a class that have any element in one of their lists, at the version
  /// that the store shows; `nil` if they are more than a limit. An element may be missing, as another program
  /// may have deleted it.
  ///
  /// - Complexity: O(k log n) for k objects, however many elements they have.
  package func ownersOfElements(_ type: Object.Type, upTo limit: Int) -> [SQLiteValue]? {
    reading(else: []) { () throws(StoreError) in
      var owners: [SQLiteValue] = []
      for list in schema.lists[schema.table(of: type).index] {
        guard let more = try reader.owners(of: schema.tables[list], upTo: limit - owners.count) else {
          return nil
        }
        owners += more
      }
      return owners
    }
  }
}

extension List {
  /// The primary keys of the elements that are in the list of another object too, or in another list of this
  /// one; an element may be missing, as another program may have deleted it.
  ///
  /// - Complexity: O(k log n) for k elements; no objects are created, and the order is not read.
  package func keysInOtherLists() -> [SQLiteValue] {
    guard case .managed(let ranked, let owner) = storage, let entries = ranked.query.list?.entries,
      case .entries(_, let target) = entries.role
    else { return [] }
    let store = ranked.store
    let others = store.schema.tables.filter { table in
      if case .entries(_, target) = table.role { true } else { false }
    }
    let selections = others.map { other in
      // From the elements to the others, whatever SQLite knows of the numbers of both.
      "SELECT e.target FROM \(quoted(entries.name)) e CROSS JOIN \(quoted(other.name)) o "
        + "ON o.target = e.target WHERE e.owner = ?1"
        + (other === entries ? " AND o.owner IS NOT e.owner" : "")
    }
    return store.reading(else: []) { () throws(StoreError) in
      try store.reader.statements.prepare(selections.joined(separator: " UNION "))
        .all([owner.key]) { $0.value(0) }
    }
  }

  /// Whether the open transaction may have put something into this list, or may have touched an element of
  /// it, or its owner.
  ///
  /// - Complexity: O(k log n) for k rows that the transaction has touched; the order is not read.
  package var isTouched: Bool {
    guard case .managed(let ranked, let owner) = storage, let entries = ranked.query.list?.entries else {
      return false
    }
    let (store, elements) = (ranked.store, ranked.query.elements.index)
    // Of so many it would not be known sooner than what needs to know it would be done.
    guard store.recorder.isComplete, store.recorder.touched.count <= 10_000 else { return true }
    return store.reading(else: true) { () throws(StoreError) in
      let statements = store.reader.statements
      for row in store.recorder.touched.entries.lazy.map(\.row) {
        let column: String
        switch row.table {
        case owner.table.index where row.key == owner.key: return true
        case elements: column = "target"
        case entries.index: column = "entry"
        default: continue
        }
        let isElement = try statements.prepare(
          "SELECT 1 FROM \(quoted(entries.name)) WHERE \(column) = ? AND +owner = ? LIMIT 1"
        ).hasRow([row.key, owner.key])
        if isElement { return true }
      }
      return false
    }
  }
}
