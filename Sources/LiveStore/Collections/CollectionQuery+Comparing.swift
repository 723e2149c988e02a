extension CollectionQuery {
  /// What happened to the members between two orders whose rows can no longer be compared: a member that is in both is
  /// modified if it may have been.
  ///
  /// - Parameter reportsReplaced: Whether an entry of a list that leads to another object is a modification; else it is a
  ///   deletion and an insertion.
  /// - Complexity: O(n).
  func memberChanges(
    from old: CollectionTree, to new: CollectionTree, touched: TouchedElements, reportsReplaced: Bool = true
  ) -> [MemberChange] {
    var members: [MemberChange] = []
    var gone: [[SQLiteValue]: RankKey] = [:]
    var come: [(identity: [SQLiteValue], key: RankKey)] = []
    var oldCursor = old.ranks.cursor()
    var newCursor = new.ranks.cursor()
    func isTouched(_ key: UnsafeRawBufferPointer) -> Bool { touched.contains(element(of: key)) }
    func identity(_ key: UnsafeRawBufferPointer) -> [SQLiteValue] {
      member(of: key, reportsReplaced: reportsReplaced)
    }
    while oldCursor.rank < old.count || newCursor.rank < new.count {
      let order =
        oldCursor.rank >= old.count
        ? 1
        : newCursor.rank >= new.count
          ? -1 : oldCursor.withEntry { old in newCursor.withEntry { new in compareRankBytes(old, new) } }
      if order < 0 {
        oldCursor.withEntry { gone[identity($0)] = RankKey(copying: $0) }
        oldCursor.advance()
      } else if order > 0 {
        newCursor.withEntry { come.append((identity($0), RankKey(copying: $0))) }
        newCursor.advance()
      } else {
        newCursor.withEntry { bytes in
          guard isTouched(bytes) else { return }
          let key = RankKey(copying: bytes)
          members.append(MemberChange(oldKey: key, newKey: key, isModified: true))
        }
        oldCursor.advance()
        newCursor.advance()
      }
    }
    for (identity, key) in come {
      let oldKey = gone.removeValue(forKey: identity)
      let isModified = oldKey.map { key.withUnsafeBytes(isTouched) || element(of: $0) != element(of: key) }
      members.append(MemberChange(oldKey: oldKey, newKey: key, isModified: isModified ?? false))
    }
    for key in gone.values { members.append(MemberChange(oldKey: key, isModified: false)) }
    return members
  }
}
