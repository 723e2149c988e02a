import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Text as it is drawn")
struct DisplayTextTests {
  static let family = "👩\u{200D}👩\u{200D}👧"

  @Test(
    "A cluster takes the columns of its spacing scalars",
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("会", 2), ("🚀", 2), (family, 2), ("❤\u{FE0F}", 1), ("🇫🇷", 2),
      ("👍🏽", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("Z\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", 1),
      ("1\u{FE0F}\u{20E3}", 1), ("ｱ", 1), ("\u{3000}", 2), ("🏳\u{FE0F}\u{200D}🌈", 1), ("", 0),
    ] as [(String, Int)])
  func columns(text: String, width: Int) {
    #expect(DisplayText(text).width == width)
  }

  @Test("Of a joined emoji the first is drawn, without joiners, selectors and skin tones")
  func joinedEmoji() {
    #expect(DisplayText(Self.family).string == "👩")
    #expect(DisplayText("❤\u{FE0F}\u{200D}🔥!").string == "❤!")
    #expect(DisplayText("👍🏽").string == "👍")
  }

  @Test("A flag and an Indic syllable keep all their letters, each in cells of its own")
  func severalGlyphs() {
    let flag = DisplayText("🇫🇷").clusters
    #expect(flag.count == 1 && flag[0].glyphs.map(\.text) == ["🇫", "🇷"])
    #expect(DisplayText("कि").clusters.map { $0.glyphs.map(\.text) } == [["क", "ि"]])
  }

  @Test("A cell holds no more than a scalar and four marks")
  func manyMarks() {
    let glyphs = DisplayText("Z" + String(repeating: "\u{301}", count: 50)).clusters[0].glyphs
    #expect(glyphs.count == 1 && glyphs[0].text.unicodeScalars.count == 5)
  }

  @Test(
    "What is not printable has a visible sign",
    arguments: [
      ([0x0A], "↵"), ([0x0D, 0x0A], "↵"), ([0x09], "⇥"), ([0x1B], "␛"), ([0x00], "␀"), ([0x7F], "␡"),
      ([0x9B], "\u{FFFD}"), ([0x202E], "\u{FFFD}"), ([0x2066], "\u{FFFD}"), ([0x200B], "\u{FFFD}"),
      ([0x301], "\u{25CC}\u{301}"), ([0x2028], "↵"), ([0xAD], "-"), ([0xA0], " "), ([0xFEFF], "\u{FFFD}"),
      ([0x10FFFF], "\u{FFFD}"),
    ] as [([UInt32], String)])
  func standIns(scalars: [UInt32], sign: String) {
    let text = DisplayText(String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init))))
    #expect(text.string == sign)
    #expect(text.width == 1)
  }

  @Test("No scalar whatever is drawn as a control, a format character or something of no width")
  func everyScalar() {
    // Planes 0, 1 and 14; the others hold ideographs, private use and nothing.
    for value in Array(UInt32(0)...0x1FFFF) + Array(0xE0000...0xE0FFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = DisplayText(String(scalar))
      if text.width != 1 && text.width != 2 { Issue.record("U+\(String(value, radix: 16)) has no width") }
      for drawn in text.string.unicodeScalars {
        let category = drawn.properties.generalCategory
        if category == .control || category == .format || category == .lineSeparator {
          Issue.record("U+\(String(value, radix: 16)) reaches the terminal")
        }
      }
    }
  }

  @Test("Clipping keeps whole clusters and says that something is missing")
  func clipping() {
    #expect(DisplayText("hello", clippedTo: 5).string == "hello")
    #expect(DisplayText("hello", clippedTo: 4).string == "hel…")
    #expect(DisplayText("会会会", clippedTo: 4).string == "会…")
    #expect(DisplayText("会", clippedTo: 1).string == "…")
    #expect(DisplayText("会", clippedTo: 0).string == "")
  }

  @Test("Lines break after spaces, and within words that are too long")
  func wrapping() {
    func lines(_ text: String, _ width: Int) -> [String] {
      let text = DisplayText(text)
      return text.wrapped(to: width).map { DisplayText(clusters: Array(text.clusters[$0])).string }
    }
    #expect(lines("", 5) == [""])
    #expect(lines("buy some milk", 8) == ["buy some ", "milk"])
    #expect(lines("abcdefgh", 3) == ["abc", "def", "gh"])
    #expect(lines("a bcdefgh", 4) == ["a ", "bcde", "fgh"])
    #expect(lines("会会会", 3) == ["会", "会", "会"])
    #expect(lines("会", 1) == ["会"])
    #expect(lines("a  ", 1) == ["a  "])
  }

  @Test("Wrapped lines hold every cluster once, and fit but for spaces at their ends")
  func wrappingLaw() {
    var random = SeededGenerator()
    let pieces = ["a", "b", "word", " ", "  ", "会", "🚀", "e\u{301}", "🇫🇷", "\n", "\t"]
    for _ in 0..<500 {
      let text = DisplayText(
        (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random)! }
          .joined())
      let width = Int.random(in: 1...12, using: &random)
      let lines = text.wrapped(to: width)
      #expect(lines.flatMap { Array($0) } == Array(0..<text.clusters.count), "\(random.comment)")
      for line in lines {
        var clusters = text.clusters[line]
        while clusters.last?.isSpace == true { clusters.removeLast() }
        let used = clusters.reduce(0) { $0 + $1.width }
        #expect(used <= width || clusters.count == 1, "\(random.comment)")
      }
    }
  }
}
