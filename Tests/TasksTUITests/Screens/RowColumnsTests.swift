import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("The columns of a wide row")
struct RowColumnsTests {
  private static let monday = LocalTime(year: 2026, month: 11, day: 30, hour: 9, minute: 0)

  @Test("Tags, date, subtasks and priority each have a column; a text uses those that its row leaves empty")
  func columns() throws {
    let app = try AppHarness(width: 120, date: Self.monday)
    let long = Array(repeating: "word", count: 20).joined(separator: " ")
    for text in ["Call Anna #family", "Slides #work #q4", "Plan the #party now", long] {
      try app.command("add \(text)")
    }
    try app.press("g")
    try app.command("due tomorrow 18:00")
    try app.press("j")
    try app.command("due fri")
    try app.command("priority A")
    try app.command("subtask Ask")
    try app.settle()
    let lines = app.texts
    func column(_ word: String, _ line: Int) throws -> Int {
      let range = try #require(lines[line].range(of: word), "\(word) in \(lines[line])")
      return lines[line].distance(from: lines[line].startIndex, to: range.lowerBound)
    }
    #expect(lines[1].hasPrefix("  Call Anna    "))
    #expect(try column("#family", 1) == column("#work #q4", 2))
    #expect(try column("tomorrow 18:00", 1) == column("Friday", 2))
    #expect(try column("#family", 1) < column("tomorrow", 1))
    #expect(lines[1].hasSuffix("tomorrow 18:00"))
    #expect(lines[2].hasSuffix("0/1  A"))
    #expect(lines[3] == "  Plan the #party now", "within a sentence a tag stays")
    #expect(lines[4].utf8.count > 90)
  }

  @Test("Of a text that goes on, the further lines are indented; a date is below its last line")
  func continuation() throws {
    let app = try AppHarness(width: 40, date: Self.monday)
    try app.command("add Finish the slides for Thursday and send them to everybody")
    try app.command("due fri")
    try app.command("add Short")
    try app.command("due fri")
    #expect(
      Array(app.rows.prefix(6)) == [
        "Finish the slides for Thursday and", "  send them to everybody", "  Friday", "Short", "Friday",
      ])
  }

  @Test("Text from right to left is indented at its right")
  func rightToLeft() throws {
    let app = try AppHarness(width: 40)
    try app.command("add " + Array(repeating: "שלום", count: 12).joined(separator: " "))
    let ends = app.texts[1...2].map(\.count)
    #expect(ends == [39, 37])
  }

  @Test("The mark of a row never touches its text, with the cursor or without")
  func marks() throws {
    let app = try AppHarness(["one", "two"])
    try app.press("Tab")
    #expect(app.texts[1] == "● one" && app.texts[2] == "› two")
    try app.press("k")
    #expect(app.texts[1] == "◉ one")
    let plain = try AppHarness(
      ["one", "TWO"], appearance: Appearance(isAnimated: false, strikethrough: .unavailable))
    #expect(plain.texts[2] == "x TWO")
    try plain.press("j")
    #expect(plain.texts[2] == "X TWO")
  }

  @Test("Prompts begin where rows do")
  func prompts() throws {
    let app = try AppHarness(["one"])
    try app.press(":")
    #expect(app.texts.last == "  :" && app.frame.cursor?.column == 3)
    try app.press("Esc", "/")
    #expect(app.texts.last?.hasPrefix("  /") == true)
    app.width = 12
    app.draw()
    #expect(app.texts.last?.hasPrefix("/") == true)
  }

  @Test("The tasks of a day follow its heading, in what is upcoming and in what was done")
  func headings() throws {
    let app = try AppHarness(width: 60, date: Self.monday)
    for (text, due) in [("Call Anna", "tomorrow 18:00"), ("Rent", "tomorrow"), ("Write", "fri"), ("Old", "")]
    {
      try app.command("add \(text)")
      if !due.isEmpty { try app.command("due \(due)") }
    }
    try app.press("U")
    try app.settle()
    let words = app.rows.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      words == [
        "Tomorrow, Tuesday 1 December", "Rent My Tasks", "Call Anna My Tasks", "18:00", "Friday 4 December",
        "Write My Tasks",
      ])
    // Without its first task, the next one is below the heading.
    try app.press("x")
    try app.settle()
    #expect(app.rows.first == "Tomorrow, Tuesday 1 December")
    #expect(app.selected?.hasPrefix("Call Anna") == true)
    try app.command("done")
    try app.settle()
    #expect(app.rows.first == "Today, Monday 30 November" && app.rows[1].hasPrefix("Rent"))
  }

  @Test("A click on a heading completes nothing")
  func headingClick() throws {
    let app = try AppHarness(width: 60, date: Self.monday)
    try app.command("add Rent")
    try app.command("due tomorrow")
    try app.press("U")
    try app.settle()
    _ = app.app.handle(.mouse(MouseEvent(action: .press, column: 0, line: 1)))
    try app.settle()
    #expect(app.line == "Rent")
    _ = app.app.handle(.mouse(MouseEvent(action: .press, column: 0, line: 2)))
    try app.settle()
    #expect(app.line == "[Rent]")
  }

  @Test("A key that does nothing says so, once")
  func meaninglessKey() throws {
    let app = try AppHarness(["one"], width: 80)
    try app.press("ö")
    #expect(app.status == "ö does nothing; ? shows the keys that do.")
    try app.press("ö")
    #expect(app.status.hasPrefix("a add"))
    try app.press("F9")
    #expect(app.status.hasPrefix("F9 does nothing"))
    try app.press("?", "d")
    #expect(app.status.hasPrefix("That key is for rows"))
  }

  @Test("At the ends the rows give way a little, and return")
  func ends() throws {
    let app = try AppHarness(["one", "two", "three"], width: 80, isAnimated: true)
    try app.press("k")
    #expect(app.texts[1] == "" && app.texts[2] == "› one")
    app.pass(.seconds(1))
    app.draw()
    #expect(app.texts[1] == "› one" && app.status.contains("adds a row on top"))
    try app.press("G")
    app.pass(.seconds(1))
    app.draw()
    try app.press("j")
    #expect(app.texts[2] == "› three")
    app.pass(.seconds(1))
    app.draw()
    #expect(app.texts[3] == "› three")
  }
}
