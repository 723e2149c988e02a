import FoundationEssentials
import LiveStore
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Messages below the rows")
struct MessageTests {
  private func lines(_ message: String, _ width: Int, atMost count: Int = 2) -> [String] {
    Chrome.messageLines(message, width: width, atMost: count).map(\.string)
  }

  @Test("A message has one line if it fits, otherwise two, and its last sentence is never cut")
  func wrapping() {
    #expect(lines("Deleted “one”. u brings it back.", 40) == ["Deleted “one”. u brings it back."])
    #expect(
      lines("Deleted “one and two” with 3 subtasks. u brings them back.", 40)
        == ["Deleted “one and two” with 3", "subtasks. u brings them back."])
    #expect(
      lines("Deleted “one and two” with 3 subtasks. u brings them back.", 24)
        == ["Deleted “one and two”", "… u brings them back."])
    #expect(
      lines("Deleted “one and two” with 3 subtasks. u brings them back.", 40, atMost: 1)
        == ["Deleted “one and… u brings them back."])
  }

  @Test("Whatever a message says, it is within its lines, and begins and ends as it should")
  func anyMessage() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      let known = ["a", "“Buy", "milk”", "elsewhere.", "漢字", "and;", "brings", "it", "back."]
      let words = (0..<Int.random(in: 1..<40, using: &random)).map { _ in
        known.randomElement(using: &random)!
      }
      let message = words.joined(separator: " ")
      let width = Int.random(in: 4..<100, using: &random)
      let count = Int.random(in: 1...2, using: &random)
      let lines = lines(message, width, atMost: count)
      #expect((1...count).contains(lines.count), "\(message) in \(width)")
      #expect(lines.allSatisfy { DisplayText($0).width <= width - 2 }, "\(message) in \(width)")
      let shown = lines.joined(separator: " ")
      #expect(shown == message || shown.contains("…") || width < 16, "\(shown) of \(message)")
      let last = words[(words.dropLast().lastIndex { ".;".contains($0.last!) }.map { $0 + 1 } ?? 0)...]
        .joined(separator: " ")
      // One line holds it with the ellipsis and a blank.
      if DisplayText(last).width <= width - 5 { #expect(shown.hasSuffix(last), "\(shown) of \(message)") }
    }
  }

  @Test("The part of a text that differs is shown, from the word in which it begins")
  func differingPart() {
    #expect("uno".part(differingFrom: "one") == "uno")
    let short = "Book the train to Kyoto"
    #expect((short + " soon").part(differingFrom: short, columns: 24) == "…to Kyoto soon")
    let long = String(repeating: "the same words ", count: 10)
    #expect((long + "here").part(differingFrom: long + "there") == "…the same words here")
    #expect((long + "here").part(differingFrom: "").count == 80)
    #expect((long + "here").part(differingFrom: "").hasSuffix("…"))
  }

  @Test("On a narrow terminal a message has as many lines as it needs", arguments: [20, 25, 30, 40, 59])
  func narrow(width: Int) throws {
    let app = try AppHarness(["one"], width: width, height: 24)
    for (command, end) in [("repeat foo", "every 15th or after 3 days."), ("due foo", "or 2026-12-01.")] {
      try app.command(command)
      let lines = app.texts.suffix(app.app.statusLines)
      #expect(lines.map(\.trimmingSpaces).joined(separator: " ") == app.app.message)
      #expect(app.app.message?.hasSuffix(end) == true)
    }
  }

  @Test("A long message takes a line from the rows until the next key, and the cursor stays in sight")
  func twoLines() throws {
    let app = try AppHarness(["one", "two", "three", "four"], width: 40, height: 6)
    try app.press("G", "d")
    #expect(app.status == "Deleted “four”. u brings it back." && app.app.statusLines == 1)
    try app.press("u")
    try app.command("edit a long text of some words, and some more")
    try app.press("d")
    #expect(app.app.statusLines == 2 && app.selected == "three")
    try app.press("k")
    #expect(app.app.statusLines == 1)
  }

  @Test("The long text of another person is below the row that is edited until that is settled")
  func conflict() throws {
    let app = try AppHarness(["one", "two", "three", "four"], width: 40, height: 10)
    let long = String(repeating: "a long text of the others ", count: 5)
    try app.press("G", "e")
    app.type("!")
    let other = try app.other()
    try other.edit(try #require(app.tasks.last).id, in: RowScope(app.place), text: long + "at its end")
    try app.settle()
    let words = app.rows.dropFirst().map(\.trimmingSpaces).joined(separator: " ")
    #expect(app.rows.first == "four!" && words.hasPrefix("Changed elsewhere to “a long text"))
    #expect(words.hasSuffix("Enter keeps yours, Esc theirs."))
    #expect(app.app.statusLines == 1)
    try app.press("Right")
    #expect(app.rows.count > 2)
    app.width = 100
    try app.press("Enter")
    #expect(app.tasks.last?.text == "four!")
  }
}
