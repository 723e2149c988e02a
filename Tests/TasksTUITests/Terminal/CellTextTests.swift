import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("The text of a cell")
struct CellTextTests {
  @Test(
    "Up to five scalars come back as they were",
    arguments: ["", " ", "a", "é", "e\u{301}", "会", "🚀", "\u{10FFFF}", "a\u{300}\u{301}\u{302}\u{303}"])
  func roundTrip(text: String) {
    let glyph = CellText(text)
    #expect(Array(glyph.string.unicodeScalars) == Array(text.unicodeScalars))
    #expect(glyph.first == text.unicodeScalars.first)
    #expect(glyph.isASCII == text.utf8.allSatisfy { $0 < 0x80 })
    #expect(glyph == CellText(text))
  }

  @Test("What a cell has no room for is left out")
  func long() {
    #expect(CellText("a\u{300}\u{301}\u{302}\u{303}\u{304}") == CellText("a\u{300}\u{301}\u{302}\u{303}"))
    #expect(CellText("a\u{0}b") == CellText("a"))
  }

  @Test("A mark comes last, if need be in the place of another")
  func mark() {
    #expect(CellText("a").marked(with: "\u{336}") == CellText("a\u{336}"))
    #expect(CellText.empty.marked(with: "\u{336}") == CellText("\u{336}"))
    let full = CellText("a\u{300}\u{301}\u{302}\u{303}").marked(with: "\u{336}")
    #expect(Array(full.string.unicodeScalars) == Array("a\u{300}\u{301}\u{302}\u{336}".unicodeScalars))
  }
}
