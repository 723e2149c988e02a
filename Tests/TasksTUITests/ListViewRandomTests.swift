import FoundationEssentials
import LiveStore
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// Random change sets, at random moments, with random motion of the cursor and random sizes, compared with an
/// array.
///
/// `LISTVIEW_SEED` sets the seed, `LISTVIEW_STEPS` the number of steps.
@Suite("A list view under random changes")
struct ListViewRandomTests {
  typealias Item = ListViewHarness.Item

  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }

  @Test(
    "rows equal the array after every change, the cursor stays with its row, nothing jumps, rest is rest",
    arguments: setting("LISTVIEW_SEED").map { [$0] } ?? [1, 2, 3, 4, 5, 6, 7, 8])
  func randomChanges(seed: UInt64) {
    var world = World(seed: seed)
    for step in 0..<(Self.setting("LISTVIEW_STEPS") ?? 800) {
      world.step()
      if let problem = world.problem {
        Issue.record("seed \(seed), step \(step): \(problem)")
        return
      }
    }
  }
}

private struct World {
  typealias Item = ListViewHarness.Item

  var generator: SeededGenerator
  var harness: ListViewHarness
  var time = 0.0
  var nextID = 0
  var problem: String?

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    harness = ListViewHarness([], width: 12, height: 8)
    var items: [Item] = []
    for _ in 0..<random(0...40) { items.append(newItem()) }
    harness = ListViewHarness(items, width: 12, height: 8)
    harness.list.scrollMargin = random(0...3)
  }

  mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func chance(_ percent: Int) -> Bool { random(1...100) <= percent }

  mutating func fail(_ sentence: String) { problem = problem ?? sentence }

  mutating func newItem() -> Item {
    nextID += 1
    return Item(id: nextID, text: text(nextID), height: chance(85) ? 1 : random(1...12))
  }

  mutating func text(_ id: Int) -> String { (chance(50) ? "会x\(id)会" : "r\(id)") }

  mutating func step() {
    switch random(1...100) {
    case 1...45: change()
    case 46...70: moveAbout()
    case 71...74: resize()
    case 75...78: focusOrHold()
    case 79...80: harness.list.isAnimated.toggle()
    case 81...82: harness.list.movesBetweenLines.toggle()
    default: break
    }
    if chance(60) {
      harness.draw(at: time)
      checkFrame()
    }
    // Often within a movement, sometimes long after it.
    time += chance(85) ? Double(random(0...80)) / 1000 : 1
    if chance(25) { rest() }
  }

  // MARK: Changes

  /// A random edit of the array and the change set that describes it.
  mutating func randomEdit() -> (ChangeSet, [Item]) {
    let old = harness.items
    let kind = random(1...20)
    let percent = kind == 1 ? 100 : kind <= 4 ? 50 : kind <= 8 ? 15 : 3
    var changes = ChangeSet()
    var kept: [Item] = []
    var extra: [(item: Item, from: Int?, isModified: Bool)] = []
    for (index, item) in old.enumerated() {
      var item = item
      if chance(percent) {
        changes.deletions.append(index)
      } else if chance(percent) {
        changes.deletions.append(index)
        let isModified = chance(50)
        if isModified { item.text = text(item.id) }
        extra.append((item, index, isModified))
      } else {
        if chance(percent) {
          item.text = text(item.id)
          if chance(30) { item.height = random(1...3) }
          changes.modifications.append(index)
        }
        kept.append(item)
      }
    }
    let most = old.count > 150 ? 0 : kind == 1 ? 60 : kind <= 4 ? 10 : 2
    for _ in 0..<random(0...most) { extra.append((newItem(), nil, false)) }
    extra.shuffle(using: &generator)
    let count = kept.count + extra.count
    let places = Set((0..<count).shuffled(using: &generator).prefix(extra.count))
    var items: [Item] = []
    var rest = kept[...]
    var extras = extra[...]
    for index in 0..<count {
      guard places.contains(index), let new = extras.popFirst() else {
        items.append(rest.removeFirst())
        continue
      }
      items.append(new.item)
      changes.insertions.append(index)
      if let from = new.from {
        changes.moves.append(.init(from: from, to: index, isModified: new.isModified))
      }
    }
    changes.moves.sort { $0.from < $1.from }
    changes.modificationsInNew = changes.modifications.compactMap(changes.newIndex(ofOld:))
    return (changes, items)
  }

  mutating func change() {
    let before = harness
    let (changes, items) = randomEdit()
    let lines = drawnLines()
    let meant = harness.list.meantRow
    let local = chance(20)
    harness.apply(changes, items, isLocal: local, at: time)

    guard harness.list.count == items.count else { return fail("count") }
    let ids = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($0.element.id, $0.offset) })
    for (index, item) in before.items.enumerated() where changes.newIndex(ofOld: index) != ids[item.id] {
      return fail("newIndex(ofOld: \(index)) in \(changes)")
    }
    checkCursor(before: before, changes: changes, ids: ids)
    if !local, let meant, let now = harness.list.meantRow {
      if now.id != meant.id || now.index != (meant.index == nil ? nil : ids[meant.id]) { fail("meant row") }
    }
    if local, harness.list.meantRow?.id != harness.list.selectedID { fail("meant row after a local change") }
    for (reference, old) in [
      (harness.list.focusedIndex, before.list.focusedIndex), (harness.list.heldIndex, before.list.heldIndex),
    ] where reference != old.flatMap({ ids[before.items[$0].id] }) {
      fail("focus or hold")
    }
    // A row on its way goes on from where it was drawn, and one at rest starts from there.
    if harness.list.replaced == nil, harness.list.isAnimated {
      for (id, line) in drawnLines() {
        if let old = lines[id], abs(old - line) > 1e-6 { fail("row \(id) jumped from \(old) to \(line)") }
      }
    }
    for (index, picture) in harness.list.painted {
      guard items.indices.contains(index) else { return fail("picture of no row") }
      guard before.list.painted.values.contains(picture) else { return fail("picture from nowhere") }
    }
  }

  mutating func checkCursor(before: ListViewHarness, changes: ChangeSet, ids: [Int: Int]) {
    let items = harness.items
    guard let old = before.list.selectedIndex else {
      if harness.list.selectedIndex != (items.isEmpty ? nil : 0) { fail("cursor of an empty list") }
      return
    }
    let expected: Int?
    if let index = ids[before.items[old].id] {
      expected = index
    } else {
      let stayed = before.items.indices.filter { !changes.deletions.contains($0) }
      let next = stayed.first { $0 > old } ?? stayed.last { $0 < old }
      expected = next.map { ids[before.items[$0].id]! } ?? (items.isEmpty ? nil : min(old, items.count - 1))
    }
    if harness.list.selectedIndex != expected {
      fail("cursor at \(String(describing: harness.list.selectedIndex)), not \(String(describing: expected))")
    }
    if harness.list.selectedID != harness.list.selectedIndex.map({ items[$0].id }) { fail("cursor's row") }
  }

  /// Where rows are drawn now, by identity; of those in sight.
  func drawnLines() -> [Int: Double] {
    var result: [Int: Double] = [:]
    let list = harness.list
    guard list.lastFrame != nil else { return [:] }
    for place in list.layout where list.motions[place.index] == nil {
      result[harness.items[place.index].id] = Double(place.line)
    }
    for (index, motion) in list.motions where motion.isVisible(at: time, height: list.height) {
      result[harness.items[index].id] = motion.line(at: time)
    }
    return result
  }

  // MARK: Everything else

  mutating func moveAbout() {
    switch random(0...9) {
    case 0: harness.list.moveSelection(by: random(-3...3))
    case 1: harness.list.moveSelection(by: 1)
    case 2: harness.list.moveSelection(byPages: random(-2...2))
    case 3: harness.list.moveSelection(byHalfPages: random(-2...2))
    case 4: harness.list.select(0)
    case 5: harness.list.select(harness.list.count - 1)
    case 6: harness.list.scroll(byLines: random(-9...9))
    case 7: harness.list.select(random(-5...200))
    case 8: harness.list.scroll(to: .init(row: random(-3...100), line: random(-3...10)))
    default: harness.list.moveSelection(by: -1)
    }
    let selected = harness.list.selectedIndex
    if (selected == nil) != harness.items.isEmpty { fail("cursor exists exactly when rows do") }
    if let selected, !harness.items.indices.contains(selected) { fail("cursor outside") }
  }

  mutating func resize() {
    harness.width = chance(20) ? random(0...2) : random(3...30)
    harness.height = chance(20) ? random(0...2) : random(3...20)
  }

  mutating func focusOrHold() {
    switch random(0...3) {
    case 0: harness.list.focus(random(-1...60), line: random(0...12), at: .seconds(time))
    case 1: harness.list.hold(chance(50) ? random(-1...60) : nil)
    default: harness.list.unfocus(at: .seconds(time))
    }
  }

  // MARK: Frames

  mutating func checkFrame() {
    let frame = harness.frame
    for line in 0..<frame.height {
      var column = 0
      while column < frame.width {
        let width = Int(frame[column, line].width)
        guard width > 0, width == 1 || (column + 1 < frame.width && frame[column + 1, line].width == 0) else {
          return fail("half a wide cluster at column \(column), line \(line)")
        }
        column += width
      }
    }
    if Set(harness.drawn).count != harness.drawn.count { fail("a row drawn twice") }
    if harness.drawn.count > 6 * max(1, harness.height) + 8 { fail("\(harness.drawn.count) rows drawn") }
    if harness.list.meantRow?.id != harness.list.selectedID { fail("what is painted is not what is meant") }
    let next = harness.list.nextFrame(after: .seconds(time))
    if (next != nil) != harness.list.isAnimating(at: .seconds(time)) { fail("a frame is due, or none") }
  }

  /// Some time later the picture is that of a list view that has never known anything but these rows, and is
  /// right.
  mutating func rest() {
    time += 0.45
    if harness.list.isAnimating(at: .seconds(time)) { fail("still moving") }
    harness.draw(at: time)
    checkFrame()
    if harness.list.nextFrame(after: .seconds(time)) != nil { fail("a frame is due at rest") }
    let list = harness.list
    var fresh = ListViewHarness(harness.items, width: harness.width, height: harness.height)
    fresh.list.scrollMargin = list.scrollMargin
    fresh.list.resize(width: harness.width, height: harness.height)
    if let index = list.selectedIndex { fresh.list.select(index) }
    if list.isFocused { fresh.list = focused(fresh.list, like: list) }
    fresh.list.hold(list.heldIndex)
    fresh.list.scroll(to: list.scrollPosition)
    fresh.draw(at: time + 10)
    if fresh.list.scrollPosition != list.scrollPosition { return fail("scroll position is not at rest") }
    if fresh.frame != harness.frame { return fail("\(harness.texts) instead of \(fresh.texts)") }
    checkRest()
  }

  /// Focus cannot be restored where its row is gone: then the settled state is copied.
  private func focused(_ fresh: ListView<Int>, like list: ListView<Int>) -> ListView<Int> {
    var copy = list
    copy.settle()
    return copy
  }

  /// The picture against the array, without any list view.
  mutating func checkRest() {
    let list = harness.list
    guard harness.width > 0, harness.height > 0 else { return }
    var expected: [(item: Item, index: Int, line: Int)] = []
    for (index, item) in harness.items.enumerated().dropFirst(list.scrollPosition.row) {
      guard expected.count < harness.height + 20 else { break }
      for line in 0..<item.height { expected.append((item, index, line)) }
    }
    expected.removeFirst(min(expected.count, list.scrollPosition.line))
    for line in 0..<harness.height {
      guard line < expected.count else {
        if harness.text(line) != "" { fail("text below the rows") }
        continue
      }
      let row = expected[line]
      let text = row.line == 0 ? row.item.text : "+"
      if !text.hasPrefix(harness.text(line)) { fail("line \(line): \(harness.text(line)), not \(text)") }
      if !list.isFocused, row.index != list.selectedIndex, row.index != list.heldIndex {
        let color = Gradient.tasks.color(row: row.index, of: harness.items.count)
        if harness.frame[0, line].style.background != color { fail("color of line \(line)") }
      }
    }
    if let selected = list.selectedIndex, !list.layout.contains(where: { $0.index == selected }) {
      fail("cursor out of sight")
    }
    if !list.isFocusOnTop, list.scrollPosition != .init(), expected.count < harness.height {
      fail("empty lines below")
    }
  }
}
