import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("Pasting, copying and completing")
struct PastingTests {
  private func paste(_ text: String, _ app: AppHarness) {
    _ = app.app.handle(.paste(text))
    app.draw()
  }

  @Test("Several pasted lines are rows, one row or nothing, as the person says")
  func lines() throws {
    let app = try AppHarness(["one", "DONE"], width: 80)
    paste("  two\n\n\tthree \r\nfour\n", app)
    #expect(app.status == "3 lines: a row for each (y), or one for all (n)? (y/n)")
    app.width = 30
    app.draw()
    #expect(
      app.texts.suffix(3).map(\.trimmingSpaces).joined(separator: " ").hasSuffix(
        "3 lines: a row for each (y), or one for all (n)? (y/n)"), "\(app.texts)")
    app.width = 80
    #expect(app.line == "one [DONE]")
    try app.press("y")
    #expect(app.line == "one two three four [DONE]" && app.selected == "two")
    #expect(app.status == "Added 3 rows. u takes them back.")
    try app.press("u")
    #expect(app.line == "one [DONE]")
    for key in ["Esc", "x", "Enter"] {
      paste("two\nthree", app)
      try app.press(key)
      #expect(app.line == "one [DONE]" && app.status == "Nothing was changed.")
    }
    paste("two\nthree", app)
    try app.press("n", "Enter")
    #expect(app.line == "one two three [DONE]" && app.tasks.count == 3)
  }

  @Test("The same while a row is being typed: the rows replace an empty one, and follow another")
  func whileTyping() throws {
    let app = try AppHarness(
      ["one", "two"], width: 80, configuration: AppConfiguration("edit-on-top = false"))
    try app.press("g", "o")
    paste("three", app)
    #expect(app.rows == ["one", "three", "two"])
    paste("x\ny", app)
    try app.press("Esc")
    #expect(app.rows == ["one", "three", "two"] && app.app.screen.isEditing)
    paste("x\ny", app)
    try app.press("n")
    #expect(app.rows == ["one", "threex y", "two"])
    paste("four\nfive", app)
    try app.press("y")
    #expect(app.tasks.map(\.text) == ["one", "threex y", "four", "five", "two"] && !app.app.screen.isEditing)
    try app.press("g", "O")
    paste("zero\nnull", app)
    try app.press("y")
    #expect(app.tasks.map(\.text).prefix(3) == ["zero", "null", "one"] && !app.app.screen.isEditing)
    try app.press("g", "e")
    app.type("!")
    paste("a\nb", app)
    try app.press("y")
    #expect(app.tasks.map(\.text).prefix(4) == ["zero!", "a", "b", "null"])
    #expect(app.rows == app.tasks.map(\.text))
  }

  @Test("Lines become lists, subtasks, and tasks due today where these are shown; . adds them once more")
  func places() throws {
    let app = try AppHarness(["one"], width: 80, date: LocalTime(year: 2026, month: 11, day: 23))
    try app.press("T")
    paste("two\nthree", app)
    try app.press("y")
    // Which are due at the same time.
    #expect(
      Set(app.rows.filter { !$0.hasPrefix("today") }.map { $0.prefix { $0 != " " } }) == ["two", "three"])
    #expect(app.tasks.map { $0.date == nil } == [true, false, false])
    try app.press("h", "g", "l")
    paste("sub\nset", app)
    try app.press("y", "h", "h")
    paste("Work\nHome", app)
    try app.press("y")
    #expect(app.store.lists.map(\.text) == ["My Tasks", "Work", "Home"])
    #expect(app.tasks[0].subtasks.map(\.text) == ["sub", "set"])
    try app.press(".")
    #expect(app.store.lists.map(\.text) == ["My Tasks", "Work", "Home", "Work", "Home"])
  }

  @Test(
    "A paste finds the rows as they are now, before changes of others are reported", arguments: ["a", "e"])
  func unreportedChanges(key: String) throws {
    let app = try AppHarness(["one", "two"])
    for task in app.tasks {
      try app.store.setDate([task.id], in: RowScope(app.place), to: app.app.context.calendar.now())
    }
    try app.settle()
    let other = try app.other()
    // The tasks due today have not been observed yet.
    try app.press("T", key)
    app.type("new")
    try other.delete(app.tasks.map(\.id), in: RowScope(app.place))
    // The newest version is read at once.
    app.store.store.invalidate()
    _ = app.app.handle(.paste(" pasted"))
    app.draw()
    try app.press("Enter")
    try app.settle()
    #expect(app.tasks.map(\.text) == [key == "a" ? "new pasted" : "onenew pasted"])
  }

  @Test("Many lines go in parts, in their order, and are one action for undo")
  func manyLines() throws {
    let app = try AppHarness(["one", "two"], width: 80)
    try app.press("g", "o")
    paste((0..<250).map { "n\($0)" }.joined(separator: "\n"), app)
    try app.press("y")
    #expect(app.status.hasPrefix("0 of 250 rows…"))
    while app.app.hasWork { app.app.work(for: .milliseconds(4)) }
    app.draw()
    #expect(app.tasks.map(\.text) == ["one"] + (0..<250).map { "n\($0)" } + ["two"])
    #expect(app.status == "Added 250 rows. u takes them back.")
    try app.press("u")
    while app.app.hasWork { app.app.work(for: .milliseconds(4)) }
    #expect(app.line == "one two")
  }

  @Test("A read-only window takes no lines; a question and a search take them as one")
  func elsewhere() throws {
    let app = try AppHarness(["one"], isReadOnly: true)
    paste("two\nthree", app)
    #expect(app.status == "This window is read-only." && app.line == "one")
    try app.press("/")
    paste("o\nn", app)
    #expect(app.texts.last?.hasPrefix("  /o n") == true)
  }

  @Test("y copies the text of the row, or of the counted or marked rows, a line each")
  func copying() throws {
    let app = try AppHarness(["one", "two", "three"], width: 80)
    #expect(try app.press("y") == .copy("one"))
    #expect(app.status == "Copied “one”.")
    #expect(try app.press("2", "y") == .copy("one\ntwo"))
    #expect(try app.press("V", "y") == .copy("one\ntwo\nthree"))
    #expect(app.status == "Copied 3 rows." && app.line == "one two three")
    // With the keys of the line editor, too.
    try app.press("a", "C-y", "Enter")
    #expect(app.line == "one two three one")
    app.app.readsLines = true
    #expect(try app.press("y") == nil)
    #expect(app.status == "There is no clipboard without a terminal.")
  }

  @Test("What is too long for the clipboard of a terminal is not copied")
  func copyingTooMuch() throws {
    let app = try AppHarness(["one"], width: 80)
    let long = String(repeating: "x", count: 56_001)
    try app.store.add(long, to: app.place)
    try app.settle()
    #expect(try app.press("V", "y") == nil)
    #expect(app.status == "That is too long for the clipboard of a terminal." && !app.app.screen.isEditing)
  }

  @Test("Tab completes a tag by the most used ones, again the next one; the bottom line offers it")
  func tags() throws {
    let app = try AppHarness(width: 80)
    for text in ["a #home", "b #home", "c #house", "d #work"] { try app.store.add(text, to: app.place) }
    try app.settle()
    try app.press("a")
    #expect(!app.status.contains("Tab"))
    app.type("Sweep #")
    try app.settle()
    #expect(app.status.hasPrefix("Tab #home"))
    app.type("ho")
    #expect(app.status.hasPrefix("Tab #home"))
    try app.press("Tab")
    #expect(app.status.hasPrefix("Tab #house"))
    try app.press("Tab")
    #expect(app.status.hasPrefix("Tab #home"))
    app.type(" #x")
    #expect(!app.status.contains("Tab"))
    try app.press("Tab", "Enter")
    #expect(app.tasks.last?.text == "Sweep #house #x")
    // In the middle of a text, but not in the middle of a word.
    try app.press("e", "C-a")
    app.type("#wo ")
    try app.press("Left", "Tab", "Left")
    #expect(!app.status.contains("Tab"))
    try app.press("Tab", "Enter")
    #expect(app.tasks.last?.text == "#work Sweep #house #x")
  }

  @Test("Tab before the tags have been read completes one when they have, unless more was typed")
  func tagsThatAreNotRead() throws {
    for more in ["", "t"] {
      let app = try AppHarness(width: 80)
      try app.store.add("a #home", to: app.place)
      try app.settle()
      try app.press("a")
      app.type("Sweep #ho")
      try app.press("Tab")
      app.type(more)
      #expect(app.rows.contains("Sweep #ho" + more))
      try app.settle()
      #expect(app.rows.contains(more.isEmpty ? "Sweep #home" : "Sweep #hot"))
    }
  }

  @Test("Tab completes a priority, which is taken out of the text; undo of the line takes the word back")
  func priorities() throws {
    let app = try AppHarness(["one"], width: 80)
    try app.press("a")
    app.type("Buy milk !")
    #expect(app.status.hasPrefix("Tab !A"))
    try app.press("Tab")
    #expect(app.rows.contains("Buy milk !A") && app.status.hasPrefix("Tab !B"))
    try app.press("Tab")
    #expect(app.rows.contains("Buy milk !B"))
    try app.press("C-_")
    #expect(app.rows.contains("Buy milk !A"))
    try app.press("Enter")
    #expect(app.tasks.last?.text == "Buy milk" && app.tasks.last?.priority == .a)
    // Lists have none.
    try app.press("h", "a")
    app.type("!")
    #expect(!app.status.contains("Tab"))
  }
}
