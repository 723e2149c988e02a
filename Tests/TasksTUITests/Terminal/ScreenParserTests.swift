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

  @Test("What is written over one half of a wide character blanks the other")
  func halves() {
    for (written, text) in [
      ("\u{1B}[2Gx", " x"), ("\u{1B}[1Gx", "x"), ("\u{1B}[1G\u{1B}[1X", ""), ("\u{1B}[3G漢", "漢漢"),
    ] {
      var screen = ScreenParser(columns: 10, lines: 1)
      screen.feed(Array("漢\(written)|".utf8))
      #expect(screen.text(line: 0).replacing("|", with: "") == text, "\(written.debugDescription)")
    }
  }
}
