import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("The mouse")
struct MouseTests {
  private func mouse(_ app: AppHarness, _ action: MouseEvent.Action, _ column: Int, _ line: Int) {
    _ = app.app.handle(.mouse(MouseEvent(action: action, column: column, line: line)))
    app.draw()
  }

  private func click(_ app: AppHarness, _ column: Int, _ line: Int) {
    mouse(app, .press, column, line)
    mouse(app, .release, column, line)
  }

  @Test("A click selects a row, one at its left edge completes it, a double click edits it")
  func clicks() throws {
    let app = try AppHarness(["one", "two", "three"])
    click(app, 10, 3)
    #expect(app.selected == "three" && app.line == "one two three")
    click(app, 1, 1)
    try app.settle()
    #expect(app.line == "two three [one]")
    click(app, 10, 2)
    app.pass(.milliseconds(300))
    click(app, 12, 2)
    app.type("!")
    try app.press("Enter")
    #expect(app.line == "two three! [one]")
  }

  @Test("Two slow clicks, or clicks on two rows, are no double click")
  func slowClicks() throws {
    let app = try AppHarness(["one", "two"])
    click(app, 10, 1)
    app.pass(.milliseconds(600))
    click(app, 10, 1)
    click(app, 10, 2)
    #expect(app.selected == "two" && !app.app.screen.isEditing)
  }

  @Test("Dragging takes a row along, and is one action")
  func drag() throws {
    let app = try AppHarness(["one", "two", "three", "four"])
    mouse(app, .press, 10, 1)
    mouse(app, .drag, 11, 1)
    #expect(app.line == "one two three four")
    mouse(app, .drag, 11, 2)
    #expect(app.texts[2].hasPrefix("↕ one"))
    mouse(app, .drag, 11, 3)
    #expect(app.line == "two three one four")
    mouse(app, .release, 11, 3)
    #expect(app.texts[3].hasPrefix("› one"))
    mouse(app, .drag, 11, 1)
    #expect(app.line == "two three one four")
    try app.press("u")
    #expect(app.line == "one two three four")
  }

  @Test("A note that is open keeps clicks from the rows behind it")
  func note() throws {
    let app = try AppHarness(["one", "two", "three"])
    try app.press("c")
    app.type("words")
    click(app, 1, 2)
    click(app, 10, 3)
    try app.press("C-s")
    #expect(app.line == "one two three" && app.selected?.hasPrefix("one") == true)
    #expect(app.tasks.first?.notes == "words")
  }

  @Test("Esc while dragging puts the row back, and what the mouse does then moves nothing")
  func dragCancelled() throws {
    let app = try AppHarness(["one", "two", "three", "DONE"])
    mouse(app, .press, 10, 1)
    mouse(app, .drag, 10, 3)
    try app.press("Esc")
    mouse(app, .drag, 10, 2)
    mouse(app, .release, 10, 2)
    #expect(app.line == "one two three [DONE]")
    // A completed row cannot be picked up.
    mouse(app, .press, 10, 4)
    mouse(app, .drag, 10, 1)
    mouse(app, .release, 10, 1)
    #expect(app.line == "one two three [DONE]")
  }

  @Test("The row that was seen under the mouse is meant, not the one that has slipped into its place")
  func identity() throws {
    let app = try AppHarness(["one", "two", "three"])
    let other = try app.other()
    let one = try #require(app.tasks.first)
    try other.delete([one.id], in: RowScope(app.place))
    try app.catchUp()
    // Not drawn yet: "two" is still seen on the second line.
    _ = app.app.handle(.mouse(MouseEvent(action: .press, column: 0, line: 2)))
    try app.settle()
    #expect(app.line == "three [two]")
    try other.delete([try #require(app.tasks.first).id], in: RowScope(app.place))
    try app.catchUp()
    _ = app.app.handle(.mouse(MouseEvent(action: .press, column: 0, line: 1)))
    #expect(app.app.message == "That row has just been deleted elsewhere.")
    try app.settle()
    #expect(app.line == "[two]")
  }

  @Test("Below the rows a click adds one; elsewhere while typing it ends that; on the title it goes back")
  func elsewhere() throws {
    let app = try AppHarness(["one"])
    click(app, 5, 6)
    app.type("two")
    click(app, 5, 8)
    try app.settle()
    #expect(app.line == "one two" && !app.app.screen.isEditing)
    click(app, 5, 0)
    try app.settle()
    #expect(app.title == "Lists")
    click(app, 5, 1)
    #expect(app.title == "Lists")
    click(app, 38, 1)
    try app.settle()
    #expect(app.title.hasPrefix("My Tasks"))
    // On the line about keys it strikes the key.
    click(app, 3, 11)
    #expect(app.app.screen.isEditing)
    click(app, 3, 11)
    try app.settle()
    #expect(!app.app.screen.isEditing && app.line == "one two")
  }

  @Test("Of a hint for two keys, the one that is clicked is struck")
  func hints() throws {
    let app = try AppHarness(["one", "two", "three"])
    try app.press("m")
    #expect(app.status.hasPrefix("j k move"))
    click(app, 2, 11)
    click(app, 2, 11)
    #expect(app.line == "two three one")
    click(app, 4, 11)
    #expect(app.line == "two one three")
    click(app, 7, 11)
    #expect(app.line == "two three one")
  }

  @Test(
    "Dragged to the right a row is completed, to the left deleted; let go early it returns",
    arguments: [true, false])
  func sideways(isAnimated: Bool) throws {
    let app = try AppHarness(["one", "two", "three"], isAnimated: isAnimated)
    mouse(app, .press, 10, 2)
    mouse(app, .drag, 13, 2)
    #expect(app.texts[2].hasSuffix("two") && app.texts[2].prefix(2) == " ✓")
    #expect(app.texts[2].drop { $0 != "›" } == "› two", "it follows the pointer")
    mouse(app, .release, 13, 2)
    app.pass(.seconds(1))
    app.draw()
    #expect(app.line == "one two three" && app.rows == ["one", "two", "three"])
    // Past the distance, and back again.
    mouse(app, .press, 10, 2)
    mouse(app, .drag, 20, 2)
    let green = app.frame[12, 2].style.background
    #expect(green == app.app.context.palette.completing.blended(with: .white, amount: 0.25))
    mouse(app, .drag, 12, 2)
    mouse(app, .release, 12, 2)
    #expect(app.line == "one two three")
    mouse(app, .press, 10, 2)
    mouse(app, .drag, 14, 2)
    // Another line on the way does not matter any more.
    mouse(app, .drag, 18, 3)
    mouse(app, .release, 18, 3)
    try app.settle()
    #expect(app.line == "one three [two]" && app.rows == ["one", "three", "two"])
    mouse(app, .press, 30, 1)
    mouse(app, .drag, 20, 1)
    #expect(app.texts[1].hasSuffix("✗"))
    mouse(app, .release, 20, 1)
    try app.settle()
    #expect(app.line == "three [two]" && app.rows == ["three", "two"])
    // A completed row is opened again.
    mouse(app, .press, 5, 2)
    mouse(app, .drag, 15, 2)
    mouse(app, .release, 15, 2)
    try app.settle()
    #expect(app.line == "three two")
    try app.press("u", "u", "u")
    #expect(app.line == "one two three")
  }

  @Test("A key, or another press, lets a row return that is dragged sideways; the release does nothing")
  func sidewaysWithoutRelease() throws {
    for isAnimated in [true, false] {
      let app = try AppHarness(["one", "two", "three"], isAnimated: isAnimated)
      let still = ["one", "two", "three"]
      for end in ["j", ":", "Z", "press"] {
        mouse(app, .press, 20, 2)
        mouse(app, .drag, 5, 2)
        #expect(app.rows != still)
        if end == "press" { mouse(app, .press, 20, 1) } else { try app.press(end) }
        if end == ":" { try app.press("Esc") }
        try app.settle()
        #expect(app.rows == still, "after \(end)")
        mouse(app, .release, 5, end == "press" ? 1 : 2)
        try app.settle()
        #expect(app.line == "one two three" && app.rows == still, "after \(end) and the release")
      }
    }
  }

  @Test("A row that others delete while it is dragged is gone; in a read-only window none can be dragged")
  func sidewaysElsewhere() throws {
    let app = try AppHarness(["one", "two"])
    let other = try app.other()
    mouse(app, .press, 10, 1)
    mouse(app, .drag, 20, 1)
    try other.delete([try #require(app.tasks.first).id], in: RowScope(app.place))
    try app.catchUp()
    app.draw()
    mouse(app, .drag, 22, 1)
    mouse(app, .release, 22, 1)
    try app.settle()
    #expect(app.line == "two" && app.rows == ["two"])
  }

  @Test("The wheel scrolls rows, help and what was found")
  func wheel() throws {
    let app = try AppHarness((0..<100).map { "task \($0)" })
    mouse(app, .wheelDown, 5, 5)
    #expect(app.rows.first == "task 3")
    mouse(app, .wheelUp, 5, 5)
    #expect(app.rows.first == "task 0")
    try app.press("?")
    mouse(app, .wheelDown, 5, 5)
    #expect(app.rows.first != "Move")
    mouse(app, .press, 5, 5)
    try app.press("Esc", "/")
    app.type("task")
    try app.settle()
    mouse(app, .wheelDown, 5, 5)
    click(app, 10, 4)
    click(app, 10, 4)
    try app.settle()
    #expect(app.selected == "task 6")
  }

  @Test("In a wide row a click on the number of subtasks opens them, and one on the priority does not")
  func wideCount() throws {
    for hasPriority in [false, true] {
      let app = try AppHarness(["move", "other"], width: 120)
      try app.addSubtasks(["box", "van"], to: "move")
      if hasPriority { try app.command("priority A") }
      func column(of words: String) throws -> Int {
        let range = try #require(app.texts[1].range(of: words), "\(app.texts[1])")
        return app.texts[1].distance(from: app.texts[1].startIndex, to: range.lowerBound)
      }
      let place = try column(of: "0/2")
      if hasPriority {
        click(app, try column(of: "A"), 1)
        #expect(app.isInList)
        app.pass(.seconds(2))
      }
      click(app, place - 3, 1)
      #expect(app.isInList)
      app.pass(.seconds(2))
      click(app, place + 1, 1)
      #expect(!app.isInList && app.rows == ["box", "van"])
    }
  }

  @Test("Switched off, the mouse does nothing; in a window for looking only it changes nothing")
  func off() throws {
    let app = try AppHarness(["one", "two"])
    _ = app.app.run(line: "set mouse off")
    #expect(!app.app.wantsMouse)
    click(app, 10, 2)
    #expect(app.selected == "one")
    let reader = App(
      store: app.store, appearance: Appearance(isAnimated: false), isReadOnly: true, clock: { .zero })
    _ = reader.draw(width: 40, height: 12, at: .zero)
    for (action, line) in [(MouseEvent.Action.press, 1), (.drag, 2), (.release, 2)] {
      _ = reader.handle(.mouse(MouseEvent(action: action, column: 8, line: line)))
      _ = reader.draw(width: 40, height: 12, at: .zero)
    }
    for column in [0, 8, 8] { _ = reader.handle(.mouse(MouseEvent(action: .press, column: column, line: 2))) }
    #expect(app.line == "one two" && reader.message == "This window is read-only.")
  }
}
