import FoundationEssentials
import TasksModel
import Testing

@testable import TasksTUI

@Suite("Undo, by its keys")
struct UndoKeysTests {
  @Test("u takes back, says what, and puts the cursor there; Ctrl-R does it again")
  func undo() throws {
    let app = try AppHarness(["one", "two", "three"])
    try app.press("d", "G", "x")
    #expect(app.line == "two [three]")
    try app.press("u")
    #expect(app.line == "two three" && app.status == "Undid: completing “three”." && app.selected == "three")
    try app.press("u")
    #expect(app.line == "one two three" && app.selected == "one" && app.rows == ["one", "two", "three"])
    try app.press("2", "C-r")
    #expect(app.line == "two [three]" && app.status == "Redid: 2 changes.")
    try app.press("C-r")
    #expect(app.status == "There is nothing to redo.")
  }

  @Test("u counts the rows that the action has counted")
  func counts() throws {
    let app = try AppHarness(width: 90)
    for text in ["one #x", "two"] { try app.store.add(text, to: app.place) }
    try app.settle()
    try app.command("move-to-list New")
    try app.press("y")
    #expect(app.status == "Moved “one #x” to the new list “New”.")
    try app.press("u")
    #expect(app.status == "Undid: moving “one #x” to another list.")
    try app.store.add("sub #x", to: .subtasks(of: app.tasks[0].id))
    try app.command("tag x")
    for (command, words) in [
      ("repeat every week", "the repetition"), ("due 1.1.2030", "the date"), ("wait 1.1.2030", "the waiting"),
      ("priority B", "the priority"),
    ] {
      try app.press("V")
      try app.command(command)
      try app.press("u")
      #expect(app.status == "Undid: \(words) of 2 rows.")
    }
    try app.press("V", "d", "u")
    #expect(app.status == "Undid: deleting “one #x”.")
  }

  @Test("What is undone in a list that is not open is done there, and told")
  func elsewhere() throws {
    let app = try AppHarness(["one", "two"])
    try app.press("d", "h")
    try app.settle()
    try app.press("u")
    #expect(app.line == "one two" && app.status == "Undid: deleting “one”.")
    try app.press("d", "u")
    try app.settle()
    #expect(app.title == "Lists" && app.tasks.count == 2)
    try app.press("Enter")
    try app.settle()
    #expect(app.rows == ["one", "two"])
  }

  @Test("What can no longer be undone says why; the next u goes on before it")
  func impossible() throws {
    let app = try AppHarness(["one", "two"], width: 80)
    try app.press("d", "e")
    app.type("!")
    try app.press("Enter")
    try app.other().edit(app.tasks[0].id, in: RowScope(app.place), text: "theirs")
    try app.settle()
    try app.press("u")
    #expect(app.status == "Editing can no longer be undone: “theirs” has been changed since.")
    #expect(app.line == "theirs")
    try app.press("u")
    #expect(app.line == "one theirs")
  }
}
