import FoundationEssentials
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Other windows, on the screen")
struct OtherWindowsTests {
  private func id(_ text: String, _ app: AppHarness) throws -> Identifier {
    try #require(app.tasks.first { $0.text == text }).id
  }

  private func look(_ app: AppHarness) {
    app.app.lookAtWindows()
    app.draw()
  }

  @Test("Alone, a window says nothing of windows; with others, how many there are")
  func count() throws {
    let app = try AppHarness(["one"], width: 80, hasPresence: true)
    #expect(!app.status.contains("window") && app.app.nextFrame(after: app.now) == nil)
    var other: Presence? = try app.otherWindow()
    look(app)
    #expect(app.status.hasSuffix("● 2 windows") && app.status.hasPrefix("a add"))
    other = nil
    look(app)
    #expect(!app.status.contains("window") && other == nil)
    #expect(app.app.nextFrame(after: app.now) == nil)
  }

  @Test("The row that another window edits has a mark, and the bottom line says who it is")
  func mark() throws {
    let app = try AppHarness(["one", "two"], width: 80, hasPresence: true)
    let anna = try app.otherWindow()
    anna.activity = .editing(try id("two", app))
    look(app)
    #expect(app.texts[2].hasSuffix("✎") && !app.texts[1].contains("✎"))
    #expect(app.status.hasSuffix("● Anna edits “two”"))
    anna.activity = .writingNote(try id("one", app))
    look(app)
    #expect(app.texts[1].hasSuffix("✎") && app.status.hasSuffix("● Anna writes the note of “one”"))
    // Only what is in sight is spoken of.
    try app.press("h")
    #expect(app.status.hasSuffix("● 2 windows"))
    anna.activity = .editing(TaskList.firstListID)
    look(app)
    #expect(app.texts[1].hasSuffix("✎") && app.status.hasSuffix("● Anna edits “My Tasks”"))
    anna.activity = .looking
    look(app)
    #expect(!app.frame.text.contains("✎"))
  }

  @Test("The bottom line follows when the row that another window edits is scrolled out of sight and back")
  func scrolling() throws {
    let app = try AppHarness((0..<30).map { "t\($0)" }, width: 80, hasPresence: true)
    let anna = try app.otherWindow()
    anna.activity = .editing(try id("t0", app))
    look(app)
    #expect(app.status.hasSuffix("● Anna edits “t0”"))
    for _ in 0..<15 { try app.press("j") }
    #expect(!app.rows.contains { $0.hasPrefix("t0") } && app.status.hasSuffix("● 2 windows"))
    for _ in 0..<15 { try app.press("k") }
    #expect(app.status.hasSuffix("● Anna edits “t0”"))
  }

  @Test("In ASCII the marks are stars")
  func ascii() throws {
    let app = try AppHarness(
      ["one"], width: 80, appearance: Appearance(isAnimated: false, isASCII: true), hasPresence: true)
    let anna = try app.otherWindow()
    anna.activity = .editing(try id("one", app))
    look(app)
    #expect(app.frame.text.allSatisfy(\.isASCII) && app.texts[1].hasSuffix("*"))
    #expect(app.status.hasSuffix("* Anna edits \"one\""))
  }

  @Test("What is done here is told: editing, a note, a new row, and the end of each")
  func telling() throws {
    let app = try AppHarness(["one"], hasPresence: true)
    let anna = try app.otherWindow()
    let one = try id("one", app)
    func activity() -> WindowState.Activity? {
      _ = anna.look()
      return anna.others.first?.state.activity
    }
    #expect(activity() == .looking)
    try app.press("e")
    #expect(activity() == .editing(one))
    app.type("!")
    #expect(!anna.look())
    try app.press("Enter")
    #expect(activity() == .looking)
    try app.press("e", "Esc")
    #expect(activity() == .looking)
    try app.press("c")
    #expect(activity() == .writingNote(one))
    try app.press("Esc", "a")
    #expect(activity() == .adding(list: TaskList.firstListID))
    app.type("two")
    try app.press("Enter")
    #expect(activity() == .looking)
    // A row that is deleted under the editor is one that is added.
    try app.press("g", "e")
    #expect(activity() == .editing(one))
    try app.other().delete([one], in: RowScope(app.place))
    try app.settle()
    #expect(activity() == .adding(list: TaskList.firstListID))
    // Another program has a note in hand.
    try app.press("Esc")
    let two = try id("two", app)
    app.app.noteInEditor = two
    #expect(activity() == .writingNote(two))
    app.app.noteInEditor = nil
    #expect(activity() == .looking)
    try app.press("h", "e")
    #expect(activity() == .editing(TaskList.firstListID))
  }

  @Test("Whoever edits what another window edits is told so, whichever began", arguments: [true, false])
  func meeting(isSecond: Bool) throws {
    let sentence = "Also being edited in another window."
    let app = try AppHarness(["one", "two"], width: 80, hasPresence: true)
    let anna = try app.otherWindow()
    let one = try id("one", app)
    if isSecond { anna.activity = .editing(one) }
    look(app)
    try app.press("e")
    if !isSecond {
      #expect(app.status != sentence)
      anna.activity = .editing(one)
      look(app)
    }
    #expect(app.status.hasPrefix(sentence))
    #expect(app.texts[1].hasSuffix("✎"))
    // Both go on.
    app.type("!")
    #expect(app.status.hasPrefix("Enter save") && app.status.hasSuffix("● Anna edits “one”"))
    try app.press("Enter")
    #expect(app.line == "one! two")
    // Its note is another matter.
    try app.press("c")
    #expect(!app.status.hasPrefix(sentence))
    try app.press("Esc", "j", "e")
    #expect(!app.status.hasPrefix(sentence))
  }

  @Test("What was typed over somebody else's text comes back from the ring, and theirs by undo")
  func bothTexts() throws {
    let app = try AppHarness(["one"], width: 80)
    let other = try app.other()
    let one = try id("one", app)
    try app.press("e")
    app.type("!")
    try other.edit(one, in: RowScope(app.place), text: "uno")
    try app.settle()
    try app.press("Esc")
    #expect(app.line == "uno" && app.status == "Theirs is kept; Ctrl-Y in a row brings back what you wrote.")
    try app.press("a", "C-y", "Enter")
    #expect(app.line == "uno one!")
    try app.press("g", "e")
    app.type("?")
    try other.edit(one, in: RowScope(app.place), text: "eins")
    try app.settle()
    try app.press("Enter")
    #expect(app.line == "uno? one!")
    try app.press("u")
    #expect(app.line == "eins one!")
  }

  @Test("A note that was written over somebody else's comes back from the ring, with its lines")
  func bothNotes() throws {
    let app = try AppHarness(["one"], width: 80)
    let one = try id("one", app)
    try app.press("c")
    app.type("mine")
    try app.press("Enter")
    app.type("too")
    try app.other().setNotes(one, to: "theirs", replacing: "")
    try app.press("C-s")
    #expect(app.status.hasPrefix("Changed elsewhere to “theirs”."))
    try app.press("Esc")
    #expect(app.tasks.first?.notes == "theirs" && app.status.contains("Ctrl-Y"))
    try app.press("c", "Enter", "C-y", "C-s")
    #expect(app.tasks.first?.notes == "theirs\nmine\ntoo")
    // A row is one line.
    try app.press("e", "C-u", "C-y", "M-y", "Enter")
    #expect(app.line == "mine too")
  }

  @Test("windows lists them; switched off, a window neither tells nor is told")
  func setting() throws {
    let app = try AppHarness(["one"], width: 100, hasPresence: true)
    let anna = try app.otherWindow()
    look(app)
    _ = app.app.run(line: "windows")
    app.draw()
    #expect(app.status.hasPrefix("1 other window: Anna on pts/7."))
    _ = app.app.run(line: "set presence off")
    _ = anna.look()
    #expect(anna.others.isEmpty && app.app.presenceDescriptor == -1)
    try app.press("e")
    #expect(!app.draw().text.contains("●"))
    _ = app.app.run(line: "windows")
    #expect(app.draw().text.contains("This window does not look at others; “:set presence on”"))
    _ = app.app.run(line: "set presence on")
    _ = anna.look()
    #expect(anna.others.first?.state.activity == .editing(try id("one", app)))
    #expect(app.draw().text.contains("● 2 windows"))
    let without = try AppHarness(["one"], width: 100)
    _ = without.app.run(line: "windows")
    #expect(without.draw().text.contains("Windows cannot tell of each other here"))
  }

  @Test("Whatever is said and however small the terminal is, the line holds what it should")
  func sizes() throws {
    let app = try AppHarness(["one", "two"], hasPresence: true)
    let anna = try app.otherWindow(author: String(repeating: "Anna ", count: 9))
    anna.activity = .editing(try id("two", app))
    for width in stride(from: 0, through: 99, by: 9) {
      app.width = width
      _ = app.app.handle(.resize(width: width, height: 6))
      look(app)
      if width >= 60 { #expect(app.status.contains("a add") && app.status.contains("● Anna")) }
      try app.press("g", "k")
      #expect(width < 60 || app.status.contains("A adds a row on top"))
      try app.press("j", "3")
      #expect(width < 60 || app.status.hasSuffix("3"))
      try app.press("Esc")
    }
  }
}
