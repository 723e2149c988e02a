import Testing

@testable import LiveStore

@Suite("The history of an instance holds what its observers need")
struct TransitionHistoryTests {
  private func row(_ key: Int64) -> RowIdentity { RowIdentity(table: 0, key: .integer(key)) }
  private func image(_ value: Int64) -> RowImage { [.integer(value)] }

  /// A step that touched rows, each with the number of the step before it as value.
  private func step(_ version: Int64, _ rows: Int64...) -> Transition {
    Transition(
      version: version,
      before: Dictionary(uniqueKeysWithValues: rows.map { (row($0), .some(image(version - 1))) }))
  }

  @Test("Steps that no base lies between are made one; what each base sees stays the same")
  func merging() {
    for bases in [[0], [0, 3], [3], [0, 1, 2, 3, 4], [4], [0, 5], [2, 2, 4]] as [[Int64]] {
      var history = TransitionHistory()
      for transition in [step(1, 1), step(2, 1, 2), step(3, 2), step(4, 1, 3), step(5, 2)] {
        history.append(transition)
      }
      let whole = history
      history.trim(bases: bases)
      for base in bases {
        #expect(history.before(since: base) == whole.before(since: base), "\(bases), \(base)")
        #expect(history.hasSteps(after: base) == whole.hasSteps(after: base))
      }
      #expect(history.transitions.count <= Set(bases).count, "\(bases)")
      #expect(history.transitions.allSatisfy { $0.version > bases.min()! })
    }
  }

  @Test("Without an observer nothing is kept")
  func nobody() {
    var history = TransitionHistory()
    history.append(step(1, 1))
    history.trim(bases: [])
    #expect(history.isEmpty)
  }

  @Test("However many commits, there is one image for each row that a base knew")
  func bound() throws {
    var history = TransitionHistory()
    for version in 1...2_000 as ClosedRange<Int64> {
      history.append(step(version, version % 10))
      history.trim(bases: [0, version])
    }
    #expect(history.transitions.count == 1)
    #expect(history.transitions[0].before.count == 10)
    #expect(history.before(since: 0)[row(7)] == .some(image(6)))
  }

  @Test("Rows that came and went do not go on and on")
  func purging() throws {
    var history = TransitionHistory()
    for version in 1...60_000 as ClosedRange<Int64> {
      // A row that was not there before, and will be gone in the end.
      history.append(Transition(version: version, before: [row(version): RowImage?.none]))
      history.trim(bases: [0])
      try history.purge { (row) throws(StoreError) in
        row == self.row(1) ? image(1) : nil
      }
      #expect(history.transitions[0].before.count <= 16_385)
    }
    #expect(history.before(since: 0)[row(1)] == .some(nil), "it is there now")
  }
}
