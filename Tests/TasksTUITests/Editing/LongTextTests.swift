import Testing

@testable import TasksTUI
@testable import TerminalUI

/// Costs are counted, not timed: clusters that are cut anew by a change, and clusters that are laid out to be
/// shown.
@Suite("Editing long texts")
struct LongTextTests {
  private static let texts = [
    String(repeating: "some words ", count: 20_000), String(repeating: "会", count: 100_000),
    "e" + String(repeating: "\u{301}", count: 100_000), String(repeating: "👩‍👩‍👧 ", count: 20_000),
    String(repeating: "ten million ", count: 10_000_000 / 12),
  ]

  @Test("A key costs what it changes, wherever it is struck", arguments: texts)
  func keys(text: String) {
    var editor = LineEditor(text, cursor: Array(text).count / 2)
    for key in 0..<300 {
      let before = editor.cutCount
      switch key % 3 {
      case 0: editor.insert("x")
      case 1: editor.insert("\u{301}")
      default: editor.perform(.deleteLeft)
      }
      #expect(editor.cutCount - before <= 4)
    }
    for _ in 0..<300 { editor.undo() }
    #expect(editor.text == text && editor.clusters == Array(text))
  }

  @Test("Where one cut moves all that follow, that is gone through once")
  func flags() {
    var editor = LineEditor(String(repeating: "🇫🇷", count: 10_000), cursor: 0)
    let before = editor.cutCount
    editor.insert("🇫")
    #expect(editor.clusters == Array(editor.text) && editor.clusters.count == 10_001)
    // Looked at in pieces that double in size.
    #expect(editor.cutCount - before < 5 * 10_001)
  }

  @Test("No more is laid out than three pages, and the cursor is among them", arguments: texts)
  func layout(text: String) {
    let count = Array(text).count
    for cursor in [0, 1, 2047, 2048, 5000, count / 2, count - 1, count] where cursor <= count {
      let editor = LineEditor(text, cursor: cursor)
      let layout = editor.layout(width: 40)
      #expect(layout.text.clusters.count <= 3 * LineEditor.page)
      #expect((0..<layout.lines.count).contains(layout.cursorLine) && (0..<40).contains(layout.cursorColumn))
      let line = layout.lines[layout.cursorLine]
      #expect((layout.start + line.lowerBound...layout.start + line.upperBound).contains(cursor))
      #expect(editor.window(width: 40).text.width <= 40)
    }
  }

  @Test("The cursor goes up and down through all of it")
  func lines() {
    var editor = LineEditor(String(repeating: "x", count: 20_000))
    var moves = 0
    while editor.move(lines: -1, width: 50) { moves += 1 }
    #expect(editor.cursor == 0 && (390...410).contains(moves))
    while editor.move(lines: 1, width: 50) { moves -= 1 }
    #expect(editor.cursor >= 19_950 && abs(moves) < 20)
  }

  @Test("Of a letter with a hundred thousand marks, what a cell holds is drawn")
  func marks() {
    let cluster = DisplayText.Cluster(Character("e" + String(repeating: "\u{301}", count: 100_000)))
    #expect(cluster.width == 1 && cluster.glyphs.map { $0.text.unicodeScalars.count } == [5])
  }

  @Test("The beginning of a text is as many scalars as it needs, and says that it is one")
  func beginning() {
    let marked = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(marked.beginning(10).unicodeScalars.count == 160)
    #expect("abc".beginning(2) == "ab" && "abc".beginning(3) == "abc" && "👩‍👩‍👧b".beginning(1) == "👩‍👩‍👧")
    #expect(DisplayText(marked + " and more", clippedTo: 20).string.hasSuffix("…"))
    #expect(DisplayText("and more", clippedTo: 8).string == "and more")
    #expect(DisplayText("and more", clippedTo: 7).string == "and mo…")
  }

  @Test("Keys that have come at once are one paste, up to the next that types nothing")
  func joining() {
    var decoder = InputDecoder()
    let long = String(repeating: "é word ", count: 1000)
    var events = decoder.decode(Array("\(long)\rabc\u{1}\(long)".utf8))[...]
    var joined: [InputEvent] = []
    while let event = events.popJoiningTyped() { joined.append(event) }
    let keys = ["a", "b", "c"].map { InputEvent.key(Key(.character($0))) }
    #expect(
      joined == [.paste(long), .key(Key(.enter))] + keys + [
        .key(Key(.character("a"), .control)), .paste(long),
      ])
  }

  @Test("Many pasted lines come in at once, between what stood left and right of the cursor")
  func pastedLines() {
    var editor = TextEditor("ab\nlast")
    _ = editor.handle(Key(.up), width: 80)
    _ = editor.handle(Key(.home), width: 80)
    _ = editor.handle(Key(.right), width: 80)
    editor.paste("1\n2\n\n4")
    #expect(editor.text == "a1\n2\n\n4b\nlast" && editor.current == 3 && editor.lines[3].cursor == 1)
    editor.paste("x\ny")
    #expect(editor.text == "a1\n2\n\n4x\nyb\nlast" && editor.current == 4)
    let many = String(repeating: "line\n", count: 20_000)
    editor.paste(many)
    #expect(editor.lines.count == 20_006)
  }
}
