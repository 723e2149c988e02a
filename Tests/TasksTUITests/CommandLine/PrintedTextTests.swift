import Testing
import VisibleText

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

  @Test("Lines that end in CR LF are lines on a terminal, too; nothing else of a text acts on it")
  func carriageReturns() throws {
    let folder = TemporaryFolder()
    let window = try TmuxWindow(
      width: 90, environment: ["TASKS_FILE": folder("tasks.db"), "HOME": folder.path])
    let tasks = ChildProcess.tasks
    try window.enter("\(tasks) add Buy$'\\x1b'; clear; \(tasks) export --format csv; echo status=$?")
    let lines = try window.wait(forText: "status=0").split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("list,text,done,due,") && $0.hasSuffix(",wait") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix(#"My Tasks,Buy\u{1B},,"#) }, "\(lines)")
  }

  @Test("A sentence leaves out the middle of a long text that it quotes, and nothing of its own")
  func longQuotations() {
    let text = String(repeating: "x", count: 1_000_000) + " end"
    let short = String(repeating: "x", count: 300) + "…" + String(repeating: "x", count: 56) + " end"
    #expect("Deleted “\(text)”; undo “it”.".asPrintedSentence == "Deleted “\(short)”; undo “it”.")
    #expect("Both “it” and “a “\(text)” b” are.".asPrintedSentence.hasSuffix("end” b” are."))
    let whole = String(repeating: "x", count: 400)
    #expect("“\(whole)” is “\(whole)”".asPrintedSentence == "“\(whole)” is “\(whole)”")
    #expect("“\(text)".asPrintedSentence == "“\(short)")
    // A text that has a mark without the other does not take the words after it along.
    let hint = "; " + String(repeating: "undo takes it back, ", count: 30) + "“it” too."
    #expect("Deleted “a “ b”\(hint)".asPrintedSentence == "Deleted “a “ b”\(hint)")
    #expect("Deleted “a ” b”\(hint)".asPrintedSentence == "Deleted “a ” b”\(hint)")
    for mark in ["“", "”"] {
      let long = mark + String(text.dropFirst())
      let expected = mark + short.dropFirst()
      #expect("Moved “\(long)” to “it”\(hint)".asPrintedSentence == "Moved “\(expected)” to “it”\(hint)")
    }
    #expect("”\(text)“\u{1B}".asPrintedSentence == "”\(text)“\\u{1B}")
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
