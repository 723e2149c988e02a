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
    steps(to: sorted).map { RowMove(id: ids[$0.index], above: $0.above.map { ids[$0] }) }
  }

  /// The fewest moves, one after the other, of indices into another order of them: of each below another
  /// one, or on top.
  ///
  /// Complexity: O(n log n).
  static func steps(to sorted: [Int]) -> [(index: Int, above: Int?)] {
    let staying = Set(longestAscent(in: sorted).map { sorted[$0] })
    return sorted.indices.compactMap { place in
      staying.contains(sorted[place]) ? nil : (sorted[place], place > 0 ? sorted[place - 1] : nil)
    }
  }

  /// The indices of some rows in the order that moves give them.
  ///
  /// Complexity: O(n).
  static func order(of count: Int, after steps: some Sequence<(index: Int, above: Int?)>) -> [Int] {
    if count == 0 { return [] }
    // A linked list of the indices; the last stands before the first.
    let start = count
    var next = Array(1...count) + [0]
    var previous = [start] + Array(0..<count)
    for (index, above) in steps {
      next[previous[index]] = next[index]
      previous[next[index]] = previous[index]
      let above = above ?? start
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
    return order
  }
}

/// The way from the present order of the rows of a list to another one.
enum Rearrangement {
  /// The fewest moves, one after the other.
  case moves([RowMove])
  /// The present indices of all rows in their new order: a row is there several times, so that its id does
  /// not say which of its places is meant.
  case order([Int])

  var isByIDs: Bool { if case .moves = self { true } else { false } }
}

extension RowCollection {
  func carryOut(_ rearrangement: Rearrangement) {
    switch rearrangement {
    case .moves(let moves): carryOut(moves)
    case .order(let order): items.reorder(order)
    }
  }

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
    let ids = allIDs
    if ids.isEmpty { return }
    let indices = Dictionary(zip(ids, 0...)) { first, _ in first }
    let steps = moves.lazy.compactMap { move in
      indices[move.id].map { (index: $0, above: move.above.flatMap { indices[$0] }) }
    }
    items.reorder(RowMove.order(of: ids.count, after: steps))
  }
}

/// An order into which rows can be put once, or in which a list can be kept.
public enum RowOrder: String, CaseIterable, Codable, Sendable {
  /// The earliest date first, then those without one.
  case due
  /// A, B, C, then those without one.
  case priority
  /// The alphabet, whatever the case.
  case text

  /// The names of all orders, with commas between them.
  public static let choices = allCases.map(\.rawValue).joined(separator: ", ")
}
