extension List {
  /// Makes the elements those with the given primary keys, writing only where they differ.
  ///
  /// An element that stays keeps its entry, so that nobody hears of it.
  ///
  /// - Complexity: O(n) for lists that are equal, O(n d) for d differences.
  func assign(_ keys: [SQLiteValue], of store: Store) {
    let present = map { $0._row?.key ?? .null }
    var start = 0
    while start < Swift.min(keys.count, present.count), keys[start] == present[start] { start += 1 }
    var tail = 0
    while tail < Swift.min(keys.count, present.count) - start,
      keys[keys.count - 1 - tail] == present[present.count - 1 - tail]
    { tail += 1 }
    let old = present[start..<present.count - tail]
    let new = keys[start..<keys.count - tail]
    func element(_ key: SQLiteValue) -> Element {
      unsafeDowncast(store.object(Element.self, existing: key), to: Element.self)
    }
    if tail == 0, old.isEmpty {
      append(contentsOf: new.map(element))
      return
    }
    // What differs throughout is replaced: looking for what stays would take longer than writing it.
    guard old.count * new.count <= 1_000_000 else {
      for index in old.indices.reversed() { remove(at: index) }
      for (index, key) in zip(new.indices, new) { insert(element(key), at: index) }
      return
    }
    for change in Array(new).difference(from: Array(old)) {
      switch change {
      case .remove(let offset, _, _): remove(at: start + offset)
      case .insert(let offset, let key, _): insert(element(key), at: start + offset)
      }
    }
  }
}
