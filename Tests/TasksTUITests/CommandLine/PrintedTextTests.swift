import TasksModel
import Testing

@testable import TasksTUI

@Suite("Text that is printed")
struct PrintedTextTests {
  @Test("Nothing that a terminal would act on is left in it")
  func controls() {
    #expect("\u{1B}[31mred\u{7}".withControlsMadeVisible == "\\u{1B}[31mred\\u{7}")
    #expect("a\nb\u{9B}c\u{202E}d\u{2066}".withControlsMadeVisible == "a\\u{A}b\\u{9B}c\\u{202E}d\\u{2066}")
    let harmless = "Zoë 会 👩‍👩‍👧 e\u{301} \\u{1B} ❤️"
    #expect(harmless.withControlsMadeVisible == harmless)
  }

  @Test("JSON strings escape what JSON demands, and what a terminal would act on")
  func json() {
    #expect(JSONText.string("a\"b\\c\n\r\t/") == #""a\"b\\c\n\r\t/""#)
    #expect(JSONText.string("\0\u{1B}\u{7F}\u{9B}\u{202E}") == #""\u0000\u001b\u007f\u009b\u202e""#)
    #expect(JSONText.string("会👩‍👩‍👧") == #""会👩‍👩‍👧""#)
    #expect(JSONText.object([("a", "1"), ("b", JSONText.array([1, 2]))]) == #"{"a":1,"b":[1,2]}"#)
    #expect(JSONText.array([Int]()) == "[]")
  }
}
