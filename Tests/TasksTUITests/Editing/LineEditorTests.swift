import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Line editor")
struct LineEditorTests {
  static let family = "👩\u{200D}👩\u{200D}👧"

  /// The text with `|` at the cursor after `keys`, separated by blanks, were struck in `text`, which may have
  /// a `|` too.
  static func edit(_ text: String, _ keys: String) throws -> String {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    var editor = LineEditor(parts.joined(), cursor: parts.count == 2 ? parts[0].count : nil)
    for name in keys.split(separator: " ") {
      #expect(editor.handle(try #require(Key(String(name)))) == .handled)
    }
    return shown(editor)
  }

  static func shown(_ editor: LineEditor) -> String {
    String(editor.clusters[..<editor.cursor]) + "|" + String(editor.clusters[editor.cursor...])
  }

  @Test(
    "Keys do what they do in readline",
    arguments: [
      ("", "a b Space c", "ab c|"), ("abc", "Left Left x", "ax|bc"), ("abc", "C-a C-f Right C-b x", "ax|bc"),
      ("abc", "Home Delete C-d", "|c"), ("abc", "Backspace C-h", "a|"), ("|abc", "Backspace Left", "|abc"),
      ("abc", "Delete Right", "abc|"), ("|one two", "M-f M-f M-f", "one two|"),
      ("one two", "M-b", "one |two"),
      ("one, two.", "C-Left C-Left C-Left", "|one, two."), ("|one, two", "C-Right M-Right", "one, two|"),
      ("one |two", "C-k", "one |"), ("one |two", "C-u", "|two"), ("one two  ", "C-w", "one |"),
      ("a/b-c", "C-w", "|"), ("a/b-c", "M-Backspace", "a/b-|"), ("|one two", "M-d", "| two"),
      ("one two", "C-w C-w C-y", "one two|"), ("|one two", "M-d M-d C-y C-y", "one twoone two|"),
      ("one |two", "C-k C-u C-y", "one two|"), ("one two", "C-w C-a C-k C-y M-y", "two|"),
      ("one two", "C-w C-a C-k C-y M-y M-y", "one |"), ("ab", "C-t", "ba|"), ("|ab", "C-t", "|ab"),
      ("a|bc", "C-t", "ba|c"), ("abc", "x y C-_", "abc|"), ("abc", "C-k C-_ C-_", "abc|"),
      ("abc", "Backspace Backspace C-_", "ab|"), ("abc", "Backspace x C-_ C-_", "abc|"),
      ("|one two", "M-u M-c", "ONE Two|"), ("|ONE", "M-l", "one|"), ("a", "C-y", "a|"),
    ] as [(String, String, String)])
  func readline(text: String, keys: String, result: String) throws {
    #expect(try Self.edit(text, keys) == result)
  }

  @Test("A cluster of several scalars is stepped over and deleted as one")
  func clusters() throws {
    #expect(try Self.edit("xe\u{301}", "Backspace") == "x|")
    #expect(try Self.edit("x\(Self.family)y", "Left Backspace") == "x|y")
    #expect(try Self.edit("|\(Self.family)y", "Delete") == "|y")
    #expect(try Self.edit("🇫🇷🇩🇪", "Left") == "🇫🇷|🇩🇪")
    #expect(try Self.edit("a👍🏽", "Left C-t") == "a|👍🏽" || Self.edit("a👍🏽", "Left C-t") == "👍🏽a|")
  }

  @Test("Ctrl-W over wide text takes what lies between blanks")
  func wideWords() throws {
    #expect(try Self.edit("买 牛奶和面包", "C-w") == "买 |")
    #expect(try Self.edit("买 牛奶", "M-b") == "买 |牛奶")
    #expect(try Self.edit("🚀🚀 🚀", "C-w C-w") == "|")
  }

  @Test("A combining mark that is typed joins the cluster before the cursor")
  func combining() {
    var editor = LineEditor("ab", cursor: 1)
    editor.insert("\u{301}")
    #expect(Self.shown(editor) == "a\u{301}|b")
    editor.insert("e")
    editor.insert("\u{302}")
    #expect(Self.shown(editor) == "a\u{301}e\u{302}|b")
    var emoji = LineEditor("👧", cursor: 0)
    for scalar in "👩\u{200D}".unicodeScalars { emoji.insert(String(scalar)) }
    #expect(emoji.clusters == ["👩\u{200D}👧"] && emoji.cursor == 1)
  }

  @Test("A paste is one line, never submits, and is undone as one")
  func paste() {
    var editor = LineEditor("a ")
    editor.paste("one\ntwo\r\n\nthree\t\u{1B}[31m\u{7}four\n")
    #expect(editor.text == "a one two three [31mfour")
    editor.undo()
    #expect(editor.text == "a ")
    editor.paste("\n\n")
    #expect(editor.text == "a ")
  }

  @Test("Enter keeps, Esc puts back, and what means nothing here is left to the screen")
  func outcomes() throws {
    var editor = LineEditor("a")
    for (name, outcome) in [
      ("Enter", LineEditor.Outcome.commit), ("C-j", .commit), ("Esc", .cancel), ("C-g", .cancel),
      ("Up", .ignored),
      ("Tab", .ignored), ("F1", .ignored), ("M-x", .ignored), ("C-l", .ignored), ("Left", .handled),
    ] {
      #expect(editor.handle(try #require(Key(name))) == outcome, "\(name)")
    }
    #expect(editor.text == "a")
  }

  @Test("The kill ring goes from one editor to the next")
  func killRing() {
    var first = LineEditor("kept")
    first.perform(.cutToStart)
    var second = LineEditor("", killRing: first.killRing)
    second.yank()
    #expect(second.text == "kept")
  }

  @Test("Killed and yanked thrice, again and again, a text does not grow without end; a long one moves")
  func growth() throws {
    var editor = LineEditor("word")
    for _ in 0..<30 {
      editor.perform(.cutToStart)
      for _ in 0..<3 { editor.yank() }
    }
    #expect(editor.clusters.count <= 4 * LineEditor.longestToGrow)
    var killed = KillRing()
    killed.push(String(repeating: "line\n", count: 1000))
    var note = TextEditor(killRing: killed)
    for _ in 0..<30 { _ = note.handle(try #require(Key("C-y")), width: 80) }
    #expect(note.text.count <= 2 * LineEditor.longestToGrow)
    var long = LineEditor(String(repeating: "a", count: 3 * LineEditor.longestToGrow))
    long.perform(.cutToStart)
    long.yank()
    #expect(long.clusters.count == 3 * LineEditor.longestToGrow)
  }

  @Test("The cursor's column counts cells")
  func columns() {
    var editor = LineEditor("a会e\u{301}\(Self.family)\u{1B}🇫🇷")
    #expect(editor.layout(width: 80).cursorColumn == 9)
    let expected = [7, 6, 4, 3, 1, 0]
    for column in expected {
      editor.perform(.left)
      #expect(editor.layout(width: 80).cursorColumn == column)
    }
  }

  @Test("The text wraps by words, and the cursor lies within the width")
  func layout() {
    func place(_ text: String, _ cursor: Int?, _ width: Int) -> [Int] {
      let layout = LineEditor(text, cursor: cursor).layout(width: width)
      return [layout.lines.count, layout.cursorLine, layout.cursorColumn]
    }
    #expect(place("", nil, 5) == [1, 0, 0])
    #expect(place("buy milk", nil, 5) == [2, 1, 4])
    #expect(place("buy milk", 4, 5) == [2, 1, 0])
    #expect(place("buy milk", 3, 5) == [2, 0, 3])
    #expect(place("milk", nil, 4) == [2, 1, 0])
    #expect(place("会会", nil, 4) == [2, 1, 0])
    #expect(place("ab    c", 5, 3) == [2, 0, 2])
    #expect(place("a", nil, 0) == [2, 1, 0])
  }

  @Test("Up and down move within a wrapped text")
  func vertical() {
    var editor = LineEditor("buy some milk today", cursor: 6)
    // "buy some " / "milk today"
    let moved1 = editor.move(lines: 1, width: 11)
    #expect(moved1)
    #expect(Self.shown(editor) == "buy some milk t|oday")
    let moved2 = editor.move(lines: 1, width: 11)
    #expect(!moved2)
    let moved3 = editor.move(lines: -1, width: 11)
    #expect(moved3)
    #expect(Self.shown(editor) == "buy so|me milk today")
    editor.moveToEnd()
    let moved4 = editor.move(lines: -1, width: 11)
    #expect(moved4)
    #expect(Self.shown(editor) == "buy some| milk today")
  }

  @Test("On a single line the cursor is always in sight")
  func window() {
    var editor = LineEditor("hello 会会 world")
    for _ in 0...editor.clusters.count {
      let window = editor.window(width: 4)
      #expect((0..<4).contains(window.cursorColumn))
      editor.perform(.left)
    }
    #expect(editor.window(width: 4).text.string.hasPrefix("hell"))
  }
}

/// Everything before and everything after the cursor, and the plainest way to do each thing.
private struct EditorModel {
  var left = ""
  var right = ""

  mutating func settle() {
    let end = left.utf8.count
    let all = left + right
    left = ""
    for character in all where left.utf8.count < end { left.append(character) }
    right = String(all.utf8.dropFirst(left.utf8.count)) ?? ""
  }

  mutating func moveLeft() { if let last = left.popLast() { right = String(last) + right } }
  mutating func moveRight() { if !right.isEmpty { left.append(right.removeFirst()) } }

  mutating func back(while condition: (Character) -> Bool, do step: (inout EditorModel) -> Void) {
    while let last = left.last, condition(last) { step(&self) }
  }

  mutating func forward(while condition: (Character) -> Bool, do step: (inout EditorModel) -> Void) {
    while let first = right.first, condition(first) { step(&self) }
  }
}

@Suite("Line editor, against a model")
struct LineEditorModelTests {
  @Test("Any sequence of keys gives what the model gives")
  func random() {
    var random = SeededGenerator()
    let typed = [
      "a", "Z", "7", " ", "-", "会", "🚀", "\u{301}", "\u{200D}", "👩", "🏽", "🇫", "🇷", "\u{1112}", "\u{1161}",
      "\u{FE0F}",
      "क", "ि",
    ]
    func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    for _ in 0..<400 {
      var editor = LineEditor()
      var model = EditorModel()
      var steps: [String] = []
      for _ in 0..<60 {
        let operation = Int.random(in: 0..<22, using: &random)
        steps.append("\(operation)")
        switch operation {
        case 0:
          editor.perform(.left)
          model.moveLeft()
        case 1:
          editor.perform(.right)
          model.moveRight()
        case 2:
          editor.perform(.deleteLeft)
          if !model.left.isEmpty { model.left.removeLast() }
        case 3:
          editor.perform(.deleteRight)
          if !model.right.isEmpty { model.right.removeFirst() }
        case 4:
          editor.perform(.wordLeft)
          model.back(while: { !isWord($0) }, do: { $0.moveLeft() })
          model.back(while: isWord, do: { $0.moveLeft() })
        case 5:
          editor.perform(.wordRight)
          model.forward(while: { !isWord($0) }, do: { $0.moveRight() })
          model.forward(while: isWord, do: { $0.moveRight() })
        case 6:
          editor.perform(.cutToBlank)
          model.back(while: \.isWhitespace, do: { $0.left.removeLast() })
          model.back(while: { !$0.isWhitespace }, do: { $0.left.removeLast() })
        case 7:
          editor.perform(.cutWordRight)
          model.forward(while: { !isWord($0) }, do: { $0.right.removeFirst() })
          model.forward(while: isWord, do: { $0.right.removeFirst() })
        case 8 where Int.random(in: 0..<4, using: &random) == 0:
          editor.perform(.cutToEnd)
          model.right = ""
        case 9 where Int.random(in: 0..<4, using: &random) == 0:
          editor.perform(.cutToStart)
          model.left = ""
        case 10:
          editor.transpose()
          if !model.left.isEmpty && (model.left + model.right).count >= 2 {
            if model.right.isEmpty { model.moveLeft() }
            let before = model.left.removeLast()
            let after = model.right.removeFirst()
            model.left += String(after) + String(before)
          }
        case 11:
          editor.moveToStart()
          (model.left, model.right) = ("", model.left + model.right)
        case 12:
          editor.moveToEnd()
          (model.left, model.right) = (model.left + model.right, "")
        default:
          let text = typed.randomElement(using: &random)!
          steps.append(text.debugDescription)
          editor.insert(text)
          model.left += text
        }
        model.settle()
        #expect(editor.text == model.left + model.right, "\(steps) \(random.comment)")
        #expect(editor.cursor == model.left.count, "\(steps) \(random.comment)")
        #expect(editor.clusters == Array(editor.text), "\(steps) \(random.comment)")
        let layout = editor.layout(width: 7)
        #expect((0..<7).contains(layout.cursorColumn), "\(steps) \(random.comment)")
        #expect(layout.text.clusters.count == editor.clusters.count)
      }
      let text = editor.text
      for _ in 0..<60 { editor.undo() }
      #expect(editor.text == "", "undone from \(text.debugDescription) \(random.comment)")
    }
  }
}
