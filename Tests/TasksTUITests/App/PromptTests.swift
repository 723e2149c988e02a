import TasksModel
import Testing

@testable import TasksTUI

@Suite("The bottom line that is typed into")
struct PromptTests {
  @Test("A command is typed by name; Tab goes round what it may be; Esc gives up; mistakes are told")
  func commandLine() throws {
    let app = try AppHarness(["one", "two", "three"], width: 60, height: 16)
    try app.press(":")
    app.type("del")
    #expect(app.texts.last == "  :del" && app.frame.cursor?.line == 15 && app.frame.cursor?.column == 6)
    #expect(app.texts.contains { $0.contains("Delete the row") })
    try app.press("Enter")
    #expect(app.line == "two three")
    try app.press(":")
    app.type("move-")
    try app.press("Tab", "Tab")
    #expect(app.texts.last == "  :move-up")
    try app.press("S-Tab")
    #expect(app.texts.last == "  :move-down")
    try app.press("Enter")
    #expect(app.line == "three two")
    try app.press(":", "x", "Esc")
    #expect(app.line == "three two" && app.frame.cursor == nil)
    try app.press(":", "Backspace")
    #expect(app.frame.cursor == nil)
    try app.press(":")
    app.type("nonsense")
    try app.press("Enter")
    #expect(app.status == "There is no command “nonsense”.")
    try app.press(":")
    app.type("add Buy milk")
    try app.press("Enter")
    #expect(app.line == "three two Buy milk" && app.selected == "Buy milk")
    try app.press(":")
    app.type("q")
    #expect(try app.press("Enter") == .quit(status: 0))
  }

  @Test("On a narrow terminal the label leaves room for what is typed", arguments: [20, 30, 40, 80])
  func narrow(width: Int) throws {
    let app = try AppHarness(["one"], width: width, height: 16)
    try app.command("repeat every 2 weeks on monday and thursday")
    try app.press("R")
    #expect(app.texts.contains { $0.hasPrefix("  after 3 days") })
    app.type("none")
    let line = try #require(app.texts.last)
    #expect(line.trimmingSpaces.hasPrefix("Repeat") && line.hasSuffix(": none") && line.count <= width)
    #expect(line.contains("now every 2 weeks on monday") == (width == 80))
    try app.press("Enter")
    #expect(app.tasks[0].repetition.isEmpty)
  }

  @Test("What was typed before comes back with Ctrl-P")
  func history() throws {
    let app = try AppHarness(["one", "two"])
    for line in ["last", "first"] {
      try app.press(":")
      app.type(line)
      try app.press("Enter")
    }
    try app.press("M-x", "C-p", "C-p", "C-n", "C-p")
    #expect(app.texts.last == "  :last")
    try app.press("Enter")
    #expect(app.selected == "two")
  }

  @Test(
    "The words for nothing, however they are written, are told as nothing where Enter takes them so",
    arguments: [
      ("D", "no date", "“one” is without a date now."), ("W", "does not wait", "“one” waits no longer."),
      ("R", "does not come again", "“one” does not come again."),
    ])
  func nothing(key: String, words: String, sentence: String) throws {
    for text in ["none", "None", "NONE", "-", " - ", "none ", " "] {
      let app = try AppHarness(["one"], width: 80, height: 16)
      try app.command("due tomorrow")
      if key == "W" {
        try app.command("wait tomorrow")
        try app.command("waiting")
      }
      if key == "R" { try app.command("repeat every day") }
      try app.press(key)
      app.type(text)
      #expect(app.texts.contains { $0.trimmingSpaces == words }, "“\(text)”: \(app.texts)")
      try app.press("Enter")
      #expect(app.status == sentence, "“\(text)”")
    }
  }

  @Test("A paste is text on the line, not keys; a change elsewhere shows behind it")
  func paste() throws {
    let app = try AppHarness(["one", "two"])
    try app.press(":")
    _ = app.app.handle(.paste("fir\nst"))
    app.draw()
    #expect(app.texts.last == "  :fir st")
    try app.other().add("zero", to: app.place, at: .top)
    try app.settle()
    #expect(app.rows.first == "zero")
  }

  @Test("> asks for the list, and moves the row there, as one step to be undone")
  func moveToList() throws {
    let app = try AppHarness(["one", "two", "three"], width: 80)
    let work = try #require(try app.store.add("Work", to: .lists).rowID)
    try app.store.add("Home", to: .lists)
    try app.settle()
    try app.press("2", ">")
    #expect(app.texts.last == "  Move to list:")
    app.type("wo")
    try app.press("Enter")
    #expect(app.line == "three" && app.rows == ["three"] && app.status == "Moved 2 rows to “Work”.")
    #expect(app.store.list(work)?.items.map(\.text) == ["one", "two"])
    try app.press("u")
    #expect(app.line == "one two three" && app.rows == ["one", "two", "three"])
    try app.press("j", ":")
    app.type("move-to-list Home")
    try app.press("Enter")
    #expect(app.line == "one three")
    try app.press(".")
    #expect(app.line == "one")
    try app.press(":")
    app.type("move-to-list Nowhere")
    try app.press("Enter")
    #expect(app.status == "There is no list “Nowhere”. Make it? (y/n)" && app.line == "one")
    let empty = try AppHarness(width: 80)
    _ = empty.app.run(line: "move-to-list Nowhere")
    #expect(empty.draw().text.contains("There is no row here."))
    try empty.press("Esc", ">")
    #expect(empty.status == "There is no row here.")
    try app.press("n")
    #expect(app.status == "Nothing was changed." && app.line == "one" && app.store.lists.count == 3)
  }

  @Test("> with a name that no list has offers to make it; undo takes list and move back")
  func moveToNewList() throws {
    let app = try AppHarness(["one", "two"], width: 80)
    try app.press(">")
    app.type("Someday")
    #expect(app.texts.contains { $0.contains("New list “Someday”") })
    try app.press("Enter")
    #expect(app.status == "There is no list “Someday”. Make it? (y/n)")
    try app.press("y")
    #expect(app.status == "Moved “one” to the new list “Someday”." && app.rows == ["two"])
    #expect(app.store.lists.map(\.text) == ["My Tasks", "Someday"])
    #expect(app.store.lists.last?.items.map(\.text) == ["one"])
    try app.press("u")
    #expect(app.line == "one two" && app.store.lists.map(\.text) == ["My Tasks"])
    try app.press("C-r")
    #expect(app.line == "two" && app.store.lists.last?.items.map(\.text) == ["one"])
  }

  @Test("A list that is deleted elsewhere while one is asked for takes the question along")
  func listGone() throws {
    let app = try AppHarness(["one"])
    try app.store.add("Work", to: .lists)
    try app.settle()
    try app.press(">")
    try app.other().delete([TaskList.firstListID], in: RowScope(.lists))
    try app.settle()
    #expect(app.title == "Lists" && app.texts.last?.hasSuffix("(Enter)") == true)
    try app.press("w", "Enter")
    #expect(app.title == "Lists" && app.frame.cursor == nil && app.rows.count == 1)
  }

  @Test("Any size is drawn, with colours and without")
  func sizes() throws {
    let app = try AppHarness(["one"])
    try app.press(":", "Tab")
    for (width, height) in [(1, 1), (2, 3), (10, 4), (200, 60), (0, 0)] {
      (app.width, app.height) = (width, height)
      app.draw()
      #expect(app.frame.width == width && app.frame.height == height)
    }
  }
}
