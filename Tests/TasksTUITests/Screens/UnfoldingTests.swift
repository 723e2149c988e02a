import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Counts of subtasks, and subtasks beneath their tasks")
struct UnfoldingTests {
  @Test("A task tells how many of its subtasks are done, one without says nothing")
  func count() throws {
    let app = try AppHarness(["a", "party", "c"], width: 30)
    let place = try app.addSubtasks(["cake", "Music", "Ice"], to: "party")
    #expect(app.rows[1].hasPrefix("party    ") && app.rows[1].hasSuffix("    2/3"))
    #expect(app.words == ["a", "party 2/3", "c"] && app.title.hasSuffix("3 open"))
    let other = try app.other()
    try other.toggleCompleted([app.id("cake")], in: RowScope(place))
    try app.settle()
    #expect(app.words[1] == "party 3/3")
    try other.clearCompleted(in: RowScope(place))
    try app.settle()
    #expect(app.words[1] == "party")
    // A text that is long wraps in front of the count.
    try other.add("cake", to: place)
    try other.edit(app.id("party"), in: RowScope(app.place), text: "one two three four five six seven")
    try app.settle()
    #expect(app.rows[1].hasSuffix(" 0/1") && app.rows[2] == "  five six seven")
    try app.press("P")
    app.type("A")
    try app.press("Enter", "j", "P")
    app.type("A")
    try app.press("Enter")
    #expect(app.rows[1].hasSuffix("0/1 A") || app.rows[1].contains(" 0/1  A"))
  }

  @Test("z shows the subtasks beneath their task, and follows what others do to them")
  func unfold() throws {
    let app = try AppHarness(["a", "party", "c"], width: 60)
    let place = try app.addSubtasks(["cake", "Music"], to: "party")
    let other = try app.other()
    try app.press("z")
    #expect(app.status.contains("“a” has no subtasks; S adds one"))
    try app.press("j", "z")
    #expect(app.words == ["a", "party 1/2", "○ cake", "✓ Music", "c"])
    #expect(app.rows[2] == "  ○ cake")
    try other.add("ice", to: place)
    try other.toggleCompleted([app.id("cake")], in: RowScope(place))
    try app.settle()
    #expect(app.words == ["a", "party 2/3", "○ ice", "✓ Music", "✓ cake", "c"])
    try other.edit(app.id("ice"), in: RowScope(place), text: "lime")
    try app.settle()
    #expect(app.words[2] == "○ lime")
    #expect(app.frame[6, 3].style.attributes.contains(.strikethrough) == false)
    #expect(app.frame[6, 4].style.attributes.contains(.strikethrough))
    try other.delete([app.id("lime")], in: RowScope(place))
    try other.store.write {
      for task in other.store.objects(TaskItem.self) where task.text == "Music" { task.completed = false }
    }
    try app.settle()
    #expect(app.words == ["a", "party 1/2", "○ Music", "✓ cake", "c"])
    // It stays unfolded when the person comes back, and the keys of the list mean whole rows.
    try app.press("l", "h", "j")
    #expect(app.selected == "c" && app.words.count == 5)
    try app.press("k", "z")
    #expect(app.words == ["a", "party 1/2", "c"])
    try app.press("Z")
    #expect(app.words.count == 5)
    try app.press("Z")
    #expect(app.words.count == 3)
    try app.press("l", "z")
    #expect(app.status == "Subtasks unfold in the list of their task.")
  }

  @Test("Unfolding, and what comes and goes among the subtasks, moves the rows below")
  func movement() throws {
    let app = try AppHarness(["party", "b"], width: 40, isAnimated: true)
    let place = try app.addSubtasks(["cake", "music"], to: "party")
    func line(of text: String) -> Int? { app.texts.firstIndex { $0.hasPrefix("  \(text)") } }
    #expect(line(of: "b") == 2)
    try app.press("z")
    app.pass(.milliseconds(30))
    app.draw()
    #expect(line(of: "b") != 4 && app.app.nextFrame(after: app.now) != nil)
    try app.settle()
    #expect(line(of: "b") == 4)
    let other = try app.other()
    try other.add("ice", to: place)
    try app.catchUp()
    app.draw()
    #expect(app.app.nextFrame(after: app.now) != nil)
    try app.settle()
    #expect(line(of: "b") == 5 && app.app.nextFrame(after: app.now) == nil)
    // An undo of a subtask is told of its task too.
    try app.store.delete([app.id("ice")], in: RowScope(place))
    try app.settle()
    #expect(line(of: "b") == 4)
    try app.press("u")
    try app.settle()
    #expect(line(of: "b") == 5)
  }

  @Test("With completed tasks hidden, completed subtasks have no line")
  func hiding() throws {
    let app = try AppHarness(["party", "b"], width: 40)
    try app.addSubtasks(["cake", "music"], to: "party")
    try app.store.toggleCompleted([app.id("cake")], in: RowScope(.subtasks(of: app.id("party"))))
    try app.press("z")
    #expect(app.words == ["party 1/2", "○ music", "✓ cake", "b"])
    try app.command("hide")
    try app.settle()
    #expect(app.words == ["party 1/2", "○ music", "b"])
  }

  @Test("A subtask that waits has no line until its moment, as it is out of sight in its own list")
  func waiting() throws {
    let monday = LocalTime(year: 2026, month: 11, day: 30, hour: 9)
    let app = try AppHarness(["party", "b"], width: 40, date: monday)
    try app.addSubtasks(["cake", "music", "ice"], to: "party")
    try app.press("z", "l", "j", "W")
    app.type("tomorrow 10:00")
    try app.press("Enter")
    try app.settle()
    try app.press("h")
    try app.settle()
    #expect(app.words == ["party 0/3", "○ cake", "○ ice", "b"])
    #expect(app.app.nextFrame(after: app.now) != nil, "when it comes back")
    app.pass(.seconds(48 * 3600))
    try app.settle()
    #expect(app.words == ["party 0/3", "○ cake", "○ music", "○ ice", "b"])
  }

  @Test("Of many subtasks the first are shown, and how many more there are")
  func many() throws {
    let app = try AppHarness(["party", "b"], width: 40, height: 24)
    try app.addSubtasks((0..<30).map { "s\($0)" }, to: "party")
    try app.press("z")
    #expect(app.words.count == 14 && app.words[12] == "… 19 more" && app.words[13] == "b")
    #expect(app.words[0] == "party 0/30" && app.words[11] == "○ s10")
    var summary = SubtaskSummary(count: 12_345, completedCount: 1234)
    #expect(summary.words == "9 %" && summary.spokenWords == "1,234 of 12,345 subtasks completed")
    summary.count = 1
    #expect(SubtaskSummary(count: 1, completedCount: 0).spokenWords == "0 of 1 subtask completed")
  }

  @Test("Odd texts and small windows; ASCII where there is no more")
  func odd() throws {
    let app = try AppHarness(["party"], width: 40)
    try app.addSubtasks(["a\u{1B}[31mb", String(repeating: "会", count: 300), "Done"], to: "party")
    try app.press("z")
    _ = app.app.run(line: "set glyphs ascii")
    app.draw()
    #expect(app.words[1].hasPrefix("o ") && app.words[3] == "x Done")
    for cell in app.frame.cells {
      for scalar in cell.text.unicodeScalars { #expect(scalar.value >= 0x20 && scalar.value != 0x7F) }
    }
    for (width, height) in [(1, 1), (4, 3), (7, 5), (200, 60), (0, 0)] {
      (app.width, app.height) = (width, height)
      app.draw()
    }
  }

  @Test("A click on the count opens the subtasks")
  func click() throws {
    let app = try AppHarness(["a", "party"], width: 40)
    try app.addSubtasks(["cake"], to: "party")
    func click(_ column: Int, _ line: Int) {
      _ = app.app.handle(.mouse(MouseEvent(action: .press, column: column, line: line)))
      _ = app.app.handle(.mouse(MouseEvent(action: .release, column: column, line: line)))
      app.draw()
    }
    click(38, 1)
    click(20, 2)
    #expect(app.isInList)
    app.pass(.seconds(1))
    click(37, 2)
    #expect(app.title.hasPrefix("My Tasks › party"))
  }
}
