import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("Files of other programs")
struct OtherProgramTests {
  /// A fixture; see `Fixtures/README.md`.
  private func bytes(_ name: String) throws -> [UInt8] {
    let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return Array(try Data(contentsOf: URL(filePath: "\(folder)/Fixtures/\(name)")))
  }

  private func imported(_ name: String) throws -> FormatFixture {
    let fixture = try FormatFixture(calendar: LocalCalendar(secondsFromGMT: 0))
    let format = try #require(FileFormat(path: name))
    for parts in [1, 1 << 16] {
      let result = try fixture.take(bytes: bytes(name), format, parts: parts)
      #expect(result.problems == 0 && result.tasks > 0)
      if parts == 1 { _ = try fixture.store.undo(showing: RowScope(.lists)) }
    }
    return fixture
  }

  @Test("Taskwarrior: a recurring task is its pending one, and what was deleted is left out")
  func taskwarrior() throws {
    let fixture = try imported("taskwarrior.json")
    #expect(
      fixture.lines == [
        "# My Tasks", "o Call mum waits until 2027-01-01", "o Second (C)",
        "x Write report #next_week #work (B) done 2026-11-23T12:12:21Z", "# Home",
        "o Buy milk #shop due 2026-12-01 (A) | Oat milk: http://example.org\nTwo litres", "# Home.Garden",
        "o Water \"the\" plants &  / ümlaut due 2026-12-03T09:30 <every week>",
      ])
    #expect(
      fixture.store.lists[1].items[0].id == Identifier("F869280A-9743-43DF-8BC0-F40D9E1B4B50"))
  }

  @Test("todo.txt-cli: its file comes back as it was")
  func todoText() throws {
    let fixture = try imported("todo.txt")
    #expect(
      fixture.lines == [
        "# My Tasks", "o Pay the rent due 2026-12-01 <every month> | created:2026-11-23",
        "o A task of no project | created:2026-11-23 priority:D", "# Family",
        "o Call mum #phone (A) | created:2026-11-23", "# Groceries",
        "x Buy milk #shop done 2026-11-23 | created:2026-11-23",
      ])
    func words(_ text: String) -> Set<[Substring]> {
      Set(text.split(separator: "\n").map { $0.split(separator: " ").sorted() })
    }
    #expect(
      words(try fixture.export(.todoText)) == words(String(decoding: try bytes("todo.txt"), as: UTF8.self)))
  }

  @Test("calcurse: its tasks, and not its appointments")
  func calcurse() throws {
    let fixture = try imported("calcurse.ics")
    #expect(
      fixture.lines == [
        "# My Tasks", "o Buy milk (A)", "o With a note (C) | First line\nsecond, line",
        "o Any time, or never; \\ ümlaut",
        "x Done already (B)",
      ])
  }

  @Test("The name of a calendar may have several lines, and parameters")
  func calendarName() throws {
    let fixture = try FormatFixture()
    try fixture.take(
      "BEGIN:VCALENDAR\r\nx-wr-calname;VALUE=TEXT:A long name\\, which\r\n  goes on\\\r\n\t, and on\r\n"
        + "DESCRIPTION:not this\r\n  nor this\r\nBEGIN:VTODO\r\nSUMMARY:a\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
      .ical)
    #expect(fixture.lines == ["# My Tasks", "# A long name, which goes on, and on", "o a"])
  }

  @Test(
    "iCalendar: days, moments, zones, rules, categories and relations, also where a part is not understood")
  func calendar() throws {
    let fixture = try FormatFixture(calendar: LocalCalendar(secondsFromGMT: 0))
    var problems: [RecordProblem] = []
    try fixture.take(
      """
      BEGIN:VCALENDAR
      X-WR-CALNAME:At home
      BEGIN:VTODO
      UID:child
      RELATED-TO:parent
      SUMMARY:Sub
      DUE;TZID=Europe/Berlin:20261201T093000
      END:VTODO
      BEGIN:VTODO
      UID:parent
      SUMMARY:A long
        folded text
      DUE;VALUE=DATE:20261201
      RRULE:FREQ=MONTHLY;BYDAY=-1FR;WKST=MO
      CATEGORIES:one,two b
      CATEGORIES:three
      LOCATION:
      nonsense
      BEGIN:VALARM
      ACTION:DISPLAY
      DESCRIPTION:Beep
      TRIGGER:-PT5M
      END:VALARM
      END:VTODO
      BEGIN:VTODO
      SUMMARY:Bad
      DUE:someday
      END:VTODO
      begin:vtodo
      SUMMARY:Done
      COMPLETED:20260203T101112Z
      DUE;TZID=/freeassociation.sourceforge.net/America/New_York:20260701T090000
      RRULE:FREQ=DAILY;COUNT=3
      end:vtodo
      BEGIN:VTODO
      DESCRIPTION:Nothing
      END:VTODO
      END:VCALENDAR
      BEGIN:VTODO
      SUMMARY:Cut
      """, .ical, skippingBad: true
    ) { problems.append($0) }
    #expect(
      fixture.lines == [
        "# My Tasks", "# At home",
        "o A long folded text #one #two_b #three due 2026-12-01 <every last friday>",
        "  o Sub due 2026-12-01T08:30",
        "x Done due 2026-07-01T13:00 <FREQ=DAILY;COUNT=3> done 2026-02-03T10:11:12Z",
      ])
    #expect(
      problems == [
        RecordProblem(25, "its DUE is no date"), RecordProblem(35, "the task has no SUMMARY"),
        RecordProblem(39, "it has no END:VTODO"),
      ])
  }

  @Test(
    "Rules of iCalendar are repetitions, and the other way round",
    arguments: [
      ("FREQ=DAILY", "every day"), ("FREQ=DAILY;INTERVAL=3", "every 3 days"), ("FREQ=WEEKLY", "every week"),
      ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
      ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", "every 2 weeks on monday and sunday"),
      ("FREQ=MONTHLY;BYMONTHDAY=15", "every 15th"), ("FREQ=MONTHLY;BYDAY=2TU", "every 2nd tuesday"),
      ("FREQ=MONTHLY;BYDAY=-1FR", "every last friday"),
      ("FREQ=MONTHLY;BYMONTHDAY=-1", "every 31st"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28", "every 28 february"), ("FREQ=YEARLY", "every year"),
    ])
  func rules(rule: String, words: String) {
    #expect(CalendarRule.repetition(rule) == words)
    #expect(CalendarRule.rule(words, from: nil) == rule)
  }

  @Test(
    "Rules for a day that not every month or year has are read as the repetition that is nearest",
    arguments: [
      ("FREQ=MONTHLY;BYMONTHDAY=31", "every 31st"), ("FREQ=MONTHLY;BYMONTHDAY=30", "every 30th"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "every 29 february"),
    ])
  func nearestRules(rule: String, words: String) {
    #expect(CalendarRule.repetition(rule) == words)
  }

  @Test(
    "What no rule says is none",
    arguments: [
      "", "FREQ=HOURLY", "FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;BYDAY=1MO", "FREQ=DAILY;INTERVAL=0",
      "FREQ=MONTHLY;BYMONTHDAY=-2", "FREQ=MONTHLY;BYDAY=5MO", "FREQ=YEARLY;BYMONTH=13;BYMONTHDAY=1", "FREQ",
    ])
  func noRules(rule: String) {
    #expect(CalendarRule.repetition(rule) == nil)
  }

  @Test(
    "What ours moves to the last day of a short month, and iCalendar leaves out, is no rule",
    arguments: [
      ("every 31st", 1, 31, "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1"), ("every 30th", 1, 30, nil),
      ("every 2 months on the 31st", 1, 31, "RRULE:FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1"),
      ("every 29th", 1, 29, nil), ("every 28th", 1, 28, "RRULE:FREQ=MONTHLY;BYMONTHDAY=28"),
      ("every month", 1, 29, nil), ("every month", 1, 28, "RRULE:FREQ=MONTHLY"),
      ("every year", 2, 29, nil), ("every year", 1, 31, "RRULE:FREQ=YEARLY"),
      ("every 29 february", 2, 29, nil),
      ("every 31 january", 1, 31, "RRULE:FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=1"),
    ] as [(String, Int, Int, String?)])
  func shortMonths(words: String, month: Int, day: Int, rule: String?) throws {
    let calendar = LocalCalendar(secondsFromGMT: 0)
    let (fixture, copy) = (try FormatFixture(calendar: calendar), try FormatFixture(calendar: calendar))
    try fixture.store.store.write {
      let task = TaskItem()
      task.text = "a"
      task.date = calendar.date(of: LocalTime(year: 2028, month: month, day: day))
      task.repetition = words
      fixture.store.store.add(task)
      fixture.store.lists[0].items.append(task)
    }
    let text = try fixture.export(.ical)
    let line = rule ?? "X-TASKS-REPEAT:" + EncodedWord.encode(words)
    #expect(text.contains(line + "\r\n") && text.contains("RRULE") == (rule != nil), "\(text)")
    try copy.take(text, .ical)
    #expect(copy.lines == fixture.lines)
  }

  @Test("Broken JSON of Taskwarrior is told by its line, and the objects after it are taken")
  func brokenObjects() throws {
    let fixture = try FormatFixture()
    var problems: [RecordProblem] = []
    try fixture.take(
      """
      [
      {"description":"a"},{"description":
        "b { \\" ["},
      {"description":"cut
      {"description":"c","status":"lost"},
      words
      {"description":7}
      {"uuid":"1","due":"20261332T000000Z","description":"d"}
      {"description":"e"}
      ]
      {"description":"f"
      """, .taskwarrior, parts: 3, skippingBad: true
    ) { problems.append($0) }
    #expect(fixture.lines == ["# My Tasks", "o a", "o b { \" [", "o e"])
    #expect(
      problems == [
        RecordProblem(4, "it is no JSON object, or not all of one"),
        RecordProblem(5, "“lost” is no status of a task"), RecordProblem(6, "it is no JSON object"),
        RecordProblem(7, "“description” has a value of another kind than it should have"),
        RecordProblem(8, "“20261332T000000Z” is no date"),
        RecordProblem(11, "it is no JSON object, or not all of one"),
      ])
  }
}
