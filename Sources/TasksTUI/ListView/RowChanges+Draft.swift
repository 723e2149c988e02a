extension RowChanges {
  /// These changes of a collection, as a list sees them that shows one row more than the collection has: a
  /// draft, which nobody else knows of until it is kept.
  ///
  /// - Parameters:
  ///   - old: how many rows of the collection stood in front of the draft before; `nil`: there was none.
  ///   - new: how many stand in front of it after; `nil`: there is none any more.
  ///
  /// A draft that comes is an insertion, one that goes is a deletion, and one that changed its place among
  /// the rows is a move. A draft that is kept becomes an ordinary row: show that as `.modification(at:)` with
  /// the new rows.
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
