import LiveStore
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// Frames of an animation at 60 per second, looked at one by one.
@Suite("A list view in motion")
struct ListViewAnimationTests {
  typealias Item = ListViewHarness.Item

  /// Draws frames from `start` as the list view asks for them, and hands each with its time to `look`.
  private func record(
    _ harness: inout ListViewHarness, from start: Double, _ look: (inout ListViewHarness, Double) -> Void
  ) {
    var time = start
    var frames = 0
    while true {
      harness.draw(at: time)
      look(&harness, time)
      guard let next = harness.list.nextFrame(after: .seconds(time)) else { break }
      #expect(next > .seconds(time))
      time = Motion.seconds(next)
      frames += 1
      guard frames < 200 else {
        Issue.record("an animation without end")
        break
      }
    }
  }

  @Test("a deleted row slides out to the left, fades, and the gap closes")
  func deletion() {
    var harness = ListViewHarness(count: 8)
    harness.draw(at: 0)
    harness.delete(2, at: 1)
    var shifts: [Int] = []
    var brightness: [Int] = []
    var belowLines: [Int] = []
    record(&harness, from: 1) { harness, _ in
      // "row2" loses its first letters one by one: "ow2", "w2", "2".
      let line = harness.text(2)
      if let shift = ["row2", "ow2", "w2", "2"].firstIndex(where: { line.hasPrefix($0) }) {
        shifts.append(shift)
        brightness.append(Int(harness.frame[0, 2].style.background?.red ?? 0))
      }
      if let line = harness.line(of: "row3") { belowLines.append(line) }
    }
    #expect(shifts.first == 0)
    #expect(shifts == shifts.sorted())
    #expect(Set(shifts).count >= 3, "on its way in at least three places: \(shifts)")
    #expect(brightness == brightness.sorted(by: >))
    #expect(brightness.last! < brightness.first! / 2 + 60)
    #expect(belowLines.last == 2)
    #expect(harness.texts == (0..<8).filter { $0 != 2 }.map { "row\($0)" } + ["", "", ""])
  }

  @Test(
    "the rows below a deleted one pass between two lines while they close the gap, text and ground as one")
  func betweenLines() {
    var harness = ListViewHarness(count: 4)
    harness.draw(at: 0)
    harness.delete(1, at: 1)
    var grounds: Set<RGB> = []
    record(&harness, from: 1) { harness, _ in
      // The last row leaves its line by and by.
      if let ground = harness.frame[19, 3].style.background { grounds.insert(ground) }
      for line in 0..<5 {
        // The deleted row slides out above the first two.
        let grounds = Set((0..<20).map { harness.frame[$0, line].style.background })
        if line > 2 { #expect(grounds.count == 1, "the cells of text have the ground of those beside them") }
        let hasBlocks = harness.frame.text(line: line).contains { !$0.isASCII }
        #expect(!hasBlocks)
      }
    }
    #expect(grounds.count >= 4, "\(grounds)")

    harness = ListViewHarness(count: 4)
    harness.list.movesBetweenLines = false
    harness.draw(at: 0)
    harness.delete(1, at: 1)
    record(&harness, from: 1) { harness, _ in
      for line in 0..<10 { #expect(harness.frame[19, line].text == " ") }
    }
  }

  @Test("a gap opens and the new row fades in inside it")
  func insertion() {
    var harness = ListViewHarness(count: 5)
    harness.list.movesBetweenLines = false
    harness.draw(at: 0)
    harness.insert(Item(id: 100, text: "new"), at: 1, at: 1)
    var seen: [Int] = []
    record(&harness, from: 1) { harness, _ in
      #expect(harness.text(0) == "row0")
      if harness.line(of: "new") == 1 { seen.append(Int(harness.frame[0, 1].style.background?.red ?? 0)) }
    }
    #expect(seen == seen.sorted(), "brighter and brighter: \(seen)")
    #expect(Set(seen).count > 3)
    #expect(harness.texts.prefix(6) == ["row0", "new", "row1", "row2", "row3", "row4"])
  }

  @Test("a moved row is found between its places, above the rows it passes")
  func move() {
    var harness = ListViewHarness(count: 9)
    harness.draw(at: 0)
    harness.move(0, to: 8, at: 1)
    var lines: [Int] = []
    record(&harness, from: 1) { harness, _ in
      let line = harness.line(of: "row0")
      #expect(line != nil, "never hidden by another row")
      if let line { lines.append(line) }
    }
    #expect(lines.first == 0)
    #expect(lines.last == 8)
    #expect(lines == lines.sorted())
    #expect(Set(lines).count >= 6, "\(lines)")
  }

  @Test("a modified row flashes and fades back")
  func modification() {
    var harness = ListViewHarness(count: 5)
    let rest = harness.draw(at: 0)
    harness.apply(.modification(at: 3), harness.items, at: 1)
    var flashes: [Double] = []
    record(&harness, from: 1) { harness, _ in
      flashes.append(harness.flashes[3] ?? 0)
      #expect(harness.flashes.keys.allSatisfy { $0 == 3 })
      if let flash = harness.flashes[3], flash > 0.1 { #expect(harness.frame != rest) }
    }
    #expect(flashes.first == 1)
    #expect(flashes.last == 0)
    #expect(zip(flashes, flashes.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(flashes.count { $0 > 0 && $0 < 1 } > 10)
    #expect(harness.frame == rest)
  }

  @Test("a moved row that was modified too flashes on its way")
  func moveAndModification() {
    var harness = ListViewHarness(count: 5)
    harness.draw(at: 0)
    var items = harness.items
    items.insert(items.remove(at: 1), at: 4)
    items[4].text = "done"
    harness.apply(.move(from: 1, to: 4, isModified: true), items, at: 1)
    harness.draw(at: 1.02)
    #expect(harness.flashes.keys.contains(4))
  }

  @Test("colors go gradually to the new place")
  func colors() {
    var harness = ListViewHarness(count: 13)
    // Between two lines it has something of the other row's.
    harness.list.movesBetweenLines = false
    harness.height = 13
    harness.list.select(12)
    harness.draw(at: 0)
    let before = Gradient.tasks.color(row: 5, of: 13)
    let after = Gradient.tasks.color(row: 4, of: 13)
    harness.delete(0, at: 1)
    var greens: [Int] = []
    record(&harness, from: 1) { harness, _ in
      if let line = harness.line(of: "row5"), let color = harness.frame[0, line].style.background {
        greens.append(Int(color.green))
      }
    }
    #expect(greens.first == Int(before.green))
    #expect(greens.last == Int(after.green))
    #expect(Set(greens).count > 5)
  }

  @Test("a change that arrives on the way starts from where each row is drawn")
  func joining() {
    var harness = ListViewHarness(count: 9)
    harness.draw(at: 0)
    harness.move(0, to: 8, at: 1)
    harness.draw(at: 1.08)
    let before = harness.line(of: "row0")!
    #expect(before > 0 && before < 8)
    harness.move(8, to: 0, at: 1.08)
    harness.draw(at: 1.08)
    #expect(harness.line(of: "row0") == before)
    var lines: [Int] = []
    record(&harness, from: 1.09) { harness, _ in lines.append(harness.line(of: "row0") ?? -1) }
    #expect(zip(lines, lines.dropFirst()).allSatisfy { abs($0 - $1) <= 2 }, "no jump: \(lines)")
    #expect(lines.last == 0)
    #expect(harness.texts.prefix(9) == (0..<9).map { "row\($0)" }[...])
  }

  @Test("a ghost goes on when another change arrives")
  func ghostContinues() {
    var harness = ListViewHarness(count: 6)
    harness.draw(at: 0)
    harness.delete(1, at: 1)
    harness.draw(at: 1.1)
    let slid = harness.text(1)
    harness.insert(Item(id: 50, text: "new"), at: 5, at: 1.1)
    harness.draw(at: 1.1)
    #expect(harness.text(1) == slid)
    #expect(harness.list.ghosts.count == 1)
  }

  @Test("more than a screenful of changes is one fade of the whole picture")
  func bulk() {
    var harness = ListViewHarness(count: 40)
    let old = harness.draw(at: 0)
    let items = (100..<140).map { Item(id: $0, text: "row\($0)") }
    harness.apply(
      ChangeSet(deletions: Array(0..<40), insertions: Array(0..<40)), items, at: 1)
    harness.draw(at: 1)
    #expect(harness.texts == (0..<10).map { "row\($0)" })
    #expect(harness.list.motions.isEmpty && harness.list.ghosts.isEmpty)
    var pictures = 0
    record(&harness, from: 1.01) { harness, _ in
      if harness.frame != old { pictures += 1 }
      for line in 0..<10 { #expect(["row\(line)", "row\(line + 100)"].contains(harness.text(line))) }
    }
    #expect(pictures > 10)
    #expect(harness.texts == (100..<110).map { "row\($0)" })
  }

  @Test("clearing many rows that are not in sight moves nothing in sight")
  func changesOutside() {
    var harness = ListViewHarness(count: 100)
    // One color, because those of all rows change with the number of rows.
    harness.list.gradient = Gradient([RGB(80, 80, 80)])
    let rest = harness.draw(at: 0.5)
    let items = Array(harness.items[0..<50] + harness.items[90...])
    harness.apply(ChangeSet(deletions: Array(50..<90)), items, at: 1)
    #expect(!harness.list.isAnimating(at: .seconds(1)))
    #expect(harness.list.nextFrame(after: .seconds(1)) == nil)
    #expect(harness.draw(at: 1) == rest)
  }

  @Test("nothing moves with animation off")
  func animationOff() {
    var harness = ListViewHarness(count: 5)
    harness.list.isAnimated = false
    harness.draw(at: 0)
    harness.delete(1, at: 1)
    #expect(!harness.list.isAnimating(at: .seconds(1)))
    #expect(harness.list.nextFrame(after: .seconds(1)) == nil)
    harness.draw(at: 1)
    #expect(harness.texts.prefix(5) == ["row0", "row2", "row3", "row4", ""])
  }

  @Test("at rest no frame is asked for; in motion at most 60 a second, the last of them at rest")
  func frameTimes() {
    var harness = ListViewHarness(count: 5)
    harness.draw(at: 0)
    #expect(harness.list.nextFrame(after: .seconds(5)) == nil)
    harness.delete(1, at: 10)
    #expect(harness.list.isAnimating(at: .seconds(10)))
    #expect(harness.list.nextFrame(after: .seconds(10)) == .seconds(10), "long after the last frame: at once")
    var times: [Double] = []
    record(&harness, from: 10) { _, time in times.append(time) }
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 1.0 / 60 - 1e-9 })
    #expect(times.count <= 17)
    #expect(!harness.list.isAnimating(at: .seconds(times.last!)))

    // Late: the end has passed, but the picture at rest was not drawn yet.
    harness.delete(1, at: 20)
    harness.draw(at: 20.1)
    #expect(!harness.list.isAnimating(at: .seconds(30)))
    #expect(harness.list.nextFrame(after: .seconds(30)) == .seconds(30))
    harness.draw(at: 30)
    #expect(harness.list.nextFrame(after: .seconds(30)) == nil)
  }

  @Test("all rows but the focused one are dimmed to 30 %, gradually")
  func focus() {
    var harness = ListViewHarness(count: 5)
    harness.list.scrollsToFocus = false
    harness.draw(at: 0)
    let bright = harness.frame[0, 3].style.background!
    harness.list.focus(1, at: .seconds(1))
    harness.draw(at: 1.05)
    let onTheWay = harness.frame[0, 3].style.background!
    harness.draw(at: 2)
    let dim = harness.frame[0, 3].style.background!
    #expect(dim.red < onTheWay.red && onTheWay.red < bright.red)
    #expect(dim == RGB.black.blended(with: bright, amount: 0.3))
    #expect(harness.list.selectedIndex == 1)
    #expect(harness.frame.cursor?.column == 4 && harness.frame.cursor?.line == 1)
    harness.delete(1, at: 3)
    #expect(harness.list.focusedIndex == nil && harness.list.isFocused)
    harness.list.unfocus(at: .seconds(4))
    harness.draw(at: 5)
    #expect(harness.frame[0, 3].style.background == Gradient.tasks.color(row: 3, of: 4))
    #expect(harness.list.nextFrame(after: .seconds(5)) == nil)
  }

  @Test("a focused row travels to the top, whatever is below it, and back when the focus ends")
  func focusOnTop() {
    var harness = ListViewHarness(count: 8)
    harness.draw(at: 0)
    let place = harness.line(of: "row5")
    harness.list.focus(5, at: .seconds(1))
    var lines: [Int] = []
    record(&harness, from: 1) { harness, _ in
      // Out of sight for no frame.
      #expect(harness.line(of: "row5") != nil)
      lines.append(harness.line(of: "row5") ?? -1)
    }
    #expect(lines == lines.sorted(by: >) && lines.last == 0 && Set(lines).count > 2, "\(lines)")
    #expect(harness.list.layout.first?.index == 5 && harness.line(of: "row7") == 2)
    // It stays there while rows above it come and go.
    harness.insert(.init(id: 99, text: "new"), at: 0, at: 3)
    harness.draw(at: 4)
    #expect(harness.line(of: "row5") == 0 && harness.list.focusedIndex == 6)
    harness.list.unfocus(at: .seconds(5))
    harness.draw(at: 6)
    #expect(harness.line(of: "row5") == place.map { $0 + 1 } && harness.list.scrollPosition == .init())
  }

  @Test("a held row goes above the others")
  func hold() {
    var harness = ListViewHarness(count: 5)
    harness.list.hold(2)
    harness.draw(at: 0)
    harness.move(2, to: 3, at: 1)
    #expect(harness.list.heldIndex == 3)
    record(&harness, from: 1) { harness, _ in #expect(harness.line(of: "row2") != nil) }
    harness.delete(3, at: 3)
    #expect(harness.list.heldIndex == nil)
  }
}
