/// Change sets of a single row.
extension ChangeSet {
  /// A row that is new.
  ///
  /// - Parameter index: The row's index after the change.
  public static func insertion(at index: Int) -> ChangeSet { ChangeSet(insertions: [index]) }

  /// A row that was deleted.
  ///
  /// - Parameter index: The row's index before the change.
  public static func deletion(at index: Int) -> ChangeSet { ChangeSet(deletions: [index]) }

  /// A row that has another value.
  ///
  /// - Parameter index: The row's index, before the change and after it.
  public static func modification(at index: Int) -> ChangeSet {
    ChangeSet(modifications: [index], modificationsInNew: [index])
  }

  /// A row that changed places. Where `from` and `to` are equal it is modified at most.
  ///
  /// - Parameters:
  ///   - from: The row's index before the change.
  ///   - to: The row's index after the change.
  ///   - isModified: Whether the row has another value too.
  public static func move(from: Int, to: Int, isModified: Bool = false) -> ChangeSet {
    if from == to { return isModified ? .modification(at: from) : ChangeSet() }
    return ChangeSet(
      deletions: [from], insertions: [to], moves: [Move(from: from, to: to, isModified: isModified)])
  }
}

/// Indices before a change from those after it, and the other way round.
///
/// The *staying* rows are neither deleted, nor inserted, nor moved. They keep their order, so that the index
/// of one follows from the number of staying rows in front of it. Each question is answered in O(log k) for k
/// changed rows.
extension ChangeSet {
  /// The index after the change of the row that had an index before it; `nil` if it was deleted.
  public func newIndex(ofOld old: Int) -> Int? {
    if stays(old: old) { return newIndex(ofStaying: stayingCount(beforeOld: old)) }
    return move(ofOld: old)?.to
  }

  /// Whether the row that had an index before the change is a staying row.
  public func stays(old: Int) -> Bool { !deletions.containsAscending(old) }

  /// Whether the row that has an index after the change is a staying row.
  public func stays(new: Int) -> Bool { !insertions.containsAscending(new) }

  /// Whether the row that had an index before the change has another value; it may have moved too.
  public func isModified(old: Int) -> Bool {
    modifications.containsAscending(old) || move(ofOld: old)?.isModified == true
  }

  /// The move of the row that had an index before the change, if it changed places.
  public func move(ofOld old: Int) -> Move? {
    let place = moves.partitioningIndex { $1.from >= old }
    return place < moves.count && moves[place].from == old ? moves[place] : nil
  }

  /// The number of staying rows in front of an index before the change.
  public func stayingCount(beforeOld old: Int) -> Int { old - deletions.count(below: old) }

  /// The number of staying rows in front of an index after the change.
  public func stayingCount(beforeNew new: Int) -> Int { new - insertions.count(below: new) }

  /// The index before the change of the staying row with a number of staying rows in front of it.
  public func oldIndex(ofStaying number: Int) -> Int { deletions.missing(number) }

  /// The index after the change of the staying row with a number of staying rows in front of it.
  public func newIndex(ofStaying number: Int) -> Int { insertions.missing(number) }

  /// The change set for a view that shows further rows among those of the collection.
  ///
  /// - Parameters:
  ///   - old: The index in the view of the row that had an index before the change; ascending.
  ///   - new: The index in the view of the row that has an index after the change; ascending.
  /// - Complexity: O(k) for k changed rows.
  public func mapIndices(old: (Int) -> Int, new: (Int) -> Int) -> ChangeSet {
    ChangeSet(
      deletions: deletions.map(old), insertions: insertions.map(new), modifications: modifications.map(old),
      modificationsInNew: modificationsInNew.map(new),
      moves: moves.map { Move(from: old($0.from), to: new($0.to), isModified: $0.isModified) })
  }
}

extension Array {
  /// The first index at which a condition is true; it has to be true at all later ones too.
  ///
  /// - Complexity: O(log n).
  fileprivate func partitioningIndex(where holds: (_ index: Int, _ element: Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle, self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension [Int] {
  /// The number of elements of an ascending array that are less than a value.
  fileprivate func count(below value: Int) -> Int { partitioningIndex { $1 >= value } }

  fileprivate func containsAscending(_ value: Int) -> Bool {
    let place = count(below: value)
    return place < count && self[place] == value
  }

  /// The number that an ascending array does not contain, after a count of others that it does not contain.
  fileprivate func missing(_ number: Int) -> Int {
    // Before the element at an index there are `element - index` missing numbers: that only grows.
    number + partitioningIndex { $1 - $0 > number }
  }
}
