import LiveStore

extension ChangeSet {
  /// The changes of a collection for a list that shows one row more than the collection has: a draft, which
  /// exists only here until it is stored.
  ///
  /// - Parameters:
  ///   - old: The number of rows of the collection before the draft in the old state; `nil`: there was none.
  ///   - new: The number of rows before it in the new state; `nil`: there is none any more.
  ///
  /// A new draft is an insertion, a removed one a deletion, and one that changed its place among the rows a
  /// move. A draft that is stored becomes an ordinary row: show that as `.modification(at:)` with the new
  /// rows.
  func showingDraft(at old: Int?, then new: Int?) -> ChangeSet {
    var result = mapIndices(old: Self.index(besideDraftAt: old), new: Self.index(besideDraftAt: new))
    if let old, let new {
      if stayingCount(beforeOld: old) == stayingCount(beforeNew: new) { return result }
      result.moves.insert(
        Move(from: old, to: new), at: result.moves.firstIndex { $0.from > old } ?? moves.count)
    }
    if let old { result.deletions.insert(ascending: old) }
    if let new { result.insertions.insert(ascending: new) }
    return result
  }

  /// The number of rows before a draft after this change, if there were `old` before it: it stays after the
  /// row it was after.
  func draftPlace(old: Int) -> Int {
    let number = stayingCount(beforeOld: old)
    return number == 0 ? 0 : newIndex(ofStaying: number - 1) + 1
  }

  /// The changes, which delete the row at `old`, for a list that keeps showing that row as a draft.
  ///
  /// - Returns: The changes, and the number of rows before the draft afterwards.
  func keepingDeletedRow(_ old: Int) -> (changes: ChangeSet, place: Int) {
    let place = draftPlace(old: old)
    var result = mapIndices(old: { $0 }, new: Self.index(besideDraftAt: place))
    result.deletions.removeAll { $0 == old }
    result.modifications.insert(ascending: old)
    result.modificationsInNew.insert(ascending: place)
    return (result, place)
  }

  /// The index in the list of a row of the collection.
  private static func index(besideDraftAt place: Int?) -> (Int) -> Int {
    { index in
      if let place, index >= place { index + 1 } else { index }
    }
  }
}

extension [Int] {
  fileprivate mutating func insert(ascending value: Int) {
    insert(value, at: firstIndex { $0 > value } ?? endIndex)
  }
}
