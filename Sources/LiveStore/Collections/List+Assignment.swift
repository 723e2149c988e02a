extension List {
  /// Replaces the elements by those with the given primary keys, and writes only the differences.
  ///
  /// An element that stays keeps its entry, so that observers are not notified of it.
  ///
  /// - Complexity: O(n) for lists that are equal, O(n d) for d differences.
  func assign(_ keys: [SQLiteValue]) {
    let present = map { $0._row?.key ?? .null }
    var start = 0
    while start < Swift.min(keys.count, present.count), keys[start] == present[start] { start += 1 }
    var tail = 0
    while tail < Swift.min(keys.count, present.count) - start,
      keys[keys.count - 1 - tail] == present[present.count - 1 - tail]
    { tail += 1 }
    let old = present[start..<present.count - tail]
    let new = keys[start..<keys.count - tail]
    let (ranked, owner) = requireManaged("assigned")
    if tail == 0, old.isEmpty {
      if !new.isEmpty { append(keys: Array(new), ranked, owner) }
      return
    }
    // Long lists are replaced completely: finding the common elements would take longer than writing.
    guard old.count * new.count <= 1_000_000 else {
      for index in old.indices.reversed() { remove(at: index) }
      for (index, key) in zip(new.indices, new) { insert(key: key, at: index, ranked, owner) }
      return
    }
    for change in Array(new).difference(from: Array(old)) {
      switch change {
      case .remove(let offset, _, _): remove(at: start + offset)
      case .insert(let offset, let key, _): insert(key: key, at: start + offset, ranked, owner)
      }
    }
  }
}
