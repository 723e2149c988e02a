import Testing

@testable import TasksTUI

@Suite("TOML")
struct TOMLDocumentTests {
  private func value(_ text: String) -> TOMLValue? { TOMLDocument("k = " + text).entries.first?.value }

  @Test(
    "Values",
    arguments: [
      (#""a b""#, TOMLValue.string("a b")),
      (#""q\"b\\t\tn\nu\u00e9U\U0001F680""#, .string("q\"b\\t\tn\nuéU🚀")),
      (#"'C:\no'"#, .string(#"C:\no"#)), ("''", .string("")), ("true", .boolean(true)),
      ("false # no", .boolean(false)),
      ("0", .number(0)), ("-17", .number(-17)), ("+1_000", .number(1000)), ("1.5e3", .number(1500)),
      ("[]", .array([])),
      ("[1, [true,], 'x',]", .array([.number(1), .array([.boolean(true)]), .string("x")])),
      ("[\n  1, # one\n\n  2\n]", .array([.number(1), .number(2)])),
    ])
  func values(text: String, expected: TOMLValue) {
    #expect(value(text) == expected)
    #expect(TOMLDocument("k = " + text).problems.isEmpty)
    #expect(TOMLDocument("k=\(text)\r\nnext = 1").entries.map(\.key) == ["k", "next"])
  }

  @Test("A byte order mark at the head is passed over, and nowhere else")
  func byteOrderMark() {
    #expect(TOMLDocument("\u{FEFF}k = 1").entries == TOMLDocument("k = 1").entries)
    #expect(TOMLDocument("\u{FEFF}").entries.isEmpty && TOMLDocument("\u{FEFF}").problems.isEmpty)
    #expect(TOMLDocument("k = 1\n\u{FEFF}l = 2").problems.map(\.line) == [2])
  }

  @Test("Tables, dotted and quoted keys, and the lines that they stand on")
  func keys() {
    let document = TOMLDocument(
      """
      # comment
      a = 1
      b.c = 2   # after
      [ t . "x y" ]
      'd' = [
        3,
      ]
      e-1_ = 4
      """)
    #expect(document.problems.isEmpty)
    let told = document.entries.map { "\($0.table.joined(separator: "/")):\($0.key)@\($0.line)" }
    #expect(told == [":a@2", "b:c@3", "t/x y:d@5", "t/x y:e-1_@8"])
  }

  @Test(
    "What cannot be read is told by its line, and the lines around it are read",
    arguments: [
      ("x", "x needs an = and a value"), ("x =", "a value is missing"), ("= 1", "a name is expected here"),
      ("x = dark", "“dark” is no value; texts stand in quotes"), ("x = \"abc", "a text has no \" at its end"),
      ("x = 1 2", "something stands after the value"), ("[x", "the table's name needs a ] at its end"),
      ("[[x]]", "arrays of tables"), ("x = {a = 1}", "inline tables"), ("x = \"\"\"a\"\"\"", "several lines"),
      ("x = 2026-12-01", "is no value"), ("x = 0x1F", "is no value"), ("x = 1__0", "is no value"),
      ("x = 1.", "is no value"), ("x = .5", "is no value"), ("x = inf", "is no value"),
      ("x = \"\\q\"", "\\q means nothing"),
      ("x = \"\\uD800\"", "\\u needs the 4 digits"), ("x = [1 2]", "a comma between them"),
      ("ok = 2", "was set on line 1 already"),
    ])
  func problems(line: String, message: String) throws {
    let document = TOMLDocument("ok = 1\n\(line)\nafter = 3\n")
    let problem = try #require(document.problems.first)
    #expect(document.problems.count == 1 && problem.line == 2)
    #expect(problem.message.contains(message), "\(problem.message)")
    #expect(document.entries.map(\.key) == ["ok", "after"])
  }

  @Test(
    "An array without an end is told by the line that it begins on; a table that comes twice by the second")
  func longProblems() {
    #expect(TOMLDocument("\nx = [1,\n2\n").problems.map(\.line) == [2])
    #expect(
      TOMLDocument("[a]\n[b]\n[a]\n").problems.map(\.message) == ["the table a began on line 1 already"])
  }

  @Test("Any text at all is read to its end")
  func random() {
    var generator = SystemRandomNumberGenerator()
    let parts = [
      "[", "]", "=", "\"", "'", "\\", "\n", "\r\n", "a", "1", ".", ",", "#", " ", "é", "{", "\u{0}", "true",
      "\\u",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
        parts.randomElement(using: &generator) ?? ""
      }
      .joined()
      let document = TOMLDocument(text)
      let lines = text.count(where: \.isNewline) + 1
      let told = document.entries.map(\.line) + document.problems.map(\.line)
      #expect((told.max() ?? 1) <= lines, "\(text.debugDescription)")
      _ = AppConfiguration(text)
    }
  }
}
