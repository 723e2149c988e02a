import LiveStore
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("The list view's values")
struct ListViewValuesTests {
  @Test("a draft row among the collection's rows shifts the changes around it")
  func draft() {
    let changes = ChangeSet(
      deletions: [0], insertions: [3], modifications: [2], modificationsInNew: [1])
    #expect(changes.showingDraft(at: nil, then: nil) == changes)
    #expect(ChangeSet().showingDraft(at: nil, then: 2) == .insertion(at: 2))
    #expect(ChangeSet().showingDraft(at: 2, then: nil) == .deletion(at: 2))
    #expect(ChangeSet().showingDraft(at: 2, then: 2) == ChangeSet())
    #expect(ChangeSet().showingDraft(at: 2, then: 0) == .move(from: 2, to: 0))
    #expect(
      changes.showingDraft(at: 2, then: 1)
        == ChangeSet(deletions: [0], insertions: [4], modifications: [3], modificationsInNew: [2]))
    #expect(
      ChangeSet.move(from: 0, to: 2).showingDraft(at: 1, then: 0)
        == ChangeSet(deletions: [0], insertions: [3], moves: [.init(from: 0, to: 3)]))
  }

  @Test("RealmTasks' colors: the gradient at i / max(13, n), text by contrast")
  func gradient() {
    #expect(Gradient.tasks.color(row: 0, of: 1) == RGB(231, 167, 118))
    #expect(Gradient.tasks.color(at: 1) == RGB(88, 124, 206))
    #expect(Gradient.tasks.color(at: 0.5) == RGB(242, 81, 145))
    #expect(Gradient.tasks.color(row: 14, of: 28) == RGB(242, 81, 145))
    // Every second row of a long list.
    #expect(Gradient.tasks.color(row: 49, of: 98) == RGB(242, 81, 145).blended(with: .white, amount: 0.08))
    #expect(Gradient.tasks.color(row: 3, of: 4) == Gradient.tasks.color(at: 3.0 / 13))
    #expect(Gradient.lists.color(at: 0) == RGB(6, 147, 251))
    #expect(Gradient([]).color(at: 0.3) == .black)
    #expect(RGB(231, 167, 118).contrastingText == .black)
    #expect(RGB(56, 71, 126).contrastingText == .white)
  }

  @Test("a motion reaches zero in its time and never jumps, however often it is displaced")
  func motion() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var motion = Motion.still
      var time = 0.0
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let before = motion.value(at: time)
        let distance = Double.random(in: -30...30, using: &generator)
        motion.displace(by: distance, at: time, duration: 0.25)
        #expect(abs(motion.value(at: time) - before - distance) < 1e-9)
        let reach = max(abs(before + distance), 1e-9)
        for step in 0...25 {
          #expect(abs(motion.value(at: time + Double(step) / 100)) <= reach * 1.3)
        }
        #expect(motion.value(at: time + 0.25) == 0)
        time += Double.random(in: 0...0.3, using: &generator)
      }
    }
  }

  @Test(
    "where two rows meet within a line it has the ground of both, and wide clusters are never cut in half")
  func composition() {
    var upper = Canvas(width: 4, height: 1, filledWith: Cell(style: Style(background: RGB(8, 8, 8))))
    upper[1, 0].text = "会"
    upper[1, 0].width = 2
    upper[2, 0].text = ""
    upper[2, 0].width = 0
    let lower = Canvas(width: 4, height: 1, filledWith: Cell(style: Style(background: RGB(16, 16, 16))))
    var canvas = Canvas(width: 4, height: 2)
    canvas.compose(
      [
        RowLayer(picture: upper, line: 0.25, level: .ordinary, isStepped: false),
        RowLayer(picture: lower, line: 1.25, level: .ordinary, isStepped: false),
      ], backdrop: Style())
    // Six parts of the line have the lower ground, two the upper; the text is on the line with most of it.
    #expect(canvas[0, 1] == Cell(style: Style(background: RGB(14, 14, 14))))
    #expect(canvas[1, 0].text == "会")
    #expect(canvas[1, 0].style.background == canvas[3, 0].style.background)

    canvas = Canvas(width: 4, height: 1)
    canvas.compose(
      [RowLayer(picture: upper, line: 0, column: -2, level: .leaving, isStepped: false)], backdrop: Style())
    #expect(canvas[0, 0] == Cell(style: Style(background: RGB(8, 8, 8))))
  }
}
