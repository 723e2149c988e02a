import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("A file that another program is writing to")
struct LockedFileTests {
  private static let sentence = "Another program writes. Try again."

  @Test(
    "A key is refused with a line that fits, nothing is changed, and what was typed stays",
    arguments: [40, 80])
  func refused(width: Int) throws {
    let app = try AppHarness(
      ["one", "two"], width: width, configuration: AppConfiguration("edit-on-top = false"))
    app.store.writeTimeout = 0
    let other = try ForeignDatabase(app.folder("tasks.db"))
    try other.run("BEGIN IMMEDIATE")
    for key in ["x", "d", "J", "u", "+", "C"] {
      try app.press(key)
      #expect(app.status == Self.sentence, "\(key)")
      #expect(app.line == "one two")
    }
    try app.press("g", "e")
    app.type("!")
    try app.press("Enter")
    #expect(app.status == Self.sentence && app.rows == ["one!", "two"])
    app.type("!")
    try other.run("COMMIT")
    try app.press("Enter")
    #expect(app.line == "one!! two")
    try other.run("BEGIN IMMEDIATE")
    try app.press("a")
    app.type("three")
    try app.press("Enter")
    #expect(app.status == Self.sentence && app.rows == ["one!!", "two", "three"])
    try other.run("COMMIT")
    try app.press("Enter")
    #expect(app.line == "one!! two three")
    try other.run("BEGIN IMMEDIATE")
    try app.press("c")
    app.type("a note")
    try app.press("C-s")
    #expect(app.status == Self.sentence && app.texts.contains { $0.contains("a note") })
    try other.run("COMMIT")
    try app.press("C-s")
    #expect(app.tasks.contains { $0.notes == "a note" })
  }

  @Test("A window goes on, however long it lasts")
  func window() throws {
    let folder = TemporaryFolder()
    let tasks = ChildProcess.tasks
    try #require(try ChildProcess.run([tasks, "--file", folder("tasks.db"), "add", "one"]).status == 0)
    let window = try PseudoWindow(
      tasks, ["--file", folder("tasks.db"), "--no-animation"], in: folder.path)
    try window.wait(forText: "one")
    try window.waitForRest()
    let other = try ForeignDatabase(folder("tasks.db"))
    try other.run("BEGIN IMMEDIATE")
    // Each is refused at once: with SQLite's five seconds they would take longer than the test waits.
    for _ in 0..<30 { try window.strike("x") }
    try window.strike("?")
    try window.wait(forText: "To begin with")
    try window.strike("Esc")
    try window.wait(for: "the end of help") { !$0.screen.text.contains("To begin with") }
    try window.strike("d")
    try window.wait(forText: Self.sentence)
    try window.strike("a", "t", "w", "o")
    try window.wait(for: "the row without the message") { window in
      window.screen.text.contains("two") && !window.screen.text.contains(Self.sentence)
    }
    try window.strike("Enter")
    try window.wait(forText: Self.sentence)
    try other.run("COMMIT")
    try window.strike("Enter")
    try window.wait(for: "the row") { _ in
      try other.run("SELECT text FROM TaskItem ORDER BY text") == [["one"], ["two"]]
    }
    try window.strike("q")
    #expect(try window.waitForEnd() == 0)
  }
}
