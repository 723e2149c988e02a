import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Text that runs from right to left")
struct VisualOrderTests {
  /// The texts of the cells from left to right.
  private func drawn(_ text: String, in direction: TextDirection? = nil) -> String {
    let text = DisplayText(text)
    var canvas = Canvas(width: text.width, height: 1)
    canvas.put(text, column: 0, line: 0, direction: direction)
    return canvas.text(line: 0)
  }

  @Test(
    "Letters, numbers, brackets and blanks stand where a reader expects them",
    arguments: [
      ("plain (text) 1", "plain (text) 1"), ("é 会 🚀", "é 会 🚀"),
      ("אבג", "גבא"), ("אב גד", "דג בא"), ("buy אבג now", "buy גבא now"),
      // Numbers run from left to right within, brackets close on the other side.
      ("אב 12 גד", "דג 12 בא"), ("(אב)", "(בא)"), ("אב (ג)", "(ג) בא"), ("אב abc גד", "דג abc בא"),
      ("אב, x.", ".x ,בא"), ("אב ", " בא"), ("#אב cd", "cd בא#"),
      // A mark stays with its letter.
      ("ש\u{5C1}ל", "לש\u{5C1}"), ("مرحبا 5", "5 ابحرم"),
    ])
  func order(text: String, expected: String) {
    #expect(drawn(text) == expected)
  }

  @Test("A line has the direction of its text, or its own")
  func direction() {
    #expect(drawn("x אב", in: .rightToLeft) == "בא x")
    #expect(drawn("אב x", in: .leftToRight) == "בא x")
    #expect(DisplayText("אב x").direction == .rightToLeft)
    #expect(DisplayText("x אב").direction == .leftToRight)
    #expect(DisplayText("x").direction == nil)
  }

  @Test("Every cluster has its columns, none of them twice, whatever the text")
  func columns() {
    var random = SeededGenerator()
    let alphabet: [Character] = [
      "a", "b", " ", "1", "2", "(", ")", "א", "ב", "ש\u{5C1}", "ح", "ع", "会", "🚀", "-", ".",
    ]
    for _ in 0..<2_000 {
      let text = DisplayText(
        String(
          (0..<Int.random(in: 1...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! }))
      let direction = [nil, TextDirection.leftToRight, .rightToLeft].randomElement(using: &random)!
      guard let order = VisualOrder(of: text.clusters, in: direction) else {
        #expect(direction != .rightToLeft && !text.clusters.contains(where: \.isRightToLeft))
        continue
      }
      #expect(order.indices.sorted() == Array(text.clusters.indices), "\(random.comment)")
      var column = 0
      for index in order.indices {
        #expect(order.columns[index] == column, "\(random.comment)")
        column += text.clusters[index].width
      }
      #expect(column == text.width && order.width == column)
      // The text is drawn in that order.
      var canvas = Canvas(width: text.width, height: 1)
      canvas.put(text, column: 0, line: 0, direction: direction)
      for index in order.indices {
        let cell = canvas[order.columns[index], 0]
        #expect(cell.text == order.drawn(text.clusters[index], at: index).glyphs[0].text, "\(random.comment)")
      }
    }
  }

  @Test("The cursor stands on the letter before which is typed, and left of the last one at the end")
  func cursor() {
    var editor = LineEditor("אבג")
    // In ten columns the text is in 7, 8 and 9, its end in 6.
    var layout = editor.layout(width: 10)
    #expect(layout.cursorColumn == 6 && layout.indentation(ofLine: 0) == 7)
    editor.moveToStart()
    layout = editor.layout(width: 10)
    #expect(layout.cursorColumn == 9)
    editor.perform(.right)
    #expect(editor.layout(width: 10).cursorColumn == 8)
    editor.insert("x")
    #expect(editor.text == "אxבג")
    // Where the line is full, what is typed next goes to the right end of a new one.
    editor = LineEditor("אבגד")
    layout = editor.layout(width: 4)
    #expect(layout.cursorLine == 1 && layout.cursorColumn == 3)
    editor = LineEditor("ab אב")
    #expect(
      editor.layout(width: 10).cursorColumn == 5 && editor.layout(width: 10).indentation(ofLine: 0) == 0)
    editor.perform(.left)
    #expect(editor.layout(width: 10).cursorColumn == 3)
  }

  @Test("Rows end at the right edge, and what was searched for is marked where it stands")
  func rows() throws {
    let app = try AppHarness(["אבג דהו", "plain"], width: 30)
    #expect(app.texts[1].hasSuffix("והד גבא"))
    try app.press("/")
    app.type("דה")
    try app.settle()
    let marked = (0..<app.width).filter {
      app.frame[$0, 1].style.background == app.app.context.palette.highlight
    }
    // 22 … 28 are the text's columns, from the right: three letters, a blank, then the two.
    #expect(marked == [23, 24])
    #expect(app.status.hasPrefix("/הד"))
    try app.press("Esc", "e")
    #expect(app.frame.cursor?.column == 21)
  }

  @Test("The terminal may be left to do it")
  func terminal() throws {
    let app = try AppHarness(["אבג"], width: 30)
    _ = app.app.run(line: "set bidi terminal")
    app.draw()
    #expect(app.rows == ["אבג"])
    _ = app.app.run(line: "set bidi program")
    app.draw()
    #expect(app.texts[1].hasSuffix("גבא"))
    #expect(TextDirection.isSeenToByTerminal(["TERM": "xterm-kitty"]))
    #expect(!TextDirection.isSeenToByTerminal(["TERM": "xterm-256color"]))
  }
}
