import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Canvas")
struct CanvasTests {
  @Test("Text is clipped at both edges")
  func clipping() {
    var canvas = Canvas(width: 5, height: 1)
    #expect(canvas.put("hello world", column: 0, line: 0) == 5)
    #expect(canvas.text == "hello")
    canvas.fill()
    canvas.put("hello", column: -2, line: 0)
    #expect(canvas.text == "llo")
    canvas.put("x", column: 0, line: 7)
    canvas.put("x", column: 0, line: -1)
    #expect(canvas.text == "llo")
  }

  @Test("A wide cluster across an edge leaves a blank in its style")
  func wideAtEdge() {
    var canvas = Canvas(width: 3, height: 1)
    let style = Style(background: RGB(1, 2, 3))
    canvas.put("会", column: -1, line: 0, style: style)
    canvas.put("会", column: 2, line: 0, style: style)
    #expect(canvas.text(line: 0) == "   ")
    #expect(canvas[0, 0].style == style && canvas[2, 0].style == style)
  }

  @Test("Overwriting half of a wide cluster blanks the other half")
  func wideRepair() {
    var canvas = Canvas(width: 4, height: 1)
    canvas.put("会会", column: 0, line: 0)
    canvas.put("x", column: 1, line: 0)
    #expect(canvas.text(line: 0) == " x会")
    canvas.put("y", column: 2, line: 0)
    #expect(canvas.text(line: 0) == " xy ")
    canvas.put("会", column: 0, line: 0)
    canvas.put("会", column: 1, line: 0)
    #expect(canvas.text(line: 0) == " 会 ")
  }

  @Test("Another canvas is drawn at any place, cut at the edges")
  func drawing() {
    var row = Canvas(width: 4, height: 1)
    row.put("会ab", column: 0, line: 0)
    var canvas = Canvas(width: 4, height: 2)
    canvas.draw(row, column: -1, line: 1)
    #expect(canvas.text == "\n ab")
    canvas.draw(row, column: 3, line: 0)
    #expect(canvas.text == "\n ab")
    canvas.draw(row, column: 9, line: 0)
    canvas.draw(row, column: 0, line: -1)
    #expect(canvas.text == "\n ab")
  }

  @Test("After any drawing, every wide cluster is followed by the cells it covers, and by no others")
  func invariant() {
    var random = SeededGenerator()
    let pieces = ["a", "会", "🚀", "e\u{301}", "🇫🇷", " ", "\u{1B}"]
    var canvas = Canvas(width: 9, height: 3)
    for _ in 0..<3000 {
      let column = Int.random(in: -4...10, using: &random)
      let line = Int.random(in: -1...3, using: &random)
      let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)!
      }.joined()
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        canvas.fill(line: line, height: Int.random(in: -1...2, using: &random))
      case 1:
        var other = Canvas(width: 5, height: 2)
        other.put(text, column: 0, line: 0)
        canvas.draw(other, column: column, line: line)
      default: canvas.put(text, column: column, line: line)
      }
      for line in 0..<canvas.height {
        var covered = 0
        for column in 0..<canvas.width {
          let cell = canvas[column, line]
          #expect((cell.width == 0) == (covered > 0), "\(random.comment)")
          #expect((cell.width == 0) == cell.text.isEmpty, "\(random.comment)")
          covered = cell.width == 0 ? covered - 1 : Int(cell.width) - 1
        }
        #expect(covered == 0, "\(random.comment)")
      }
    }
  }
}
