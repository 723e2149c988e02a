/// New positions in lists, which in a file that is joined to those of other machines are this machine's own.
extension Store {
  /// Ascending positions between two others, in a write; `nil` if there are none between them, as where
  /// another program has given two entries one position.
  func room(for count: Int, between lower: String?, and upper: String?) -> [String]? {
    let positions = positions(count, between: lower, and: upper)
    guard let first = positions.first else { return positions }
    let isBehind = lower.map { $0.utf8.lexicographicallyPrecedes(first.utf8) } ?? true
    let isBefore = upper.map { first.utf8.lexicographicallyPrecedes($0.utf8) } ?? true
    return isBehind && isBefore ? positions : nil
  }

  func positions(_ count: Int, between lower: String?, and upper: String?) -> [String] {
    PositionKey.keys(count, between: lower, and: upper, run: recorder.foreign.positionRun)
  }
}
