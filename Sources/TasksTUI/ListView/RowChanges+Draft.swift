extension RowChanges {
  /// These changes of a collection for a list that shows one row more than the collection has: a draft, which
  /// exists only here until it is stored.
  ///
  /// - Parameters:
  ///   - old: The number of rows of the collection before the draft in the old state; `nil`: there was none.
  ///   - new: The number of rows before it in the new state; `nil`: there is none any more.
  ///
  /// A new draft is an insertion, a removed one a deletion, and one that changed its place among the rows a
  /// move. A draft that is stored becomes an ordinary row: show that as `.modification(at:)` with the new
  /// rows.
  func showingDraft(at old: Int?, then new: Int?) -> RowChanges {
    func before(_ index: Int) -> Int {
      if let old, index >= old { index + 1 } else { index }
    }
    func after(_ index: Int) -> Int {
      if let new, index >= new { index + 1 } else { index }
    }
    var result = RowChanges(
      deletions: deletions.map(before), insertions: insertions.map(after),
      modifications: modifications.map(before),
      moves: moves.map { Move(from: before($0.from), to: after($0.to), isModified: $0.isModified) })
    if let old, let new {
      if survivorsBefore(old: old) == survivorsBefore(new: new) { return result }
      result.moves.append(Move(from: old, to: new))
    }
    if let old { result.deletions.insert(ascending: old) }
    if let new { result.insertions.insert(ascending: new) }
    return result
  }
}

extension [Int] {
  fileprivate mutating func insert(ascending value: Int) {
    insert(value, at: firstIndex { $0 > value } ?? endIndex)
  }
}
