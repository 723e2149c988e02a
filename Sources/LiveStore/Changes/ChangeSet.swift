/// The difference between a collection at the last call of a callback ("before") and now ("after").
///
/// A view that shows the collection takes three steps, in this order:
///
/// 1. delete the rows at ``deletions``, from the highest index to the lowest;
/// 2. insert the elements now at ``insertions``, from the lowest index to the highest;
/// 3. reload the rows at ``modificationsInNew``.
///
/// After them it shows the present collection, for any change. A view that can slide a row from one place to
/// another uses ``moves``, which pairs the deletions and insertions that belong to one row.
///
/// A row appears at most once, except that a moved row is in `deletions`, `insertions` and `moves`. A deleted
/// or an inserted row is never in `modifications`, and a row that only shifted because of others appears
/// nowhere. All arrays are ascending and free of duplicates.
public struct ChangeSet: Equatable, Sendable {
  /// Indices, before the change, of the rows that are removed or moved away. Ascending.
  public var deletions: [Int]

  /// Indices, after the change, of the rows that are new or moved there. Ascending.
  public var insertions: [Int]

  /// Indices, before the change, of the rows that kept their place and have another value. Ascending.
  public var modifications: [Int]

  /// The indices after the change of the rows of ``modifications``, in the same order. Ascending.
  public var modificationsInNew: [Int]

  /// The rows that changed places relative to the others, in ascending order of ``Move/from``.
  ///
  /// `from` of each is in ``deletions`` too, and `to` in ``insertions``.
  public var moves: [Move]

  /// A row that is in the collection before and after the change, in another place relative to the other
  /// rows.
  public struct Move: Hashable, Sendable {
    /// The row's index before the change.
    public var from: Int

    /// The row's index after the change.
    public var to: Int

    /// Whether the row has another value as well.
    public var isModified: Bool

    /// A row that moved from one index to another.
    public init(from: Int, to: Int, isModified: Bool = false) {
      self.from = from
      self.to = to
      self.isModified = isModified
    }
  }

  /// A change set of the given parts; the empty one if none is given.
  public init(
    deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = [], modificationsInNew: [Int] = [],
    moves: [Move] = []
  ) {
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
    self.modificationsInNew = modificationsInNew
    self.moves = moves
  }

  /// Whether nothing changed.
  public var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }

  /// The rows of a view that showed `old` after it has taken the three steps with elements of `new`. For
  /// tests, and for debug builds, which check that the result is `new`.
  ///
  /// Complexity: O(n).
  ///
  /// - Returns: `nil` if the change set does not fit the two collections.
  func apply<Element>(to old: [Element], from new: [Element]) -> [Element]? {
    guard
      isStrictlyAscending(deletions, below: old.count), isStrictlyAscending(insertions, below: new.count),
      isStrictlyAscending(modifications, below: old.count),
      isStrictlyAscending(modificationsInNew, below: new.count),
      modifications.count == modificationsInNew.count,
      old.count - deletions.count + insertions.count == new.count
    else { return nil }

    var result: [Element] = []
    result.reserveCapacity(new.count)
    var deletion = 0
    var insertion = 0
    for index in 0...old.count {
      while insertion < insertions.count, insertions[insertion] == result.count {
        result.append(new[insertions[insertion]])
        insertion += 1
      }
      guard index < old.count else { break }
      if deletion < deletions.count, deletions[deletion] == index {
        deletion += 1
      } else {
        result.append(old[index])
      }
    }
    for index in modificationsInNew { result[index] = new[index] }
    return result
  }

  private func isStrictlyAscending(_ indices: [Int], below end: Int) -> Bool {
    var last = -1
    for index in indices {
      if index <= last { return false }
      last = index
    }
    return last < end
  }
}
