import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("Typing one row after another")
struct AddingTests {
  @Test("Ctrl-O saves a row and types the next below it, until Enter or Esc", arguments: ["C-o", "M-Enter"])
  func rows(key: String) throws {
    let app = try AppHarness(["one", "DONE"], width: 80)
    try app.press("a")
    for text in ["two", "three"] {
      app.type(text)
      try app.press(key)
      #expect(app.app.screen.isEditing)
    }
    app.type("four")
    try app.press("Enter")
    #expect(!app.app.screen.isEditing && app.selected == "four")
    #expect(app.tasks.map(\.text) == ["one", "two", "three", "four", "DONE"])
    try app.press("u", "u")
    #expect(app.line == "one two [DONE]")
  }

  @Test("On top, above and below, rows follow as they are typed", arguments: ["A", "o", "O"])
  func order(key: String) throws {
    let app = try AppHarness(["one", "two"], width: 80)
    try app.press("g", key)
    for text in ["a", "b", "c"] {
      app.type(text)
      try app.press("C-o")
    }
    try app.press("Esc")
    let rows = key == "o" ? ["one", "a", "b", "c", "two"] : ["a", "b", "c", "one", "two"]
    #expect(app.tasks.map(\.text) == rows && !app.app.screen.isEditing && app.selected == "c")
  }

  @Test("It follows a row that is edited, too; without text there is nothing to follow")
  func edited() throws {
    let app = try AppHarness(["one", "two"], width: 80)
    try app.press("g", "e")
    app.type("!")
    try app.press("C-o")
    app.type("next")
    try app.press("C-o", "C-o")
    #expect(app.tasks.map(\.text) == ["one!", "next", "two"] && !app.app.screen.isEditing)
    try app.press("e", "C-u", "C-o")
    #expect(app.tasks.map(\.text) == ["one!", "two"] && !app.app.screen.isEditing)
  }

  @Test("Where a new task would not be among the rows, none is added", arguments: ["waiting", "done"])
  func elsewhere(screen: String) throws {
    let app = try AppHarness(["one", "two"], width: 80)
    for isEmpty in [true, false] {
      if !isEmpty {
        try app.press("h", "g")
        try app.command("wait tomorrow")
        try app.press("Space")
      }
      try app.command(screen)
      #expect(!app.status.contains("a add"))
      for key in ["a", "A", "o", "O"] {
        try app.press(key)
        #expect(app.status == "A new task is not among these; add it to a list.", "\(key)")
        #expect(!app.app.screen.isEditing)
      }
      try app.command("add three")
      #expect(app.tasks.count == 2)
    }
  }

  @Test("A row that another program has changed meanwhile is not followed before one is chosen")
  func contested() throws {
    let app = try AppHarness(["one", "two"], width: 80)
    try app.press("g", "e")
    app.type("!")
    let other = try app.other()
    _ = try other.edit(app.tasks[0].id, in: RowScope(app.place), text: "uno")
    try app.press("C-o")
    #expect(app.app.screen.isEditing && app.tasks.map(\.text) == ["uno", "two"])
  }

  @Test("Subtasks, and lists")
  func others() throws {
    let app = try AppHarness(["one"], width: 80)
    try app.press("S")
    app.type("a")
    try app.press("C-o")
    app.type("b")
    try app.press("Enter")
    #expect(app.rows == ["a", "b"])
    try app.press("h", "h", "a")
    app.type("Work")
    try app.press("C-o")
    app.type("Home")
    try app.press("Enter")
    #expect(app.rows.suffix(2) == ["Work", "Home"])
  }

  @Test("What is dropped with Esc is brought back by Ctrl-Y, unless nothing was changed")
  func dropping() throws {
    let app = try AppHarness(["one", "two"], width: 80)
    try app.press("a")
    app.type("Buy milk")
    try app.press("Esc")
    #expect(
      app.status == "Not saved; Ctrl-Y in a row brings back what you typed." && app.rows == ["one", "two"])
    try app.press("a", "C-y", "Enter")
    #expect(app.rows == ["one", "two", "Buy milk"])
    try app.press("e", "Esc")
    #expect(!app.status.contains("Not saved"))
  }

  @Test("A list that gets the name of another one is told")
  func namedTwice() throws {
    let app = try AppHarness(["one"], width: 80)
    try app.press("h", "a")
    app.type("Work")
    try app.press("Enter")
    #expect(!app.status.contains("another list"))
    try app.press("a")
    app.type("Work")
    try app.press("Enter")
    #expect(app.status == "There is another list “Work”.")
    try app.press("e")
    app.type("s")
    try app.press("Enter")
    #expect(!app.status.contains("another list"))
    try app.press("e", "Backspace", "Enter")
    #expect(app.status == "There is another list “Work”.")
  }
}
