/// The difference between two orders of a collection.
extension CollectionQuery {
  /// The change set between two trees that differ by `members`.
  ///
  /// - Complexity: O(k log n) for k members.
  func changeSet(from old: CollectionTree, to new: CollectionTree, members: [MemberChange]) -> ChangeSet {
    var builder = ChangeSetBuilder()
    for member in members {
      let oldRank = member.oldKey.flatMap { old.rank(of: $0) }
      let newRank = member.newKey.flatMap { new.rank(of: $0) }
      if oldRank == nil, newRank == nil { continue }
      let keyChanged = member.oldKey != member.newKey
      // A member that only may have changed counts as untouched, so that the change set is a function of the
      // two states.
      if oldRank != nil, newRank != nil, !keyChanged, !member.isModified { continue }
      builder.append(
        TouchedRow(
          oldRank: oldRank, newRank: newRank, keyChanged: keyChanged, isModified: member.isModified))
    }
    return builder.build()
  }

  /// The changes of the elements between two trees that differ by `places`.
  ///
  /// - Complexity: O(k log n) for k members, O(n) for many.
  func memberChanges(
    from old: CollectionTree, to new: CollectionTree, _ places: PlaceChanges
  ) -> [MemberChange] {
    switch places {
    case .some(let places, let reportsReplaced):
      let members =
        distinct.isEmpty
        ? places.map { MemberChange(oldKey: $0.old?.rank, newKey: $0.new?.rank, isModified: $0.isModified) }
        : firsts(places, old, new, reportsReplaced: reportsReplaced)
      return shown(members, old, new)
    case .many(let modified, let reportsReplaced):
      return memberChanges(from: old, to: new, touched: .some(modified), reportsReplaced: reportsReplaced)
    }
  }

  /// The changes of the members that are, or were, the first of those with equal values: each came, went, was
  /// replaced as the first, or was modified.
  private func firsts(
    _ places: [PlaceChange], _ old: CollectionTree, _ new: CollectionTree, reportsReplaced: Bool
  ) -> [MemberChange] {
    func member(_ key: RankKey) -> MemberIdentity {
      key.withUnsafeBytes { self.member(of: $0, reportsReplaced: reportsReplaced) }
    }
    var modified: Set<MemberIdentity> = []
    for change in places where change.isModified {
      if let rank = change.new?.rank { modified.insert(member(rank)) }
    }
    var changes: [MemberIdentity: MemberChange] = [:]
    for group in CollectionTree.groups(of: places) {
      for (tree, key) in [(old, \MemberChange.oldKey), (new, \MemberChange.newKey)] {
        guard let first = tree.first(in: group) else { continue }
        let member = member(first)
        changes[member, default: MemberChange(isModified: modified.contains(member))][keyPath: key] = first
      }
    }
    return Array(changes.values)
  }

  /// The changes of the elements, given those of the members, where only the first members are elements.
  ///
  /// Untouched members keep their order, so the elements among them are the first of them, before and after.
  /// Only their number differs: the last of them have been pushed out or pulled in.
  private func shown(
    _ members: [MemberChange], _ old: CollectionTree, _ new: CollectionTree
  ) -> [MemberChange] {
    guard limit != nil else { return members }
    var shown: [MemberChange] = []
    var touchedBefore: Set<Int> = []
    var touchedAfter: Set<Int> = []
    for var member in members {
      let oldRank = member.oldKey.flatMap { old.rank(of: $0) }
      let newRank = member.newKey.flatMap { new.rank(of: $0) }
      if oldRank != nil, newRank != nil, member.oldKey == member.newKey, !member.isModified { continue }
      if let oldRank { touchedBefore.insert(oldRank) } else { member.oldKey = nil }
      if let newRank { touchedAfter.insert(newRank) } else { member.newKey = nil }
      if oldRank != nil || newRank != nil { shown.append(member) }
    }
    let pulledIn = (new.count - touchedAfter.count) - (old.count - touchedBefore.count)
    let (tree, touched) = pulledIn > 0 ? (new, touchedAfter) : (old, touchedBefore)
    var rank = tree.count
    var rest = pulledIn.magnitude
    while rest > 0 {
      rank -= 1
      if touched.contains(rank) { continue }
      let key = tree.withEntry(at: rank) { RankKey(copying: $0) }
      shown.append(
        MemberChange(
          oldKey: pulledIn > 0 ? nil : key, newKey: pulledIn > 0 ? key : nil, isModified: false))
      rest -= 1
    }
    return shown
  }

  /// The identity of a member. Unless replacing is reported, an entry of a list that leads to another object
  /// is another member.
  func member(of key: UnsafeRawBufferPointer, reportsReplaced: Bool) -> MemberIdentity {
    MemberIdentity(
      key: identity(of: key), element: list == nil || reportsReplaced ? nil : element(of: key))
  }
}

/// The identity of a member.
struct MemberIdentity: Hashable {
  /// The primary key of the row, or of the entry in the list.
  let key: SQLiteValue
  /// The element, if another element makes another member.
  let element: SQLiteValue?
}
