/// The difference between two orders of a collection.
extension CollectionQuery {
  /// The change set between two trees that differ by `members`.
  ///
  /// - Complexity: O(k log n) for k members, O(n) for many.
  func changeSet(from old: CollectionTree, to new: CollectionTree, members: MemberChanges) -> ChangeSet {
    switch members {
    case .some(let members, let reportsReplaced):
      let rows =
        distinct.isEmpty
        ? touchedRows(members, old, new)
        : touchedFirsts(members, old, new, reportsReplaced: reportsReplaced)
      return ChangeSetBuilder(windowed(rows, old, new)).build()
    case .many(let modified, let reportsReplaced):
      return ChangeSetBuilder(compared(old, new, modified, reportsReplaced: reportsReplaced)).build()
    }
  }

  private func touchedRows(
    _ members: [MemberChange], _ old: CollectionTree, _ new: CollectionTree
  ) -> [TouchedRow] {
    members.compactMap { member in
      touchedRow(from: member.old?.rank, to: member.new?.rank, isModified: member.isModified, old, new)
    }
  }

  /// Of members with equal values only the first counts: those that were, or are, and are there no longer or anew, or
  /// changed themselves.
  private func touchedFirsts(
    _ members: [MemberChange], _ old: CollectionTree, _ new: CollectionTree, reportsReplaced: Bool
  ) -> [TouchedRow] {
    func member(_ key: RankKey) -> [SQLiteValue] {
      key.withUnsafeBytes { self.member(of: $0, reportsReplaced: reportsReplaced) }
    }
    var modified: Set<[SQLiteValue]> = []
    for change in members where change.isModified {
      if let rank = change.new?.rank { modified.insert(member(rank)) }
    }
    var changes: [[SQLiteValue]: (old: RankKey?, new: RankKey?)] = [:]
    for group in CollectionTree.groups(of: members) {
      if let first = old.first(in: group) { changes[member(first), default: (nil, nil)].old = first }
      if let first = new.first(in: group) { changes[member(first), default: (nil, nil)].new = first }
    }
    return changes.compactMap { identity, change in
      touchedRow(from: change.old, to: change.new, isModified: modified.contains(identity), old, new)
    }
  }

  private func touchedRow(
    from oldKey: RankKey?, to newKey: RankKey?, isModified: Bool, _ old: CollectionTree, _ new: CollectionTree
  ) -> TouchedRow? {
    let oldRank = oldKey.flatMap { old.ranks.rank(of: $0) }
    let newRank = newKey.flatMap { new.ranks.rank(of: $0) }
    if oldRank == nil, newRank == nil { return nil }
    let keyChanged = oldKey != newKey
    // One that only might have changed counts as untouched, so that the change set is a function of the two states.
    if oldRank != nil, newRank != nil, !keyChanged, !isModified { return nil }
    return TouchedRow(oldRank: oldRank, newRank: newRank, keyChanged: keyChanged, isModified: isModified)
  }

  /// What touched rows mean for a collection that shows only the first elements.
  ///
  /// The rows that nobody touched keep their order, so those shown are the first of them, before as after. Only how many
  /// differs: the last of them have been pushed out or pulled in.
  private func windowed(_ rows: [TouchedRow], _ old: CollectionTree, _ new: CollectionTree) -> [TouchedRow] {
    guard let limit else { return rows }
    var shown: [TouchedRow] = []
    var touchedBefore: Set<Int> = []
    var touchedAfter: Set<Int> = []
    for var row in rows {
      if let rank = row.oldRank, rank >= limit { row.oldRank = nil }
      if let rank = row.newRank, rank >= limit { row.newRank = nil }
      if let rank = row.oldRank { touchedBefore.insert(rank) }
      if let rank = row.newRank { touchedAfter.insert(rank) }
      if row.oldRank != nil || row.newRank != nil { shown.append(row) }
    }
    let pulledIn = (new.count - touchedAfter.count) - (old.count - touchedBefore.count)
    let isPulledIn = pulledIn > 0
    var rank = isPulledIn ? new.count : old.count
    var rest = pulledIn.magnitude
    while rest > 0 {
      rank -= 1
      if (isPulledIn ? touchedAfter : touchedBefore).contains(rank) { continue }
      shown.append(
        TouchedRow(
          oldRank: isPulledIn ? nil : rank, newRank: isPulledIn ? rank : nil, keyChanged: false,
          isModified: false))
      rest -= 1
    }
    return shown
  }

  // MARK: Comparing

  private func compared(
    _ old: CollectionTree, _ new: CollectionTree, _ modified: Set<SQLiteValue>, reportsReplaced: Bool
  ) -> [TouchedRow] {
    var rows: [TouchedRow] = []
    var gone: [Int] = []
    var come: [Int] = []
    var (before, after) = (old.ranks.cursor(), new.ranks.cursor())
    while before.rank < old.count || after.rank < new.count {
      let order: Int
      if before.rank >= old.count {
        order = 1
      } else if after.rank >= new.count {
        order = -1
      } else {
        order = before.withEntry { left in after.withEntry { right in compareRankBytes(left, right) } }
      }
      if order < 0 {
        gone.append(before.rank)
        before.advance()
      } else if order > 0 {
        come.append(after.rank)
        after.advance()
      } else {
        if !modified.isEmpty, modified.contains(after.withEntry { element(of: $0) }) {
          rows.append(
            TouchedRow(
              oldRank: before.rank, newRank: after.rank, keyChanged: false, isModified: true))
        }
        before.advance()
        after.advance()
      }
    }
    var oldRanks: [[SQLiteValue]: Int] = [:]
    func member(_ rank: Int, _ tree: CollectionTree) -> [SQLiteValue] {
      tree.withEntry(at: rank) { self.member(of: $0, reportsReplaced: reportsReplaced) }
    }
    if !come.isEmpty { for rank in gone { oldRanks[member(rank, old)] = rank } }
    var kept: Set<Int> = []
    for rank in come {
      let oldRank = oldRanks[member(rank, new)]
      var row = TouchedRow(oldRank: oldRank, newRank: rank, keyChanged: true, isModified: false)
      if let oldRank {
        kept.insert(oldRank)
        let element = new.withEntry(at: rank) { self.element(of: $0) }
        row.isModified =
          modified.contains(element) || old.withEntry(at: oldRank) { self.element(of: $0) } != element
      }
      rows.append(row)
    }
    for rank in gone where !kept.contains(rank) {
      rows.append(TouchedRow(oldRank: rank, newRank: nil, keyChanged: true, isModified: false))
    }
    return rows
  }

  /// What a member is known by; unless replacing is reported, an entry of a list that leads to another object is another
  /// member.
  private func member(of key: UnsafeRawBufferPointer, reportsReplaced: Bool) -> [SQLiteValue] {
    list == nil || reportsReplaced ? [identity(of: key)] : [identity(of: key), element(of: key)]
  }
}
