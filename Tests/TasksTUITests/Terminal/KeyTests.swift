import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Key")
struct KeyTests {
  @Test(
    "A key's name gives the key, and the key its name",
    arguments: [
      "j", "J", "?", "Space", "Enter", "Esc", "Tab", "S-Tab", "C-d", "M-x", "M-Up", "S-Down", "C-M-S-Left",
      "PgUp",
      "PgDn", "Home", "End", "Delete", "Backspace", "M-Backspace", "F1", "C-F12", "C-_", "-", "C--", "é",
      "C-Space",
    ])
  func roundTrip(name: String) throws {
    #expect(try #require(Key(name)).description == name)
  }

  @Test(
    "Different spellings of one key are one key",
    arguments: [
      ("S-j", "J"), ("C-D", "C-d"), ("C-i", "Tab"), ("C-m", "Enter"), ("C-[", "Esc"), ("C-@", "C-Space"),
      ("C-/", "C-_"), ("c-x", "C-x"), ("A-x", "M-x"), ("pageup", "PgUp"), ("del", "Delete"), ("RET", "Enter"),
      ("M-C-m", "M-Enter"), ("S-C-x", "C-x"), ("Ctrl-R", "C-r"), ("Alt-Enter", "M-Enter"),
      ("ctrl-shift-Left", "C-S-Left"), ("Ctrl--", "C--"),
    ])
  func spellings(a: String, b: String) throws {
    #expect(try #require(Key(a)) == #require(Key(b)))
  }

  @Test(
    "What names no key gives none",
    arguments: ["", "jj", "C-", "X-a", "F0", "F64", "Foo", " ", "C-jj", "Ctrl-", "Ctr-x"])
  func unknown(name: String) {
    #expect(Key(name) == nil)
  }
}
