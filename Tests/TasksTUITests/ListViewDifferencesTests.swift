import TestSupport
import Testing

@testable import TasksTUI

/// Frames in which only the rows that look different are drawn, compared with frames that are drawn anew.
@Suite("A list view draws what differs")
struct ListViewDifferencesTests {
  @Test("Whatever happened since the last frame, the picture is that of all rows drawn anew")
  func random() {
    var random = SeededGenerator()
    for _ in 0..<30 {
      var harness = ListViewHarness(count: .random(in: 0...40, using: &random), width: 12, height: 8)
      harness.list.isAnimated = .random(using: &random)
      harness.list.scrollMargin = .random(in: 0...2, using: &random)
      harness.draw(at: 0)
      var time = 0.0
      for step in 0..<60 {
        time += [0.01, 1].randomElement(using: &random)!
        let hasChanged = change(&harness, step, at: time, &random)
        var anew = harness
        let all = anew.draw(at: time)
        #expect(harness.draw(at: time, isContentSame: !hasChanged) == all, "\(random.comment)")
        #expect(harness.list.paintedRows.map(\.id) == anew.list.paintedRows.map(\.id), "\(random.comment)")
        #expect(
          harness.list.paintedRows.map(\.lines) == anew.list.paintedRows.map(\.lines), "\(random.comment)")
        #expect(harness.list.painted == anew.list.painted, "\(random.comment)")
      }
    }
  }

  /// Takes a step; returns whether a row shows something else than before.
  private func change(
    _ harness: inout ListViewHarness, _ step: Int, at time: Double, _ random: inout SeededGenerator
  ) -> Bool {
    let count = harness.items.count
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9: harness.list.moveSelection(by: .random(in: -2...2, using: &random))
    case 9: harness.list.moveSelection(byPages: .random(in: -1...1, using: &random))
    case 10: harness.list.scroll(byLines: .random(in: -3...3, using: &random))
    case 11: harness.width = .random(in: 1...14, using: &random)
    case 12: harness.height = .random(in: 0...9, using: &random)
    case 13 where count > 0: harness.list.focus(.random(in: 0..<count, using: &random), at: .seconds(time))
    case 14: harness.list.unfocus(at: .seconds(time))
    case 15 where count > 0: harness.list.hold(.random(in: 0..<count, using: &random))
    case 16: harness.list.hold(nil)
    case 17:
      let item = ListViewHarness.Item(id: 1000 + step, text: "new\(step)")
      harness.insert(item, at: .random(in: 0...count, using: &random), at: time)
      return true
    case 18 where count > 0:
      harness.delete(.random(in: 0..<count, using: &random), at: time)
      return true
    default: break
    }
    return false
  }

  @Test("While the cursor moves, two rows are drawn")
  func cursor() {
    var harness = ListViewHarness(count: 30)
    harness.draw(at: 0)
    harness.draw(at: 1)
    harness.list.moveSelection(by: 3)
    harness.draw(at: 2, isContentSame: true)
    #expect(harness.drawn == [0, 3])
  }
}
