import FoundationEssentials
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Keys while typing")
struct EditingKeysTests {
  @Test("Every command of the line editor stands in the table once, with a key that means no other")
  func table() {
    #expect(
      EditingTable.all.map(\.command.rawValue).sorted() == EditingCommand.allCases.map(\.rawValue).sorted())
    #expect(Set(EditingTable.all.map(\.name)).count == EditingTable.all.count)
    let keys = EditingTable.all.flatMap(\.keys)
    #expect(Set(keys).count == keys.count && keys.allSatisfy { $0.typed == nil })
    for description in EditingTable.all {
      #expect(!description.keys.isEmpty)
      for key in description.keys { #expect(EditingKeys.usual[key] == description.command) }
    }
  }

  @Test("The configuration gives other keys, and takes them from the commands that have them")
  func configured() throws {
    let configuration = AppConfiguration(
      """
      [keys.editing]
      start = ["F2", "C-k"]
      undo = "C-z"
      keep = "F5"
      lowercase = []
      """)
    #expect(configuration.problems.map(\.message) == ["Ctrl-Z always suspends the program"])
    let keys = EditingKeys(changing: configuration.editingKeys)
    #expect(keys.keys(for: .start).map(\.label) == ["F2", "Ctrl-K"] && keys.keys(for: .cutToEnd).isEmpty)
    #expect(keys.label(for: .keep) == "F5" && keys.keys(for: .lowercase).isEmpty)
    #expect(keys.label(for: .undo) == "Ctrl-_")
    var editor = LineEditor("one two")
    #expect(editor.handle(Key(.function(2)), keys) == .handled && editor.cursor == 0)
    #expect(editor.handle(Key(.enter), keys) == .ignored)
    #expect(editor.handle(Key(.function(5)), keys) == .commit)
  }

  @Test(
    "What cannot be is told by its line, and the rest holds",
    arguments: [
      (
        "[keys.editing]\nstart = \"C-x\"\nend = [\"F3\", \"C-x\"]", 3,
        "Ctrl-X is the key of start already, on line 2"
      ),
      (
        "[keys.editing]\nstart = \"x\"", 2,
        "x is typed; a key of the line editor is one such as C-a, M-b or F2"
      ),
      (
        "[keys.editing]\nstart = \"Space\"", 2,
        "Space is typed; a key of the line editor is one such as C-a, M-b or F2"
      ),
      ("[keys.editing]\nnonsense = \"C-x\"", 2, "the line editor has no “nonsense”"),
      ("[keys.editing]\nstart = \"C-nonsense\"", 2, "there is no key “C-nonsense”"),
      ("[keys.editing]\nstart = 5", 2, "the keys of start are texts in quotes"),
      ("[keys.editing]\nstart = \"C-c\"", 2, "Ctrl-C always ends what goes on, or leaves the program"),
      ("\n[keys.editing]\ncancel = []", 3, "cancel needs a key, because what is typed is left by it"),
      (
        "[keys.editing]\nstart = [\"Enter\", \"C-j\"]", 2,
        "keep needs a key, because what is typed is left by it"
      ),
    ])
  func problems(text: String, line: Int, message: String) {
    let problems = AppConfiguration(text).problems
    #expect(problems.map(\.line) == [line] && problems.map(\.message) == [message])
  }

  @Test("A key of a command may be another one while typing")
  func apart() {
    let configuration = AppConfiguration("[keys]\nundo = \"F2\"\n[keys.editing]\nstart = \"F2\"\n")
    #expect(
      configuration.problems.isEmpty && configuration.keys[.rows(.undo)] == configuration.editingKeys[.start])
  }

  @Test("They hold in rows, notes, prompts and the search, and everything that teaches keys teaches these")
  func everywhere() throws {
    let configuration = AppConfiguration(
      "[keys.editing]\nkeep = \"F5\"\ncancel = \"F6\"\nkeep-note = \"F7\"\nstart = \"F2\"\npaste = \"F3\"\n"
        + "line-up = \"F8\"\n")
    #expect(configuration.problems.isEmpty)
    let app = try AppHarness(["one"], width: 80, height: 12, configuration: configuration)
    try app.press("e")
    #expect(app.status == "F5 save  F6 cancel  Ctrl-O save, next row")
    try app.press("F2")
    app.type("no")
    try app.press("Enter", "F5")
    #expect(app.line == "noone")
    try app.press("e")
    try app.other().edit(try #require(app.tasks.first?.id), in: RowScope(app.place), text: "uno")
    try app.settle()
    #expect(app.app.message == "Changed elsewhere to “uno”. F5 keeps yours, F6 theirs.")
    try app.press("F6")
    #expect(app.status == "Theirs is kept; F3 in a row brings back what you wrote.")
    try app.press("a", "F3", "F5")
    #expect(app.line == "uno noone")

    try app.press("c")
    #expect(app.status == "F7 save  F6 cancel  F5 new line")
    app.type("first")
    try app.press("F5")
    app.type("second")
    try app.press("F8", "F2")
    app.type("the ")
    try app.press("F7")
    #expect(app.tasks.last?.notes == "the first\nsecond")

    try app.press(":")
    app.type("rst")
    try app.press("F2")
    app.type("fi")
    try app.press("F5")
    #expect(app.selected?.hasPrefix("uno") == true)
    try app.press("/")
    #expect(app.status.hasSuffix("F5 open  F6 leave"))
    app.type("noone")
    try app.settle()
    try app.press("F5")
    #expect(app.selected?.hasPrefix("noone") == true)

    app.height = 200
    try app.press("?")
    #expect(app.texts.contains { $0.contains("F5") && $0.contains("Save the text") })
    #expect(app.texts.contains { $0.contains("F7") && $0.contains("Save the note") })
  }

  @Test(
    "Those that move by lines move in the search, the help and prompts too, and no longer by the usual keys")
  func lines() throws {
    let configuration = AppConfiguration(
      "[keys.editing]\nline-down = \"C-k\"\nline-up = \"C-t\"\npage-down = \"F2\"\npage-up = \"F3\"\n"
        + "delete-left = \"F4\"\n")
    #expect(configuration.problems.isEmpty)
    let names = (1...40).map { "task \($0)" }
    let app = try AppHarness(names, width: 60, height: 12, configuration: configuration)
    func found(_ keys: String...) throws -> String? {
      try app.press("/")
      app.type("task")
      try app.settle()
      for key in keys { try app.press(key) }
      let selected = app.selected
      try app.press("Esc")
      return selected
    }
    #expect(try found("C-k", "C-k", "C-t") == "task 2")
    #expect(try found("Down", "C-n") == "task 1")
    #expect(try found("C-s", "C-s", "C-r") == "task 2")
    let page = try found("F2")
    #expect(page != "task 1")
    #expect(try found("F2", "F2", "F3") == page)
    try app.press("/", "F4")
    #expect(app.title.hasPrefix("My Tasks") && app.frame.cursor == nil)

    try app.press("?", "/")
    let top = app.rows
    try app.press("Down", "PgDn")
    #expect(app.rows == top)
    try app.press("C-k", "C-k")
    #expect(app.rows.first == top[1])
    try app.press("C-t", "C-t")
    #expect(app.rows == top)
    try app.press("F2")
    #expect(app.rows != top)
    try app.press("F3")
    #expect(app.rows == top)
    try app.press("F4", "Esc")

    try app.press(":")
    app.type("move-")
    try app.press("C-k", "C-k")
    #expect(app.texts.last == "  :move-up")
    try app.press("C-t")
    #expect(app.texts.last == "  :move-down")
    try app.press("Tab")
    #expect(app.texts.last == "  :move-up")
    try app.press("Esc", ":", "F4")
    #expect(app.frame.cursor == nil)
    // The usual keys bring back earlier words, as long as they mean nothing else.
    try app.command("last")
    try app.press(":", "C-p")
    #expect(app.texts.last == "  :last")
  }

  @Test("A click elsewhere keeps what was typed, whatever the keys are")
  func click() throws {
    let app = try AppHarness(
      ["one", "two"], configuration: AppConfiguration("[keys.editing]\nkeep = \"F5\"\n"))
    try app.press("e")
    app.type("!")
    _ = app.app.handle(.mouse(MouseEvent(action: .press, column: 9, line: 2)))
    try app.settle()
    #expect(app.line == "one! two")
  }

  @Test("What config --print prints is right as it is, and again with its comments taken away")
  func printed() {
    let text = AppConfiguration.defaultText
    for description in EditingTable.all { #expect(text.contains("\n#\(description.name) = [")) }
    let editing = text.split(separator: "\n").drop { $0 != "[keys.editing]" }.prefix {
      !$0.contains("A theme")
    }
    let uncommented = editing.map { $0.first == "#" ? String($0.dropFirst()) : String($0) }
    let configuration = AppConfiguration(uncommented.joined(separator: "\n"))
    #expect(configuration.problems.isEmpty && configuration.editingKeys.count == EditingTable.all.count)
    for description in EditingTable.all {
      #expect(configuration.editingKeys[description.command] == description.keys)
    }
  }
}
