import TestSupport
import Testing

@testable import LiveStore

@Suite("Positions of several machines")
struct PositionRunTests {
  @Test("What two machines insert at the same place does not mix", arguments: [true, false])
  func runs(_ appends: Bool) {
    var random = SeededGenerator()
    for _ in 0..<500 {
      let base = ["V", "W"]
      let runs = [
        Int.random(in: 0..<PositionKey.runs, using: &random),
        .random(in: 0..<PositionKey.runs, using: &random),
      ]
      guard runs[0] != runs[1] else { continue }
      // At the end, or between two elements; each next one behind the last, or before it.
      let (lower, upper): (String?, String?) =
        Bool.random(using: &random) ? (base[1], nil) : (base[0], base[1])
      let inserted = runs.map { run in
        (0..<40).reduce(into: [String]()) { keys, _ in
          keys.append(
            appends
              ? PositionKey.between(keys.last ?? lower, upper, run: run)
              : PositionKey.between(lower, keys.last ?? upper, run: run))
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      let isApart =
        inserted[0].last!.utf8.lexicographicallyPrecedes(inserted[1].first!.utf8)
        || inserted[1].last!.utf8.lexicographicallyPrecedes(inserted[0].first!.utf8)
      #expect(isApart, "\(inserted), \(random.comment)")
    }
  }

  @Test("A machine's positions are between those around them, whoever made these")
  func between() {
    var random = SeededGenerator()
    for _ in 0..<300 {
      let runs = (0..<3).map { _ in Int.random(in: 0..<PositionKey.runs, using: &random) }
      var keys: [String] = []
      for _ in 0..<80 {
        let index = Int.random(in: 0...keys.count, using: &random)
        let lower = index > 0 ? keys[index - 1] : nil
        let upper = index < keys.count ? keys[index] : nil
        let new = PositionKey.keys(
          .random(in: 1...3, using: &random), between: lower, and: upper,
          run: Bool.random(using: &random) ? runs.randomElement(using: &random) : nil)
        let around = [lower].compactMap(\.self) + new + [upper].compactMap(\.self)
        let isAscending = zip(around, around.dropFirst()).allSatisfy {
          $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        #expect(isAscending, "\(around), \(random.comment)")
        keys.insert(contentsOf: new, at: index)
      }
    }
  }
}
