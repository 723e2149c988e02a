extension CollectionQuery {
  /// What happened to the members between two orders whose rows can no longer be compared: a member that is in both is
  /// modified if it may have been.
  ///
  /// - Complexity: O(n).
  func memberChanges(from old: RankTree, to new: RankTree, touched: TouchedElements) -> [MemberChange] {
    var members: [MemberChange] = []
    var gone: [SQLiteValue: RankKey] = [:]
    var come: [(identity: SQLiteValue, key: RankKey)] = []
    var oldCursor = old.cursor()
    var newCursor = new.cursor()
    func isTouched(_ key: UnsafeRawBufferPointer) -> Bool { touched.contains(element(of: key)) }
    while !oldCursor.isAtEnd || !newCursor.isAtEnd {
      let order =
        oldCursor.isAtEnd
        ? 1
        : newCursor.isAtEnd
          ? -1 : oldCursor.withEntry { old in newCursor.withEntry { new in compareRankBytes(old, new) } }
      if order < 0 {
        oldCursor.withEntry { gone[identity(of: $0)] = RankKey(copying: $0) }
        oldCursor.advance()
      } else if order > 0 {
        newCursor.withEntry { come.append((identity(of: $0), RankKey(copying: $0))) }
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
