import LiveStore

/// The matching rows of a collection, as far as it has been searched, kept up to date by its change sets.
///
/// Rows are examined in order and in parts, so that a search through a million of them never delays a key.
struct SearchMatches: Equatable, Sendable {
  /// The indices of the matching rows, ascending.
  private(set) var indices: [Int] = []
  /// The number of rows, from the first on, that have been examined.
  private(set) var scanned = 0

  init() {}

  /// The complete matches of `count` rows.
  init(indices: [Int], of count: Int) {
    self.indices = indices
    scanned = count
  }

  /// Examines one more row. Returns whether it matches: it is then the last of `indices`.
  mutating func scanNext(_ matches: (Int) -> Bool) -> Bool {
    defer { scanned += 1 }
    guard matches(scanned) else { return false }
    indices.append(scanned)
    return true
  }

  /// Keeps the matches that match a narrower pattern. Complexity: O(matches).
  mutating func narrow(_ matches: (Int) -> Bool) { indices = indices.filter(matches) }

  /// Follows a change of the rows.
  ///
  /// - Parameters:
  ///   - count: The former number of rows.
  ///   - matches: Returns whether a row matches, by its index after.
  /// - Returns: The changes of the matching rows, for a list that shows only them.
  /// - Complexity: O((matches + changes) log changes).
  mutating func apply(_ changes: ChangeSet, count: Int, _ matches: (Int) -> Bool) -> ChangeSet {
    let isComplete = scanned >= count
    let newCount = count - changes.deletions.count + changes.insertions.count
    let boundary =
      isComplete
      ? newCount : min(newCount, changes.newIndex(ofStaying: changes.stayingCount(beforeOld: scanned)))
    // The matches, by their indices after, and what has become of them and of those that are none any more.
    var found: [(index: Int, old: Int?, isTouched: Bool, isModified: Bool)] = []
    var touched: [(before: Int?, after: Int?, isModified: Bool)] = []
    var known: Set<Int> = []
    for (place, old) in indices.enumerated() {
      let isModified = changes.isModified(old: old)
      if let new = changes.newIndex(ofOld: old), new < boundary {
        known.insert(new)
        if !isModified || matches(new) {
          found.append((new, place, isModified || !changes.stays(old: old), isModified))
          continue
        }
      }
      touched.append((place, nil, false))
    }
    // Rows that did not match before, or did not exist.
    for new in changes.modificationsInNew + changes.insertions
    where new < boundary && !known.contains(new) && matches(new) {
      found.append((new, nil, true, false))
    }
    found.sort { $0.index < $1.index }
    for (place, match) in found.enumerated() where match.isTouched {
      touched.append((match.old, place, match.isModified))
    }
    indices = found.map(\.index)
    scanned = boundary
    return ChangeSet(of: touched)
  }
}
