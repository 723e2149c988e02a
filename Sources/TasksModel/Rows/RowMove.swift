import LiveStore

/// The move of a row to the place below another one, or on top.
public struct RowMove: Equatable, Sendable {
  let id: Identifier
  let above: Identifier?

  /// The fewest moves, one after the other, that put rows in another order.
  ///
  /// - Parameters:
  ///   - ids: The rows in their present order.
  ///   - sorted: Their indices in the other order.
  ///
  /// Complexity: O(n log n).
  static func moves(of ids: [Identifier], to sorted: [Int]) -> [RowMove] {
    let staying = sorted.longestAscent
    return sorted.indices.compactMap { index in
      staying.contains(sorted[index])
        ? nil : RowMove(id: ids[sorted[index]], above: index > 0 ? ids[sorted[index - 1]] : nil)
    }
  }
}

extension RowCollection {
  /// Carries out moves in their order.
  ///
  /// - Parameter most: The greatest number of moves that are carried out one by one.
  ///
  /// Complexity: O(k log n) for k moves, O(n log n) for more than that.
  func carryOut(_ moves: [RowMove], singlyUpTo most: Int = 1_000) {
    if moves.count > most { return carryOutTogether(moves) }
    for rowMove in moves {
      guard let (_, index) = find(rowMove.id) else { continue }
      // Taking the row away moves up those below it.
      let above = rowMove.above.flatMap { find($0)?.index }
      let destination = above.map { $0 < index ? $0 + 1 : $0 } ?? 0
      if destination != index { move(from: index, to: destination) }
    }
  }

  /// Carries out moves with one change of the whole order.
  private func carryOutTogether(_ moves: [RowMove]) {
    let ids = items.elementKeys.map(Identifier.init(sqliteValue:))
    if ids.isEmpty { return }
    let indices = Dictionary(zip(ids, 0...)) { first, _ in first }
    // A linked list of the indices; the last stands before the first.
    let start = ids.count
    var next = Array(1...ids.count) + [0]
    var previous = [start] + Array(0..<ids.count)
    for move in moves {
      guard let index = indices[move.id] else { continue }
      next[previous[index]] = next[index]
      previous[next[index]] = previous[index]
      let above = move.above.flatMap { indices[$0] } ?? start
      (next[index], previous[index]) = (next[above], above)
      previous[next[above]] = index
      next[above] = index
    }
    var order: [Int] = []
    var index = next[start]
    while index != start {
      order.append(index)
      index = next[index]
    }
    items.reorder(order)
  }
}

extension [Int] {
  /// The elements of a longest ascending part of an array of different numbers.
  ///
  /// Complexity: O(n log n).
  fileprivate var longestAscent: Set<Int> {
    // The smallest end of an ascent of each length, and the element before each.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: count)
    for element in self {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] < element { low = middle + 1 } else { high = middle }
      }
      before[element] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = element } else { ends.append(element) }
    }
    var ascent: Set<Int> = []
    var element = ends.last
    while let present = element {
      ascent.insert(present)
      element = before[present]
    }
    return ascent
  }
}
