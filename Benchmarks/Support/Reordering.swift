/// An order that is as far from the one before as can be, in one way or another.
enum Reordering: Int64, CaseIterable {
  case swappedNeighbours, reversed, rotated, shuffled

  var name: String {
    switch self {
    case .swappedNeighbours: "neighbours swapped"
    case .reversed: "reversed"
    case .rotated: "rotated by one"
    case .shuffled: "shuffled"
    }
  }

  /// The ranks that the rows get, from those that they have.
  func ranks(of ranks: [Int]) -> [Int] {
    switch self {
    case .swappedNeighbours:
      var ranks = ranks
      for index in stride(from: 0, to: ranks.count - 1, by: 2) { ranks.swapAt(index, index + 1) }
      return ranks
    case .reversed: return ranks.reversed()
    case .rotated: return Array(ranks.dropFirst() + ranks.prefix(1))
    case .shuffled: return ranks.shuffled()
    }
  }
}
