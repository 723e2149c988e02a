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
  /// Complexity: O(k log n) for k moves.
  func carryOut(_ moves: [RowMove]) {
    for rowMove in moves {
      guard let (_, index) = find(rowMove.id) else { continue }
      // Taking the row away moves up those below it.
      let above = rowMove.above.flatMap { find($0)?.index }
      let destination = above.map { $0 < index ? $0 + 1 : $0 } ?? 0
      if destination != index { move(from: index, to: destination) }
    }
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
