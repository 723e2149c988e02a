import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Lists beside their tasks")
struct ListsBesideTests {
  private func makeApp(width: Int = 120, isAnimated: Bool = false) throws -> AppHarness {
    let app = try AppHarness(
      ["one", "two", "DONE"], width: width, isAnimated: isAnimated, hasListsBeside: true)
    let work = try app.store.add("Work", to: .lists)
    let id = try #require(work.rowID)
    try app.store.add("report", to: .tasks(inList: id))
    try app.settle()
    return app
  }

  /// The lines of the lists and those of the rows, without the empty ones.
  private func columns(_ app: AppHarness) -> (lists: [String], rows: [String]) {
    let lines = app.texts.dropLast(app.app.statusLines)
    let width = max(24, app.width / 5)
    return (
      lines.map { String($0.prefix(width)).trimmingSpaces }.filter { !$0.isEmpty },
      lines.map { String($0.dropFirst(width)).trimmingSpaces }.filter { !$0.isEmpty }
    )
  }

  private func squeezed(_ lines: [String]) -> [String] {
    lines.map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test("From 110 columns on they stand at the left, with their counts; the open one is marked")
  func beside() throws {
    let app = try makeApp()
    #expect(squeezed(columns(app).lists) == ["Lists", "› My Tasks 2", "Work 1"])
    #expect(squeezed(columns(app).rows) == ["My Tasks 2 open", "› one", "two", "DONE"])
    app.width = 109
    app.draw()
    #expect(app.title.hasPrefix("My Tasks") && app.rows == ["one", "two", "DONE"])
  }

  @Test("They follow the changes of others, and other tasks of the list")
  func live() throws {
    let app = try makeApp()
    let other = try app.other()
    try other.add("three", to: app.place)
    try other.add("Home", to: .lists)
    try app.settle()
    #expect(squeezed(columns(app).lists) == ["Lists", "› My Tasks 3", "Work 1", "Home 0"])
    #expect(squeezed(columns(app).rows) == ["My Tasks 3 open", "› one", "two", "three", "DONE"])
  }

  @Test("They show at once what is undone beside them")
  func undoneBeside() throws {
    let app = try makeApp()
    try app.press("h", "a")
    app.type("Home")
    try app.press("Enter", "g", "Enter")
    try app.settle()
    #expect(squeezed(columns(app).lists) == ["Lists", "› My Tasks 2", "Work 1", "Home 0"])
    try app.press("u")
    #expect(squeezed(columns(app).lists) == ["Lists", "› My Tasks 2", "Work 1"])
  }

  @Test("Tasks that have stood beside the lists know what was undone there when the next key comes")
  func undoneBefore() throws {
    let app = try AppHarness(["one"], width: 120, hasListsBeside: true)
    try app.press("a")
    app.type("two")
    try app.press("Enter", "h")
    try app.settle()
    // Faster than frames are drawn.
    for key in ["u", "Enter", "L"] { _ = app.app.handle(.key(try #require(Key(key)))) }
    app.draw()
    #expect(squeezed(columns(app).rows) == ["My Tasks 1 open", "› one"])
  }

  @Test("Keys mean the same: among the lists, the tasks of the one under the cursor stand beside them")
  func keys() throws {
    let app = try makeApp()
    try app.press("j", "h")
    try app.settle()
    #expect(squeezed(columns(app).lists) == ["Lists", "› My Tasks 2", "Work 1"])
    #expect(columns(app).rows.contains("two"), "no cursor there")
    try app.press("j")
    try app.settle()
    #expect(squeezed(columns(app).lists) == ["Lists", "My Tasks 2", "› Work 1"])
    #expect(squeezed(columns(app).rows) == ["Work 1 open", "report"])
    try app.press("Enter", "x")
    try app.settle()
    #expect(squeezed(columns(app).lists) == ["Lists", "My Tasks 2", "› Work 0"])
    #expect(squeezed(columns(app).rows) == ["Work 0 open", "› report"])
    #expect(app.line == "one two [DONE]")
    // Back to the tasks as they were left, with their cursor.
    try app.press("h", "k", "h", "l", "j", "h", "l", "x")
    try app.settle()
    #expect(app.line == "one [DONE] [two]")
  }

  @Test("A click on the tasks beside the lists goes to them, not to the list in its line", arguments: [2, 8])
  func clickOnTasks(line: Int) throws {
    let app = try makeApp()
    try app.press("h")
    for action in [MouseEvent.Action.press, .drag, .release] {
      let event = MouseEvent(action: action, column: action == .press ? 60 : 100, line: line)
      _ = app.app.handle(.mouse(event))
    }
    try app.settle()
    #expect(app.store.lists.count == 2 && !app.app.front.isEditing)
    #expect(squeezed(columns(app).lists) == ["Lists", "› My Tasks 2", "Work 1"])
    #expect(squeezed(columns(app).rows) == ["My Tasks 2 open", "› one", "two", "DONE"])
  }

  @Test("A click below the lists means none of the rows beside it")
  func clickBelow() throws {
    let app = try makeApp()
    func click(_ line: Int) {
      for action in [MouseEvent.Action.press, .release] {
        _ = app.app.handle(.mouse(MouseEvent(action: action, column: 2, line: line)))
      }
      app.draw()
    }
    click(3)
    click(8)
    try app.settle()
    #expect(app.line == "one two [DONE]" && !app.app.front.isEditing)
    #expect(squeezed(columns(app).rows) == ["My Tasks 2 open", "› one", "two", "DONE"])
    app.type("/o")
    try app.settle()
    click(3)
    #expect(squeezed(columns(app).rows).contains("› one"), "\(app.texts)")
  }

  @Test("A list that is clicked is opened, and rows are clicked where they stand")
  func mouse() throws {
    let app = try makeApp()
    func click(_ column: Int, _ line: Int) throws {
      for action in [MouseEvent.Action.press, .release] {
        _ = app.app.handle(.mouse(MouseEvent(action: action, column: column, line: line)))
      }
      try app.settle()
    }
    try click(5, 2)
    #expect(squeezed(columns(app).rows) == ["Work 1 open", "› report"])
    try click(26, 1)
    #expect(squeezed(columns(app).rows) == ["Work 0 open", "› report"])
    try click(5, 1)
    try click(40, 2)
    #expect(squeezed(columns(app).rows) == ["My Tasks 2 open", "one", "› two", "DONE"])
  }

  @Test(
    "A click on a list opens it while something is typed, which is kept",
    arguments: ["a", "e", "c", "/", ":"])
  func clickWhileTyping(key: String) throws {
    let app = try makeApp()
    try app.press(key)
    app.type("o")
    try app.settle()
    _ = app.app.handle(.mouse(MouseEvent(action: .press, column: 5, line: 2)))
    try app.settle()
    if key == ":" {
      #expect(app.app.front.isEditing && app.status.hasPrefix(":o"), "\(app.texts)")
      return
    }
    #expect(squeezed(columns(app).rows) == ["Work 1 open", "› report"] && !app.app.front.isEditing)
    let tasks = app.tasks.map { $0.text + ($0.notes.isEmpty ? "" : ": \($0.notes)") }
    switch key {
    case "a": #expect(tasks == ["one", "two", "o", "DONE"])
    case "e": #expect(tasks == ["oneo", "two", "DONE"])
    case "c": #expect(tasks == ["one: o", "two", "DONE"])
    default: #expect(tasks == ["one", "two", "DONE"] && app.app.context.searchPattern?.text == "o")
    }
  }

  @Test("A text that others have changed is not left by a click on a list")
  func clickDuringConflict() throws {
    let app = try makeApp()
    try app.press("e")
    app.type("!")
    let other = try app.other()
    try other.edit(app.tasks[0].id, in: RowScope(app.place), text: "uno")
    _ = app.app.handle(.mouse(MouseEvent(action: .press, column: 5, line: 2)))
    try app.settle()
    #expect(app.app.front.isEditing && app.tasks[0].text == "uno")
  }

  @Test(
    "Dragged as far as elsewhere a list is completed or deleted, also from its number, and a click opens it")
  func swiped() throws {
    let app = try makeApp()
    let empty = try #require(try app.store.add("Empty", to: .lists).rowID)
    try app.press("h")
    try app.settle()
    func drag(from start: Int, to end: Int, line: Int) throws {
      for (action, column) in [(MouseEvent.Action.press, start), (.drag, end), (.release, end)] {
        _ = app.app.handle(.mouse(MouseEvent(action: action, column: column, line: line)))
        app.draw()
      }
      try app.settle()
    }
    let states = { app.store.lists.map { $0.completed } }
    try drag(from: 5, to: 11, line: 2)
    #expect(app.status.hasPrefix("Enter open"))
    try drag(from: 5, to: 14, line: 2)
    #expect(app.status == "“Work” has 1 open task. Complete it? (y/n)")
    try app.press("y")
    #expect(states() == [false, false, true], "\(app.texts)")
    try app.press("u")
    try drag(from: 22, to: 10, line: 3)
    #expect(app.store.list(empty) == nil && app.title.hasPrefix("Lists"), "\(app.texts)")
    try drag(from: 22, to: 22, line: 2)
    #expect(squeezed(columns(app).rows) == ["Work 1 open", "› report"])
  }

  @Test("The wheel scrolls what is under it, and the open list is in sight again when it is another")
  func wheel() throws {
    let app = try makeApp()
    for number in 1...30 { try app.store.add("List \(number)", to: .lists) }
    for number in 1...30 { try app.store.add("task \(number)", to: app.place) }
    try app.settle()
    func wheel(_ action: MouseEvent.Action, _ column: Int) throws {
      _ = app.app.handle(.mouse(MouseEvent(action: action, column: column, line: 4)))
      try app.settle()
    }
    func first() -> [String] {
      squeezed([columns(app).lists[1], columns(app).rows[1]].map { $0.filter { $0 != "▐" } })
    }
    #expect(first() == ["› My Tasks 32", "› one"])
    try wheel(.wheelDown, 5)
    #expect(first() == ["List 2 0", "› one"], "\(app.texts)")
    try wheel(.wheelDown, 60)
    #expect(first()[0] == "List 2 0" && first()[1].hasSuffix("task 2"), "\(app.texts)")
    try wheel(.wheelUp, 5)
    #expect(first()[0] == "› My Tasks 32")
    for _ in 0..<4 { try wheel(.wheelDown, 5) }
    #expect(first()[0] == "List 11 0")
    _ = app.app.follow(.openList(try #require(app.store.lists.last).id))
    try app.settle()
    #expect(columns(app).lists.contains { $0.hasPrefix("› List 30") })
    // While the lists are the rows, their tasks stand there.
    try app.press("h", "g")
    try app.settle()
    try wheel(.wheelDown, 60)
    #expect(first()[0] == "› My Tasks 32" && first()[1] == "task 2", "\(app.texts)")
  }

  @Test("A setting has them always, or never", arguments: ["on", "off"])
  func setting(value: String) throws {
    let app = try makeApp(width: value == "on" ? 80 : 150)
    try app.command("set lists-beside \(value)")
    #expect(app.texts[0].contains("Lists") == (value == "on"))
    app.width = 59
    app.draw()
    #expect(!app.texts[0].contains("Lists"))
  }

  @Test("Tasks of all lists, a search and a note stand there too, and help has the whole width")
  func others() throws {
    let app = try makeApp()
    for (keys, isBeside) in [
      (["T"], true), (["Esc", "/"], true), (["Esc", "c"], true), (["Esc", "?"], false),
    ] {
      for key in keys { try app.press(key) }
      try app.settle()
      #expect(app.texts[0].hasPrefix("  Lists") == isBeside, "\(keys): \(app.texts[0])")
      #expect(app.frame.cursor.map { $0.line == app.height - 1 || $0.column >= 26 } ?? true)
    }
  }

  @Test("When another list is opened, its rows slide in, and everything else stands still")
  func slide() throws {
    let app = try makeApp(isAnimated: true)
    let before = app.frame
    _ = app.app.follow(.openList(try #require(app.store.lists.last).id))
    app.draw()
    app.pass(.milliseconds(10))
    app.draw()
    #expect(app.texts[0].contains("Work"))
    #expect(app.texts.last == before.text.split(separator: "\n").last.map(String.init))
    #expect(columns(app).rows.contains { $0.contains("two") }, "the old rows leave")
    for line in 3..<app.height - 1 { #expect(app.frame[3, line] == before[3, line]) }
    try app.settle()
    #expect(squeezed(columns(app).rows) == ["Work 1 open", "› report"])
  }

  @Test("On a narrow terminal title and bottom line stand still too")
  func narrowSlide() throws {
    let app = try AppHarness(["one", "two"], isAnimated: true)
    try app.press("h")
    app.pass(.milliseconds(10))
    app.draw()
    #expect(app.title == "Lists" && app.status.hasPrefix("Enter open"))
    #expect(app.texts.contains { $0.contains("one") } || app.texts.contains { $0.contains("two") })
  }
}
