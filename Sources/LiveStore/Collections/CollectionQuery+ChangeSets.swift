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

  /// The changes of the elements, given those of the members, where only some in a row are elements.
  ///
  /// Untouched members keep their order, so the elements among them are some in a row, before and after. The
  /// first and the last of them have been pushed out or pulled in.
  private func shown(
    _ members: [MemberChange], _ old: CollectionTree, _ new: CollectionTree
  ) -> [MemberChange] {
    guard limit != nil else { return members }
    var shown: [MemberChange] = []
    var before = UntouchedElements(old)
    var after = UntouchedElements(new)
    for var member in members {
      // A row that comes or goes may have had its place before, or keep it.
      let (oldRank, newRank) = (before.rank(of: member.oldKey), after.rank(of: member.newKey))
      let stays = (oldRank == nil) == (newRank == nil) && member.oldKey == member.newKey
      if stays, !member.isModified { continue }
      if !before.exclude(oldRank) { member.oldKey = nil }
      if !after.exclude(newRank) { member.newKey = nil }
      if member.oldKey != nil || member.newKey != nil { shown.append(member) }
    }
    let (wasShown, isShown) = (before.numbers, after.numbers)
    for key in before.keys(notIn: isShown) {
      shown.append(MemberChange(oldKey: key, newKey: nil, isModified: false))
    }
    for key in after.keys(notIn: wasShown) {
      shown.append(MemberChange(oldKey: nil, newKey: key, isModified: false))
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

struct MemberIdentity: Hashable {
  /// The primary key of the row, or of the entry in the list.
  let key: SQLiteValue
  /// The element, if another element makes another member.
  let element: SQLiteValue?
}

/// The elements of a limited collection that a change has not touched, at one version.
private struct UntouchedElements {
  private let tree: CollectionTree
  /// The ranks of the touched elements among the elements.
  private var touched: Set<Int> = []
  /// The number of touched members before the first element.
  private var touchedBefore = 0

  init(_ tree: CollectionTree) { self.tree = tree }

  /// The rank of a member among all of them, elements or not; `nil` for a row that is none.
  func rank(of key: RankKey?) -> Int? { key.flatMap(tree.ranks.rank(of:)) }

  /// Notes that the member with a rank is touched; returns whether it is an element.
  mutating func exclude(_ rank: Int?) -> Bool {
    guard let rank else { return false }
    if rank < tree.start { touchedBefore += 1 }
    guard tree.start..<tree.start + tree.count ~= rank else { return false }
    touched.insert(rank - tree.start)
    return true
  }

  /// The numbers of the elements in the order of all untouched members, which is the same in both versions.
  var numbers: Range<Int> {
    let first = tree.start - touchedBefore
    return first..<first + tree.count - touched.count
  }

  /// The rank keys of those whose numbers are not in a range.
  ///
  /// - Complexity: O(k log n) for k keys, and for the touched elements beside them.
  func keys(notIn others: Range<Int>) -> [RankKey] {
    let numbers = self.numbers
    let first = max(0, min(numbers.upperBound, others.lowerBound) - numbers.lowerBound)
    let last = max(0, numbers.upperBound - max(numbers.lowerBound, others.upperBound))
    let ascending = (0..<tree.count).lazy.filter { !touched.contains($0) }.prefix(first)
    let descending = (0..<tree.count).reversed().lazy.filter { !touched.contains($0) }.prefix(last)
    return (Array(ascending) + Array(descending)).map { tree.entry(at: $0) }
  }
}
