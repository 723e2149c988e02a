import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("A text of several lines")
struct TextEditorTests {
  private func press(_ editor: inout TextEditor, _ keys: String...) throws {
    for name in keys {
      let key = try #require(Key(name), "no key \(name)")
      _ = editor.handle(key, width: 10)
    }
  }

  private func type(_ editor: inout TextEditor, _ text: String) {
    for character in text { _ = editor.handle(Key(.character(character)), width: 10) }
  }

  @Test("Enter parts a line; Backspace and Delete join two")
  func lines() throws {
    var editor = TextEditor("one")
    try press(&editor, "Left", "Enter")
    #expect(editor.text == "on\ne" && editor.current == 1)
    try press(&editor, "Backspace")
    #expect(editor.text == "one" && editor.lines[0].cursor == 2)
    try press(&editor, "Enter", "Up", "End", "Delete")
    #expect(editor.text == "one")
    try press(&editor, "C-a", "Backspace", "C-e", "Delete")
    #expect(editor.text == "one")
  }

  @Test("The cursor goes from line to line, also through lines that are wrapped")
  func motions() throws {
    var editor = TextEditor("a long line indeed\nb\n\nlast")
    #expect(editor.current == 3)
    try press(&editor, "Up", "Up")
    #expect(editor.current == 1)
    try press(&editor, "Up")
    #expect(editor.current == 0 && editor.lines[0].layout(width: 10).cursorLine > 0)
    try press(&editor, "Up", "Up")
    #expect(editor.lines[0].layout(width: 10).cursorLine == 0)
    try press(&editor, "Up", "Down", "Down", "Down", "Down", "Down")
    #expect(editor.current == 3)
    try press(&editor, "C-a", "Left", "Left", "Right", "Right")
    #expect(editor.current == 3 && editor.lines[3].cursor == 0)
    try press(&editor, "M-<")
    type(&editor, "X")
    try press(&editor, "M->")
    type(&editor, "Y")
    #expect(editor.text == "Xa long line indeed\nb\n\nlastY")
  }

  @Test("A page is as many lines of the screen as are in sight but one; at an end the cursor stops")
  func pages() throws {
    var editor = TextEditor((0..<30).map { "\($0)" }.joined(separator: "\n"))
    try press(&editor, "PgUp")
    #expect(editor.current == 20)
    _ = editor.handle(try #require(Key("PgUp")), width: 10, height: 4)
    #expect(editor.current == 17)
    try press(&editor, "PgUp", "PgUp", "PgUp")
    #expect(editor.current == 0)
    try press(&editor, "PgDn")
    #expect(editor.current == 9)
    try press(&editor, "PgDn", "PgDn", "PgDn")
    #expect(editor.current == 29 && editor.lines.count == 30)
    // Lines that are wrapped count as often as they are seen.
    editor = TextEditor(String(repeating: "word ", count: 30) + "\nlast")
    _ = editor.handle(try #require(Key("PgUp")), width: 10, height: 6)
    #expect(editor.current == 0 && editor.lines[0].layout(width: 10).cursorLine > 8)
  }

  @Test("What is pasted keeps its lines; Ctrl-S keeps and Esc puts back")
  func outcomes() throws {
    var editor = TextEditor()
    editor.paste("one\r\ntwo\n\nthree")
    #expect(editor.text == "one\ntwo\n\nthree" && editor.current == 3)
    #expect(editor.handle(try #require(Key("C-s")), width: 10) == .commit)
    #expect(editor.handle(try #require(Key("Esc")), width: 10) == .cancel)
    #expect(editor.handle(try #require(Key("Enter")), width: 10) == .handled)
  }

  @Test("Any keys leave a text whose cursor is in it")
  func random() throws {
    var random = SeededGenerator()
    let names = [
      "Enter", "Backspace", "Delete", "Up", "Down", "Left", "Right", "C-a", "C-e", "C-k", "C-u", "C-y", "M->",
      "M-<", "PgUp", "PgDn",
    ]
    for _ in 0..<30 {
      var editor = TextEditor()
      for _ in 0..<200 {
        if Bool.random(using: &random) {
          type(&editor, ["a", " ", "日", "é"].randomElement(using: &random) ?? "a")
        } else {
          try press(&editor, names.randomElement(using: &random) ?? "Enter")
        }
        try #require(editor.lines.indices.contains(editor.current), Comment(rawValue: random.comment))
        #expect(
          TextEditor(editor.text).lines.map(\.text) == editor.lines.map(\.text),
          Comment(rawValue: random.comment))
      }
    }
  }

  @Test("Undo goes back over parted and joined lines, in whichever line something was changed")
  func undoing() throws {
    var editor = TextEditor("one\ntwo\nthree")
    for _ in 0..<6 { try press(&editor, "Backspace") }
    #expect(editor.text == "one\ntwo")
    try press(&editor, "Enter", "Up", "Up", "C-k", "Down", "C-y")
    #expect(editor.text == "\nonetwo\n")
    for _ in 0..<12 { try press(&editor, "C-_") }
    #expect(editor.text == "one\ntwo\nthree" && editor.current == 2)
  }

  @Test("Whatever was done, undo comes back to the text at the beginning, through those between")
  func undoingRandomKeys() throws {
    var random = SeededGenerator()
    let names = [
      "Enter", "Backspace", "Delete", "Up", "Down", "Left", "Right", "C-a", "C-e", "C-k", "C-u", "C-w", "C-y",
      "C-t", "M->", "M-<",
    ]
    for _ in 0..<50 {
      var editor = TextEditor("one two\n\nthree")
      let original = editor.text
      var seen: Set<String> = [original]
      for _ in 0..<100 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: type(&editor, ["a", " ", "日", "é"].randomElement(using: &random) ?? "a")
        case 4: editor.paste(["x", "y\nz", "1\n2\n3\n"].randomElement(using: &random) ?? "x")
        default: try press(&editor, names.randomElement(using: &random) ?? "Enter")
        }
        seen.insert(editor.text)
      }
      for _ in 0..<101 {
        try press(&editor, "C-_")
        #expect(seen.contains(editor.text), Comment(rawValue: random.comment))
      }
      #expect(editor.text == original, Comment(rawValue: random.comment))
    }
  }
}
