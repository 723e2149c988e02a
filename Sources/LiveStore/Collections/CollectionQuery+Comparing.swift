/// The difference between two orders, found by comparing the orders themselves.
extension CollectionQuery {
  /// The changes of the members between two orders, if their rows can no longer be compared, or are too many
  /// to look up one by one: a member of both is modified if it may have been.
  ///
  /// - Parameter reportsReplaced: Whether an entry of a list that leads to another object is a modification;
  ///   otherwise it is a deletion and an insertion.
  /// - Complexity: O(n).
  func memberChanges(
    from old: CollectionTree, to new: CollectionTree, touched: TouchedElements, reportsReplaced: Bool = true
  ) -> [MemberChange] {
    var members: [MemberChange] = []
    var gone: [MemberIdentity: RankKey] = [:]
    var come: [(member: MemberIdentity, key: RankKey)] = []
    forEachDifference(from: old, to: new, touched) { difference, key in
      switch difference {
      case .gone: gone[member(of: key, reportsReplaced: reportsReplaced)] = RankKey(copying: key)
      case .come: come.append((member(of: key, reportsReplaced: reportsReplaced), RankKey(copying: key)))
      case .touched:
        let key = RankKey(copying: key)
        members.append(MemberChange(oldKey: key, newKey: key, isModified: true))
      }
    }
    for (member, key) in come {
      let oldKey = gone.removeValue(forKey: member)
      let isModified = oldKey.map {
        let element = element(of: key)
        return touched.contains(element) || self.element(of: $0) != element
      }
      members.append(MemberChange(oldKey: oldKey, newKey: key, isModified: isModified ?? false))
    }
    for key in gone.values { members.append(MemberChange(oldKey: key, isModified: false)) }
    return members
  }

  /// The change set between two orders, for the changes of
  /// ``memberChanges(from:to:touched:reportsReplaced:)``. No key is looked up, since both orders are
  /// traversed anyway.
  ///
  /// - Complexity: O(n + k log k) for k members that were inserted, deleted, moved or modified.
  func changeSet(
    from old: CollectionTree, to new: CollectionTree, touched: TouchedElements, reportsReplaced: Bool
  ) -> ChangeSet {
    var rows: [TouchedRow] = []
    // The indices of the rows of members found in one of the orders at another place than in the other.
    var seen = MovedMembers(minimumCapacity: list == nil ? touched.countLimit ?? 0 : 0)
    // The same for members of lists, with the element.
    var seenInList: [MemberIdentity: (Int, SQLiteValue)] = [:]
    if list == nil, let limit = touched.countLimit { rows.reserveCapacity(limit) }
    forEachDifference(from: old, to: new, touched) { difference, key in
      switch difference {
      case .touched(let oldRank, let newRank):
        rows.append(TouchedRow(oldRank: oldRank, newRank: newRank, keyChanged: false, isModified: true))
      case .gone, .come:
        let index: Int
        var isReplaced = false
        if list == nil {
          index = seen.row(of: identityBytes(of: key), next: rows.count)
        } else {
          let element = element(of: key)
          let member = member(of: key, reportsReplaced: reportsReplaced)
          // An access for writing also inserts the default value.
          let known = { (known: inout (Int, SQLiteValue)) in known }(
            &seenInList[member, default: (rows.count, element)])
          index = known.0
          isReplaced = known.1 != element
        }
        let isSecond = index < rows.count
        rows.add(difference, at: index)
        if isSecond { rows[index].isModified = isReplaced || touched.contains(element(of: key)) }
      }
    }
    return ChangeSetBuilder(rows).build()
  }

  /// The change set between two orders of a whole class, if exactly `count` elements came, went or have
  /// another place; otherwise `nil`.
  ///
  /// - Parameter areModified: Whether those in another place count as modified.
  /// - Complexity: O(n + k log k) for k such elements.
  func changeSet(
    from old: CollectionTree, to new: CollectionTree, ifAllMove count: Int, areModified: Bool
  ) -> ChangeSet? {
    var rows: [TouchedRow] = []
    rows.reserveCapacity(count)
    var seen = MovedMembers(minimumCapacity: count)
    forEachDifference(from: old, to: new, .some(ModifiedObjects())) { difference, key in
      let index = seen.row(of: identityBytes(of: key), next: rows.count)
      let isSecond = index < rows.count
      rows.add(difference, at: index)
      if isSecond { rows[index].isModified = areModified }
    }
    return rows.count == count ? ChangeSetBuilder(rows).build() : nil
  }

  /// The bytes of a rank key that identify a member of a collection that is no list: its primary key.
  private func identityBytes(of key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var reader = RankKeyReader(key)
    reader.skip(componentsBeforeElement)
    return UnsafeRawBufferPointer(rebasing: key[reader.offset...])
  }

  /// The occurrence of a rank key in two orders.
  fileprivate enum Difference {
    case gone(Int)
    case come(Int)
    /// The key is in both, and its element may have been modified.
    case touched(Int, Int)

    var oldRank: Int? {
      switch self {
      case .gone(let rank), .touched(let rank, _): rank
      case .come: nil
      }
    }

    var newRank: Int? {
      switch self {
      case .come(let rank), .touched(_, let rank): rank
      case .gone: nil
      }
    }
  }

  /// Traverses the rank keys that are not in both orders, and those of touched elements.
  @inline(__always)
  private func forEachDifference(
    from old: CollectionTree, to new: CollectionTree, _ touched: TouchedElements,
    _ body: (Difference, UnsafeRawBufferPointer) -> Void
  ) {
    let nothingIsTouched = touched.isEmpty
    var oldCursor = old.ranks.cursor(at: old.start)
    var newCursor = new.ranks.cursor(at: new.start)
    let (oldEnd, newEnd) = (old.start + old.count, new.start + new.count)
    while oldCursor.rank < oldEnd || newCursor.rank < newEnd {
      let order =
        oldCursor.rank >= oldEnd
        ? 1
        : newCursor.rank >= newEnd
          ? -1 : oldCursor.withEntry { old in newCursor.withEntry { new in compareRankBytes(old, new) } }
      if order < 0 {
        oldCursor.withEntry { body(.gone(oldCursor.rank - old.start), $0) }
        oldCursor.advance()
      } else if order > 0 {
        newCursor.withEntry { body(.come(newCursor.rank - new.start), $0) }
        newCursor.advance()
      } else {
        newCursor.withEntry { key in
          if nothingIsTouched || !touched.contains(element(of: key)) { return }
          body(.touched(oldCursor.rank - old.start, newCursor.rank - new.start), key)
        }
        oldCursor.advance()
        newCursor.advance()
      }
    }
  }
}

extension [TouchedRow] {
  /// Adds the place of a member in one of the orders to its row, which is the next if it has none yet.
  fileprivate mutating func add(_ difference: CollectionQuery.Difference, at index: Int) {
    if index == count {
      append(TouchedRow(oldRank: nil, newRank: nil, keyChanged: true, isModified: false))
    }
    if let oldRank = difference.oldRank { self[index].oldRank = oldRank }
    if let newRank = difference.newRank { self[index].newRank = newRank }
  }
}
