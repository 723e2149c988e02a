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
  mutating func apply(_ changes: RowChanges, count: Int, _ matches: (Int) -> Bool) -> RowChanges {
    let isComplete = scanned >= count
    let newCount = count - changes.deletions.count + changes.insertions.count
    let boundary =
      isComplete
      ? newCount : min(newCount, changes.newIndex(ofSurvivor: changes.survivorsBefore(old: scanned)))
    let moves = Dictionary(changes.moves.map { ($0.from, $0) }) { $1 }
    let modified = Set(changes.modifications)

    struct Entry {
      let index: Int
      /// The index among the former matches, if it was one.
      let old: Int?
      let move: RowChanges.Move?
      let isModified: Bool
    }
    var entries: [Entry] = []
    var matched: Set<Int> = []
    for (place, old) in indices.enumerated() {
      let move = moves[old]
      guard let new = move?.to ?? changes.newIndex(ofOld: old), new < boundary else { continue }
      matched.insert(new)
      let isModified = move?.isModified ?? modified.contains(old)
      if isModified && !matches(new) { continue }
      entries.append(Entry(index: new, old: place, move: move, isModified: isModified))
    }
    // Rows that did not match before, or did not exist.
    var candidates = changes.modifications.compactMap(changes.newIndex(ofOld:))
    candidates += changes.insertions
    for new in candidates where new < boundary && !matched.contains(new) && matches(new) {
      entries.append(Entry(index: new, old: nil, move: nil, isModified: false))
    }
    entries.sort { $0.index < $1.index }

    var result = RowChanges()
    var staying: Set<Int> = []
    for (place, entry) in entries.enumerated() {
      guard let old = entry.old, entry.move == nil else {
        result.insertions.append(place)
        if let old = entry.old {
          result.moves.append(RowChanges.Move(from: old, to: place, isModified: entry.isModified))
        }
        continue
      }
      staying.insert(old)
      if entry.isModified { result.modifications.append(old) }
    }
    result.deletions = indices.indices.filter { !staying.contains($0) }
    indices = entries.map(\.index)
    scanned = boundary
    return result
  }
}
