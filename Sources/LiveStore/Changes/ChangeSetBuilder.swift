/// A row that a transaction touched between two versions of a collection.
struct TouchedRow: Equatable, Sendable {
  /// Its index before, `nil` if it was not in the collection.
  var oldRank: Int?
  /// Its index after, `nil` if it is not in the collection any more.
  var newRank: Int?
  /// Whether its key in the collection's order has changed.
  var keyChanged: Bool
  /// Whether an observed property has another value.
  var isModified: Bool
}

/// A builder of the change set between two versions of a collection from the touched rows.
///
/// Untouched rows need not be known. They keep their order among each other, so a row's gap, the two
/// untouched rows that it lies between, follows from the number of untouched rows before it. A kept row in
/// another gap than before must have moved. Of the rows that stay in a gap, as many keep their place as
/// possible.
struct ChangeSetBuilder {
  /// The touched rows, in any order. No two have the same old rank or the same new rank.
  private(set) var rows: [TouchedRow]

  init(_ rows: [TouchedRow] = []) {
    self.rows = rows
  }

  /// Adds a touched row; one that is in neither version is ignored.
  mutating func append(_ row: TouchedRow) {
    rows.append(row)
  }

  /// The change set.
  ///
  /// As few rows as possible move. Among equally many, as many rows as possible whose key did not change keep
  /// their place; then the first in the old order do.
  ///
  /// Complexity: O(k log k) for k touched rows.
  func build() -> ChangeSet {
    let oldOrder = RankedRows(rows.indices.lazy.map { rows[$0].oldRank })
    let newOrder = RankedRows(rows.indices.lazy.map { rows[$0].newRank })

    // The number of untouched rows before each row in the new order; -1 if the row is not in it.
    var newGap = [Int](repeating: -1, count: rows.count)
    for (position, row) in newOrder.rows.enumerated() { newGap[row.index] = row.rank - position }

    // The places of rows that may stay, counted in the new order; -1 for those that were inserted, deleted,
    // or must have moved.
    var place = [Int](repeating: -1, count: rows.count)
    var candidates: [Int] = []
    candidates.reserveCapacity(oldOrder.rows.count)
    for (position, row) in oldOrder.rows.enumerated() where row.rank - position == newGap[row.index] {
      candidates.append(row.index)
      place[row.index] = 0
    }
    var candidatesBefore = 0
    for row in newOrder.rows where place[row.index] >= 0 {
      place[row.index] = candidatesBefore
      candidatesBefore += 1
    }
    var keepsPlace = [Bool](repeating: false, count: rows.count)
    for index in inPlace(candidates, place: place) { keepsPlace[index] = true }

    var changes = ChangeSet()
    for (oldRank, index) in oldOrder.rows {
      if keepsPlace[index] {
        if rows[index].isModified, let newRank = rows[index].newRank {
          changes.modifications.append(oldRank)
          changes.modificationsInNew.append(newRank)
        }
      } else {
        changes.deletions.append(oldRank)
        if let newRank = rows[index].newRank {
          changes.moves.append(
            ChangeSet.Move(from: oldRank, to: newRank, isModified: rows[index].isModified))
        }
      }
    }
    for (newRank, index) in newOrder.rows where !keepsPlace[index] { changes.insertions.append(newRank) }
    return changes
  }

  /// The rows of `candidates` (in the old order) that keep their place: the longest subsequence that ascends
  /// in `place` (the new order); among those the one with most unchanged keys; then the lexicographically
  /// first.
  ///
  /// Rows of different gaps never compete, so one subsequence of all consists of one for each gap.
  private func inPlace(_ candidates: [Int], place: [Int]) -> [Int] {
    if zip(candidates, candidates.dropFirst()).allSatisfy({ place[$0] < place[$1] }) { return candidates }

    // One row outweighs the keys of all rows.
    let rowWeight = candidates.count + 1
    func weight(of index: Int) -> Int { rowWeight + (rows[index].keyChanged ? 0 : 1) }

    // best[i]: the weight of the best subsequence that begins with candidate i. A Fenwick tree over the
    // places, from the last to the first, holds the greatest weight among the candidates visited, which come
    // later in the old order.
    var best = [Int](repeating: 0, count: candidates.count)
    var greatest = [Int](repeating: 0, count: candidates.count + 1)
    for position in candidates.indices.reversed() {
      let index = candidates[position]
      var behind = 0
      var node = candidates.count - 1 - place[index]
      while node > 0 {
        behind = max(behind, greatest[node])
        node &= node - 1
      }
      let total = behind + weight(of: index)
      best[position] = total
      node = candidates.count - place[index]
      while node <= candidates.count, greatest[node] < total {
        greatest[node] = total
        node += node & -node
      }
    }

    // Always the first row with which the rest of the weight can still be reached.
    var kept: [Int] = []
    var rest = best.max() ?? 0
    var lastPlace = -1
    for (position, index) in candidates.enumerated() {
      guard best[position] == rest, place[index] > lastPlace else { continue }
      kept.append(index)
      rest -= weight(of: index)
      lastPlace = place[index]
    }
    return kept
  }
}

extension ChangeSet {
  /// The change set between two orders of rows, in which as few rows as possible move.
  ///
  /// - Parameter rows: The rows that came, went, may have changed places or have another value, in any order:
  ///   the index of each before and after, `nil` where it was or is not among the rows. No two have the same
  ///   index before or after. All other rows have kept their order among each other.
  /// - Complexity: O(k log k) for k rows.
  public init(of rows: some Sequence<(before: Int?, after: Int?, isModified: Bool)>) {
    self =
      ChangeSetBuilder(
        rows.map {
          TouchedRow(oldRank: $0.before, newRank: $0.after, keyChanged: true, isModified: $0.isModified)
        }
      ).build()
  }
}

/// The rows that have a rank, in the order of their ranks, each with its index in the source.
private struct RankedRows {
  private(set) var rows: [(rank: Int, index: Int)] = []

  init(_ ranks: some Collection<Int?>) {
    rows.reserveCapacity(ranks.count)
    var isSorted = true
    var index = 0
    for rank in ranks {
      if let rank {
        if let last = rows.last, last.rank >= rank { isSorted = false }
        rows.append((rank, index))
      }
      index += 1
    }
    if isSorted { return }
    if rows.count < 512 {
      rows.sort { $0.rank < $1.rank }
    } else {
      sortByDigits()
    }
    for (last, next) in zip(rows, rows.dropFirst()) {
      precondition(last.rank < next.rank, "Two touched rows cannot have the same rank.")
    }
  }

  /// A radix sort by 11 bits at a time: ranks are dense, so two or three passes replace some seventeen
  /// comparisons a row.
  private mutating func sortByDigits() {
    let greatest = rows.reduce(0) { max($0, $1.rank) }
    var other = rows
    var shift = 0
    while greatest >> shift > 0 {
      var starts = [Int](repeating: 0, count: 2049)
      for row in rows { starts[(row.rank >> shift & 2047) + 1] += 1 }
      for digit in 1..<2048 { starts[digit] += starts[digit - 1] }
      for row in rows {
        let digit = row.rank >> shift & 2047
        other[starts[digit]] = row
        starts[digit] += 1
      }
      swap(&rows, &other)
      shift += 11
    }
  }
}
