import CTerminal
import TerminalEmulator
import Testing

@Suite("The terminal of the tests")
struct ScreenParserTests {
  @Test("A mark takes no cell, in any script")
  func marks() {
    let marks = (0x300..<0x3000 as Range<UInt32>).compactMap(Unicode.Scalar.init).filter {
      [.nonspacingMark, .enclosingMark].contains($0.properties.generalCategory)
        && cterminal_scalar_width($0.value) == 0
    }
    #expect(marks.count > 500)
    let misplaced = marks.filter { mark in
      var screen = ScreenParser(columns: 10, lines: 2)
      screen.feed(Array("a\(mark)b".utf8))
      return screen.cursor.column != 2
    }
    #expect(misplaced == [])
  }
}
