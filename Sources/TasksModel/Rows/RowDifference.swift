import FoundationEssentials

/// The difference of the rows of a place from their former state, like a change set.
///
/// A row that changed its place among the others is in `deletions` with its former index and in `insertions`
/// with its present one, and `moves` pairs the two.
public struct RowDifference: Equatable, Sendable {
  public struct Move: Equatable, Sendable {
    /// The index before.
    public var from: Int
    /// The index after.
    public var to: Int
    /// Whether the row's values differ too.
    public var isModified: Bool
  }

  /// The indices before, ascending.
  public private(set) var deletions: [Int] = []
  /// The indices after, ascending.
  public private(set) var insertions: [Int] = []
  /// The indices before, ascending, of rows that kept their place among the others and have other values.
  public private(set) var modifications: [Int] = []
  public private(set) var moves: [Move] = []

  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// - Parameters:
  ///   - rows: Every row that was inserted, deleted, moved or modified, with its index before and after; nil
  ///     if it was not among the rows. All other rows kept their order.
  ///
  /// Complexity: O(k log k) for k rows.
  init(of rows: [(before: Int?, after: Int?, isModified: Bool)]) {
    let old = rows.compactMap(\.before).sorted()
    let new = rows.compactMap(\.after).sorted()
    func rank(_ index: Int, in ascending: [Int]) -> Int {
      var low = 0
      var high = ascending.count
      while low < high {
        let middle = (low + high) / 2
        if ascending[middle] < index { low = middle + 1 } else { high = middle }
      }
      return low
    }
    // A row keeps its place if as many of the other rows are before it as before, and if it does not overtake
    // one that keeps its place.
    var lastStaying = -1
    for row in rows.sorted(by: { ($0.before ?? -1) < ($1.before ?? -1) }) {
      switch (row.before, row.after) {
      case (let before?, let after?):
        let staysAmongOthers = before - rank(before, in: old) == after - rank(after, in: new)
        if staysAmongOthers, after > lastStaying {
          lastStaying = after
          if row.isModified { modifications.append(before) }
        } else {
          deletions.append(before)
          insertions.append(after)
          moves.append(Move(from: before, to: after, isModified: row.isModified))
        }
      case (let before?, nil): deletions.append(before)
      case (nil, let after?): insertions.append(after)
      case (nil, nil): break
      }
    }
    deletions.sort()
    insertions.sort()
  }
}
