/// The difference between a collection as a callback last knew it ("before") and as it is now ("after").
///
/// A view that shows the collection takes three steps, in this order:
///
/// 1. delete the rows at ``deletions``, from the highest index to the lowest;
/// 2. insert the elements now at ``insertions``, from the lowest index to the highest;
/// 3. reload the rows at ``modificationsInNew``.
///
/// After them it shows the collection, whatever happened in between. A view that can slide a row from one
/// place to another looks into ``moves``, which pairs the deletions and insertions that belong to one row.
///
/// A row appears at most once, save that a moved row is in `deletions`, `insertions` and `moves`: a deleted
/// or an inserted row is never in `modifications`, and a row that only shifted because of others is nowhere.
/// All arrays are ascending and free of duplicates.
public struct ChangeSet: Equatable, Sendable {
  /// Indices, before the change, of the rows that are gone or moved away. Ascending.
  public var deletions: [Int]

  /// Indices, after the change, of the rows that are new or moved there. Ascending.
  public var insertions: [Int]

  /// Indices, before the change, of the rows that kept their place and have another value. Ascending.
  public var modifications: [Int]

  /// The rows of ``modifications``, in the same order, as indices after the change. Ascending.
  public var modificationsInNew: [Int]

  /// The rows that changed places relative to the others, in ascending order of ``Move/from``.
  ///
  /// `from` of each is in ``deletions`` too, and `to` in ``insertions``.
  public var moves: [Move]

  /// One row that is in the collection before and after the change, in another place relative to the other
  /// rows.
  public struct Move: Hashable, Sendable {
    /// The row's index before the change.
    public var from: Int

    /// The row's index after the change.
    public var to: Int

    /// Whether the row has another value too.
    public var isModified: Bool

    /// A row that went from one index to another.
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
}

extension ChangeSet {
  /// What a view shows that showed `old`, and now takes the three steps with elements of `new`. For tests,
  /// and for debug builds to check that it is `new`.
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
