/// Places in a list relative to an element. Finding them never reads the whole order.
extension List {
  /// Inserts elements after another, which must be in the list; if it occurs several times, after the first
  /// occurrence.
  ///
  /// - Complexity: O(log n) for each, whether the order has been read or not.
  public func insert(contentsOf elements: some Sequence<Element>, after element: Element) {
    let elements = Array(elements)
    guard store != nil else {
      let index = requirePlace(index(of: element))
      for (offset, new) in elements.enumerated() { insert(new, at: index + 1 + offset) }
      return
    }
    let (ranked, owner) = requireManaged("changed beside an element")
    insert(keys(of: elements, ranked), after: element, ranked, owner)
  }

  /// Inserts elements after another as ``insert(contentsOf:after:)`` does, or at the end, by their primary
  /// keys.
  ///
  /// - Complexity: O(log n) for each, whether the order has been read or not.
  package func insert(keys: [SQLiteValue], after element: Element?) {
    let (ranked, owner) = requireManaged("changed by primary keys")
    guard let element else { return append(keys: keys, ranked, owner) }
    insert(keys, after: element, ranked, owner)
  }

  private func insert(
    _ keys: [SQLiteValue], after element: Element, _ ranked: RankedCollection, _ owner: _ManagedRow
  ) {
    guard let place = place(toChangeBeside: element, ranked) else { return }
    let next = entry(beside: place, .behind, ranked).flatMap(Self.position)
    if let positions = ranked.store.room(for: keys.count, between: Self.position(place), and: next) {
      insert(keys, positions, ranked, owner)
    } else if let index = index(of: element), let tree = ranked.readableTree {
      // Others have to move, whose places the whole order tells.
      arrange(keys.map { .new($0) }, at: index + 1..<index + 1, of: tree, ranked, owner)
    }
  }

  /// The element after another, or `nil` if that is the last one, or not in the list.
  ///
  /// - Complexity: O(log n), whether the order has been read or not; O(n) for the list of an object in no
  ///   store.
  public func element(after element: Element) -> Element? {
    guard store != nil else {
      return index(of: element).flatMap { $0 + 1 < count ? self[$0 + 1] : nil }
    }
    return neighbour(of: element, .behind)
  }

  /// The element before another, or `nil` if that is the first one, or not in the list.
  ///
  /// - Complexity: O(log n), whether the order has been read or not; O(n) for the list of an object in no
  ///   store.
  public func element(before element: Element) -> Element? {
    guard store != nil else { return index(of: element).flatMap { $0 > 0 ? self[$0 - 1] : nil } }
    return neighbour(of: element, .before)
  }

  /// Whether an element occurs several times in the list of an object in a store.
  ///
  /// - Complexity: O(log n), whether the order has been read or not.
  package func isRepeated(_ element: Element) -> Bool {
    let (ranked, _) = requireManaged("asked for the places of an element")
    let store = ranked.store
    guard let row = element._row, row.store === store, let list = ranked.query.list else { return false }
    return store.exclusively {
      store.reading(else: false) { () throws(StoreError) in
        try store.reader.statements.prepare(
          "SELECT 1 FROM \(quoted(list.entries.name)) WHERE target = ? AND +owner = ? LIMIT 1 OFFSET 1"
        ).hasRow([row.key, list.owner])
      }
    }
  }

  /// Removes an element from the list, or its first occurrence; the object itself is not deleted, unless the
  /// list embeds it.
  ///
  /// - Returns: Whether the element was in the list.
  /// - Complexity: O(log n), whether the order has been read or not; O(n) for the list of an object in no
  ///   store.
  @discardableResult
  public func remove(_ element: Element) -> Bool {
    guard store != nil else {
      guard let index = index(of: element) else { return false }
      remove(at: index)
      return true
    }
    let (ranked, _) = requireManaged("changed beside an element")
    ranked.store.requireWrite()
    guard let place = place(of: element, ranked) else { return false }
    if let table = ranked.query.list?.entries {
      ranked.store.deleteRow(place[Table.EntryColumn.entry], from: table, before: place)
    }
    return true
  }

  /// Moves an element, which must be in the list, to the end; if it occurs several times, the first
  /// occurrence.
  ///
  /// - Complexity: O(log n), whether the order has been read or not, and one row is written; none if it is
  ///   the last one already. O(n) for the list of an object in no store.
  public func moveToEnd(_ element: Element) {
    guard store != nil else { return move(from: requirePlace(index(of: element)), to: count - 1) }
    let (ranked, _) = requireManaged("changed beside an element")
    guard let place = place(toChangeBeside: element, ranked) else { return }
    guard entry(beside: place, .behind, ranked) != nil else { return }
    setPosition(
      ranked.store.positions(1, between: lastPosition(ranked), and: nil)[0],
      ofEntry: place[Table.EntryColumn.entry], ranked)
  }

  /// Moves an element behind another, or to the beginning; both must be in the list. The first occurrences
  /// count.
  ///
  /// - Parameters:
  ///   - element: The element to move.
  ///   - other: The element before it after the move; nil for none.
  /// - Complexity: O(log n), whether the order has been read or not; O(n) for the list of an object in no
  ///   store.
  public func move(_ element: Element, after other: Element?) {
    guard store != nil else {
      let from = requirePlace(index(of: element))
      let target = other.map { requirePlace(index(of: $0)) + 1 } ?? 0
      return move(from: from, to: from < target ? target - 1 : target)
    }
    let (ranked, _) = requireManaged("changed beside an element")
    guard let place = place(toChangeBeside: element, ranked) else { return }
    var lower: String?
    var next = firstPosition(ranked)
    if let other {
      guard let above = self.place(toChangeBeside: other, ranked) else { return }
      let below = entry(beside: above, .behind, ranked)
      let entries = [above, below].map { $0?[Table.EntryColumn.entry] }
      if entries.contains(place[Table.EntryColumn.entry]) { return }
      (lower, next) = (Self.position(above), below.flatMap(Self.position))
    } else if next == Self.position(place), entry(beside: place, .before, ranked) == nil {
      return
    }
    guard ranked.store.writeFailure == nil else { return }
    guard let position = ranked.store.room(for: 1, between: lower, and: next)?.first else {
      // Others have to move, whose places the whole order tells.
      guard let from = index(of: element) else { return }
      let target = other.flatMap(index(of:)).map { $0 + 1 } ?? 0
      return move(from: from, to: from < target ? target - 1 : target)
    }
    setPosition(position, ofEntry: place[Table.EntryColumn.entry], ranked)
  }

  private func neighbour(of element: Element, _ side: Side) -> Element? {
    let (ranked, _) = requireManaged("asked for a neighbour")
    ranked.noteRead()
    guard let place = place(of: element, ranked), let entry = self.entry(beside: place, side, ranked) else {
      return nil
    }
    let key = entry[Table.EntryColumn.target]
    return ranked.store.object(Element.self, listed: key)
  }

  private func requirePlace<Found>(_ place: Found?) -> Found {
    guard let place else {
      preconditionFailure("The element is not in the list; name one that is.")
    }
    return place
  }

  /// The first entry of an element, which must be in the list; `nil` if the open transaction has failed.
  private func place(toChangeBeside element: Element, _ ranked: RankedCollection) -> RowImage? {
    ranked.store.requireWrite()
    let place = place(of: element, ranked)
    if place == nil { failIfDamaged(ranked) }
    if place == nil, ranked.store.writeFailure != nil || ranked.store.failsByTriggers() { return nil }
    return ranked.store.writeFailure == nil ? requirePlace(place) : nil
  }

  /// Makes the open transaction fail if the entries and their indexes do not agree: an element that one of
  /// them has may be missing in another.
  ///
  /// - Complexity: O(n) for n entries of all lists of this kind.
  private func failIfDamaged(_ ranked: RankedCollection) {
    guard let list = ranked.query.list, ranked.store.writeFailure == nil else { return }
    let store = ranked.store
    let check = "PRAGMA integrity_check(\(quoted(list.entries.name)))"
    do throws(StoreError) {
      guard try store.connection.firstValue(check) != .text("ok") else { return }
      store.failWrite(
        StoreError(
          .damaged,
          "“\(store.path)” is damaged; go back to a copy of it, or save what can still be read."))
    } catch {
      store.failWrite(error)
    }
  }

  private static func position(_ entry: RowImage) -> String? {
    if case .text(let position) = entry[Table.EntryColumn.position] { position } else { nil }
  }

  /// The first entry of an element.
  private func place(of element: Element, _ ranked: RankedCollection) -> RowImage? {
    guard let row = element._row, row.store === ranked.store, let list = ranked.query.list else { return nil }
    let store = ranked.store
    return store.exclusively {
      store.reading(else: nil) { () throws(StoreError) in
        // Nearly always there is one. To put it in order would cost more than to find it.
        var entries: [RowImage] = []
        try store.reader.forEachEntry(of: row.key, in: list) { entries.append($0) }
        if entries.count < 2 { return entries.first }
        return try store.reader.statements.prepare(
          "\(list.entries.selectEntries) ORDER BY position, entry LIMIT 1"
        ).first([row.key, list.owner]) { $0.values(0..<list.entries.columns.count) }
      }
    }
  }

  private enum Side {
    case before, behind
  }

  /// The entry next to another.
  private func entry(beside place: RowImage, _ side: Side, _ ranked: RankedCollection) -> RowImage? {
    guard let list = ranked.query.list else { return nil }
    let store = ranked.store
    return store.exclusively {
      store.reading(else: nil) { () throws(StoreError) in
        let select = try store.reader.statements.prepare(
          side == .behind
            ? """
            SELECT \(list.entries.columnList) FROM \(quoted(list.entries.name))
            WHERE owner = ? AND (position, target, entry) > (?, ?, ?) ORDER BY position, target, entry LIMIT 1
            """
            : """
            SELECT \(list.entries.columnList) FROM \(quoted(list.entries.name))
            WHERE owner = ? AND (position, target, entry) < (?, ?, ?)
            ORDER BY position DESC, target DESC, entry DESC LIMIT 1
            """)
        let columns = [Table.EntryColumn.position, Table.EntryColumn.target, Table.EntryColumn.entry]
        return try select.first([list.owner] + columns.map { place[$0] }) {
          $0.values(0..<list.entries.columns.count)
        }
      }
    }
  }
}
