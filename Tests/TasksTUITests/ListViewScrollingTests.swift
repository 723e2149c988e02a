import LiveStore
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("A list view's cursor and scrolling")
struct ListViewScrollingTests {
  typealias Item = ListViewHarness.Item

  @Test("the cursor stays in sight with its margin, except at the ends")
  func margin() {
    var harness = ListViewHarness(count: 50)
    harness.list.scrollMargin = 2
    harness.draw(at: 0)
    for step in 1..<50 {
      harness.list.moveSelection(by: 1)
      harness.draw(at: 0)
      let line = harness.line(of: "row\(step)")
      #expect(line != nil && (line! <= 7 || step > 47))
    }
    #expect(harness.text(9) == "row49")
    for step in (0..<49).reversed() {
      harness.list.moveSelection(by: -1)
      harness.draw(at: 0)
      let line = harness.line(of: "row\(step)")
      #expect(line != nil && (line! >= 2 || step < 2))
    }
    #expect(harness.text(0) == "row0")
  }

  @Test("pages, half pages, first and last")
  func pages() {
    var harness = ListViewHarness(count: 100)
    harness.draw(at: 0)
    harness.list.moveSelection(byPages: 1)
    #expect(harness.list.selectedIndex == 9)
    #expect(harness.list.scrollPosition.row == 9)
    harness.list.moveSelection(byHalfPages: -1)
    #expect(harness.list.selectedIndex == 4)
    harness.list.select(harness.list.count - 1)
    #expect(harness.list.selectedIndex == 99)
    #expect(harness.list.scrollPosition.row == 90)
    harness.list.moveSelection(byPages: 5)
    #expect(harness.list.selectedIndex == 99)
    harness.list.select(0)
    #expect(harness.list.scrollPosition.row == 0)
    harness.list.moveSelection(by: .min)
    #expect(harness.list.selectedIndex == 0)
    harness.list.moveSelection(by: .max)
    #expect(harness.list.selectedIndex == 99)
    harness.list.moveSelection(by: .max)
    #expect(harness.list.selectedIndex == 99)
  }

  @Test("a wheel takes the cursor along")
  func wheel() {
    var harness = ListViewHarness(count: 100)
    harness.list.scrollMargin = 1
    harness.draw(at: 0)
    harness.list.scroll(byLines: 5)
    #expect(harness.list.scrollPosition.row == 5)
    #expect(harness.list.selectedIndex == 6)
    harness.list.scroll(byLines: -100)
    #expect(harness.list.scrollPosition.row == 0)
    #expect(harness.list.selectedIndex == 6)
    #expect(harness.list.rowIndex(atLine: 3) == 3)
  }

  @Test("rows of several lines are shown whole when the cursor comes to them")
  func heights() {
    var harness = ListViewHarness((0..<30).map { Item(id: $0, text: "row\($0)", height: $0 % 4 + 1) })
    harness.draw(at: 0)
    for step in 0..<30 {
      harness.list.select(step)
      harness.draw(at: 0)
      let place = harness.list.layout.first { $0.index == step }!
      #expect(place.line >= 0 && place.lineAfter <= 10)
    }
    #expect(harness.list.rowIndex(atLine: 9) == 29)
    #expect(harness.list.layout.last?.lineAfter == 10)
  }

  @Test("of a row taller than the view, the line with the text cursor is shown")
  func tallRow() {
    var harness = ListViewHarness(count: 5, height: 4)
    harness.items[2].height = 9
    harness.list.reload(ListViewHarness.rows(harness.items))
    harness.draw(at: 0)
    for line in [0, 8, 3, 0, 5] {
      harness.list.focus(2, line: line, at: .zero)
      harness.draw(at: 0)
      let place = harness.list.layout.first { $0.index == 2 }!
      #expect((0..<4).contains(place.line + line))
    }
    harness.list.unfocus(at: .zero)
    // The cursor gets past it.
    for _ in 0..<10 { harness.list.moveSelection(byPages: 1) }
    #expect(harness.list.selectedIndex == 4)
  }

  @Test("what changes above the view is not seen; at the very top new rows come into sight")
  func anchoring() {
    var harness = ListViewHarness(count: 50)
    harness.draw(at: 0)
    harness.list.select(30)
    harness.draw(at: 0)
    let top = harness.text(0)
    harness.insert(Item(id: 99, text: "new"), at: 3, at: 1)
    harness.draw(at: 2)
    #expect(harness.text(0) == top)
    harness.delete(0, at: 3)
    harness.draw(at: 4)
    #expect(harness.text(0) == top)
    harness.list.select(0)
    harness.draw(at: 4)
    harness.insert(Item(id: 98, text: "first"), at: 0, at: 5)
    harness.draw(at: 6)
    #expect(harness.text(0) == "first")
    #expect(harness.list.selectedIndex == 1)
  }

  @Test("the cursor follows its row; when that is deleted it goes to the next, at the end to the previous")
  func cursorFollows() {
    var harness = ListViewHarness(count: 6)
    harness.list.select(2)
    harness.draw(at: 0)
    harness.move(2, to: 5, at: 1)
    #expect(harness.list.selectedID == 2)
    harness.move(5, to: 1, at: 1)
    #expect(harness.list.selectedIndex == 1)
    harness.delete(1, at: 2)
    #expect(harness.list.selectedID == 1)
    harness.list.select(harness.list.count - 1)
    let last = harness.list.selectedIndex!
    harness.delete(last, at: 3)
    #expect(harness.list.selectedIndex == last - 1)
    while !harness.items.isEmpty { harness.delete(0, at: 4) }
    #expect(harness.list.selectedIndex == nil)
    harness.draw(at: 9)
    #expect(harness.texts.joined() == "")
    harness.insert(Item(id: 7, text: "again"), at: 0, at: 10)
    #expect(harness.list.selectedIndex == 0)
  }

  @Test("a key means the row that was seen under the cursor, not the one that slipped into its place")
  func meantRow() {
    var harness = ListViewHarness(count: 6)
    harness.list.select(2)
    harness.draw(at: 0)
    #expect(harness.list.meantRow?.id == 2)
    // Moved by someone else: still meant, at its new index.
    harness.move(2, to: 4, at: 1)
    #expect(harness.list.meantRow?.id == 2 && harness.list.meantRow?.index == 4)
    // Deleted by someone else: nothing is meant until the next frame.
    harness.delete(4, at: 1)
    #expect(harness.list.meantRow?.id == 2 && harness.list.meantRow?.wasDeleted == true)
    #expect(harness.list.selectedID == 5)
    harness.draw(at: 1.1)
    #expect(harness.list.meantRow?.id == 5 && harness.list.meantRow?.wasDeleted == false)
  }

  @Test("moving on from a row that was deleted unseen counts from the gap it left")
  func movingFromAGap() {
    var harness = ListViewHarness(count: 6)
    harness.list.select(2)
    harness.draw(at: 0)
    harness.delete(2, at: 1)
    harness.list.moveSelection(by: 1)
    #expect(harness.list.selectedID == 3, "the row after the one that was seen")
    #expect(harness.list.meantRow?.id == 3)

    harness.list.select(2)
    harness.draw(at: 2)
    harness.delete(2, at: 3)
    harness.list.moveSelection(by: -1)
    #expect(harness.list.selectedID == 1, "the row before the one that was seen")

    harness.list.select(harness.list.count - 1)
    harness.draw(at: 4)
    harness.delete(harness.items.count - 1, at: 5)
    harness.list.moveSelection(by: -1)
    #expect(harness.list.selectedIndex == harness.items.count - 1)
  }

  @Test("after a change made here, keys mean the row the cursor went to")
  func localChange() {
    var harness = ListViewHarness(count: 6)
    harness.draw(at: 0)
    var items = harness.items
    items.remove(at: 0)
    harness.apply(.deletion(at: 0), items, isLocal: true, at: 1)
    #expect(harness.list.meantRow?.id == 1)
  }

  @Test("a million rows: drawing, scrolling and changes ask about the visible rows only")
  func cost() {
    final class Counter { var calls = 0 }
    let counter = Counter()
    let n = 1_000_000
    // A few walks over the 24 visible lines.
    let most = 16 * 24
    func rows(_ count: Int) -> ListViewRows<Int> {
      ListViewRows(
        count: count,
        id: {
          counter.calls += 1
          return $0
        },
        height: { _, _ in
          counter.calls += 1
          return 1
        })
    }
    var list = ListView(rows: rows(n))
    var content = 0
    func draw(_ time: Double) {
      var canvas = Canvas(width: 80, height: 24)
      list.draw(into: &canvas, rect: CellRect(width: 80, height: 24), at: .seconds(time)) { _, _ in
        content += 1
      }
    }
    /// Calls of every closure that a step takes.
    func calls(_ step: () -> Void) -> Int {
      counter.calls = 0
      content = 0
      step()
      return counter.calls + content
    }
    draw(0)
    #expect(calls { draw(0) } <= most)
    #expect(calls { list.select(list.count - 1) } <= most)
    #expect(calls { draw(0) } <= most)
    #expect(calls { list.select(n / 2) } <= most)
    #expect(calls { list.moveSelection(byPages: -3) } <= most)
    #expect(calls { list.scroll(byLines: 10) } <= most)
    draw(0)
    var count = n
    for (step, changes) in [
      ChangeSet.deletion(at: n / 2), .insertion(at: 0), .insertion(at: n / 2 - 100), .deletion(at: 3),
      .move(from: 5, to: n - 10), .move(from: n / 2, to: 7), .modification(at: n / 2),
      .move(from: list.selectedIndex ?? 0, to: 2),
    ].enumerated() {
      count += changes.insertions.count - changes.deletions.count
      let time = Double(step)
      #expect(calls { list.apply(changes, newRows: rows(count), at: .seconds(time)) } <= most)
      #expect(calls { draw(time + 0.1) } <= most)
    }
    // Everything replaced, with as many changes as rows: the closures still see the visible rows only.
    let all = ChangeSet(deletions: Array(0..<count), insertions: Array(0..<count))
    #expect(calls { list.apply(all, newRows: rows(count), at: .seconds(50)) } <= most)
    #expect(calls { draw(50.1) } <= most)
  }
}
