import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("The tasks screen")
struct TasksScreenTests {
  @Test("Every key moves the cursor where help says")
  func motions() throws {
    let app = try AppHarness((0..<40).map { "t\($0)" })
    #expect(app.selected == "t0")
    for (key, text) in [
      ("j", "t1"), ("Down", "t2"), ("k", "t1"), ("Up", "t0"), ("Up", "t0"), ("G", "t39"), ("g", "t0"),
      ("End", "t39"), ("Home", "t0"), ("PgDn", "t9"), ("PgUp", "t0"), ("C-d", "t5"), ("C-u", "t0"),
    ] {
      try app.press(key)
      #expect(app.selected == text, "after \(key)")
    }
  }

  @Test("a adds after the open rows, A on top, and the text is a row only at Enter")
  func add() throws {
    let app = try AppHarness(["one", "two", "DONE"])
    let other = try app.other()
    try app.press("a")
    app.type("three")
    // The edited row is on top, as one that is tapped.
    #expect(app.rows == ["three", "DONE"])
    #expect(app.frame.cursor?.line == 1 && app.frame.cursor?.column == 7)
    #expect(try !other.store.refresh())
    try app.press("Enter")
    #expect(app.line == "one two three [DONE]")
    #expect(app.selected == "three" && app.frame.cursor == nil)
    try app.press("A")
    app.type("zero")
    try app.press("Enter")
    #expect(app.line == "zero one two three [DONE]")
    #expect(app.rows == ["zero", "one", "two", "three", "DONE"])
    #expect(app.selected == "zero")
  }

  @Test("Esc gives a draft up, and an empty one is none; the cursor goes back")
  func cancelAdding() throws {
    let app = try AppHarness(["one", "two", "DONE"])
    for keys in [["a", "x", "Esc"], ["a", "Enter"], ["A", "Space", "Enter"]] {
      for key in keys { try app.press(key) }
      #expect(app.line == "one two [DONE]")
      #expect(app.rows == ["one", "two", "DONE"])
      #expect(app.selected == "one")
    }
  }

  @Test("e and Enter edit; Enter keeps, Esc puts back, no text deletes", arguments: ["e", "Enter"])
  func edit(key: String) throws {
    let app = try AppHarness(["one", "two"])
    try app.press(key)
    app.type("!")
    try app.press("Enter")
    #expect(app.line == "one! two")
    try app.press("j", key)
    app.type("?")
    try app.press("Esc")
    #expect(app.line == "one! two" && app.rows == ["one!", "two"])
    try app.press("k", key, "C-u", "Enter")
    #expect(app.line == "two" && app.rows == ["two"] && app.selected == "two")
  }

  @Test("Completed rows are not edited, and say so")
  func editCompleted() throws {
    let app = try AppHarness(["one", "TWO"])
    try app.press("j", "e")
    #expect(app.status == "A completed row cannot be edited.")
    #expect(app.frame.cursor == nil)
  }

  @Test(
    "Space and x complete: the row goes to the end, the cursor on to the next; and back",
    arguments: ["Space", "x"])
  func complete(key: String) throws {
    let app = try AppHarness(["one", "two", "three"])
    try app.press(key)
    #expect(app.line == "two three [one]")
    #expect(app.selected == "two")
    try app.press("G", key)
    #expect(app.line == "two three one")
    #expect(app.selected == "one")
  }

  @Test("A completed row is struck through and grey")
  func completedLook() throws {
    let app = try AppHarness(["one", "TWO"])
    let cell = app.frame[2, 2]
    #expect(cell.text == "T" && cell.style.attributes.contains(.strikethrough))
    #expect(cell.style.background == RGB(51, 51, 51))
    #expect(!app.frame[2, 1].style.attributes.contains(.strikethrough))
  }

  @Test(
    "d and Delete delete; the cursor goes to the next row, at the end to the one before",
    arguments: ["d", "Delete"])
  func delete(key: String) throws {
    let app = try AppHarness(["one", "two", "three"])
    try app.press("j", key)
    #expect(app.line == "one three" && app.selected == "three")
    try app.press(key)
    #expect(app.line == "one" && app.selected == "one")
    try app.press(key)
    #expect(app.line == "" && app.rows.contains { $0.contains("Nothing to do") })
    try app.press(key)
    #expect(app.status == "There is no row here.")
  }

  @Test(
    "J and K move the row, and the cursor with it",
    arguments: [("J", "K"), ("S-Down", "S-Up"), ("M-Down", "M-Up")])
  func move(down: String, up: String) throws {
    let app = try AppHarness(["one", "two", "DONE"])
    try app.press(down)
    #expect(app.line == "two one [DONE]" && app.rows == ["two", "one", "DONE"] && app.selected == "one")
    try app.press(down)
    #expect(app.line == "two one [DONE]")
    #expect(app.status == Refusal.movingAmongCompletedRows.description)
    try app.press(up)
    #expect(app.line == "one two [DONE]" && app.selected == "one")
    try app.press(up)
    #expect(app.line == "one two [DONE]")
  }

  @Test("C clears what is completed and says how much")
  func clear() throws {
    let app = try AppHarness(["one", "TWO", "THREE"])
    try app.press("C")
    #expect(app.line == "one" && app.rows == ["one"] && app.status.hasPrefix("Cleared 2 completed rows."))
    try app.press("C")
    #expect(app.status == "There is no completed row.")
  }

  @Test("The title tells how many tasks are open, and follows a rename made elsewhere")
  func title() throws {
    let app = try AppHarness(["one", "TWO"])
    #expect(app.title.hasPrefix("My Tasks") && app.title.hasSuffix("1 open"))
    try app.press("a", "x", "Enter")
    #expect(app.title.hasSuffix("2 open"))
    let other = try app.other()
    try other.edit(TaskList.firstListID, in: RowScope(.lists), text: "Renamed")
    try app.settle()
    #expect(app.title.hasPrefix("Renamed"))
  }

  @Test("A row grows by lines while its text wraps, and the cursor goes through them")
  func wrapping() throws {
    let app = try AppHarness(["one", "two"], width: 20)
    try app.press("e", "C-u")
    app.type("some words that take three lines")
    #expect(app.rows == ["some words that", "take three lines", "two"])
    #expect(app.frame.cursor?.line == 2)
    try app.press("Up")
    #expect(app.frame.cursor?.line == 1)
    try app.press("Enter")
    #expect(app.rows == ["some words that", "take three lines", "two"])
  }

  @Test("What a terminal would act on is never in a cell")
  func controlCharacters() throws {
    let app = try AppHarness(["a\u{1B}[31mb\u{7}\u{9B}2J\u{202E}c", "two"])
    let other = try app.other()
    try other.edit(TaskList.firstListID, in: RowScope(.lists), text: "x\u{1B}]0;evil\u{7}\r\ny")
    try app.settle()
    try app.press("e")
    for cell in app.frame.cells {
      for scalar in cell.text.unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x202E)
      }
    }
    #expect(app.rows[0].hasPrefix("a␛[31mb␇"))
  }

  @Test("A paste is text in the row that is edited, or a new row, and never keys")
  func paste() throws {
    let app = try AppHarness(["one"])
    _ = app.app.handle(.paste("d\u{1B}q"))
    app.draw()
    try app.press("Enter")
    #expect(app.line == "one dq")
  }
}
