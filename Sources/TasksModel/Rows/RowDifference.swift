import FoundationEssentials

/// How the rows of a place differ from how they were, in the manner of a change set.
///
/// A row that changed its place among the others is in `deletions` with the index it had and in `insertions`
/// with the one it has, and `moves` joins the two.
public struct RowDifference: Equatable, Sendable {
  public struct Move: Equatable, Sendable {
    /// Index before.
    public var from: Int
    /// Index after.
    public var to: Int
    /// Whether the row's values differ too.
    public var isModified: Bool
  }

  /// Indices before, ascending.
  public private(set) var deletions: [Int] = []
  /// Indices after, ascending.
  public private(set) var insertions: [Int] = []
  /// Indices before, ascending, of rows that kept their place among the others and have other values.
  public private(set) var modifications: [Int] = []
  public private(set) var moves: [Move] = []

  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// - Parameters:
  ///   - rows: Every row that came, went or moved; rows that are not named kept their order. Each with its
  ///     index before and after, nil where it was not among the rows.
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
    // A row stays where it is when it has as many of the other rows in front of it as before, and when it
    // does not overtake one that stays.
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
