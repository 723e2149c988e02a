import FoundationEssentials
import Testing

@testable import TasksModel

/// It is Saturday, 21 November 2026, 10:00.
private let calendar = LocalCalendar(secondsFromGMT: 0)

private func reader(_ locale: DateLocale = DateLocale(), at text: String = "2026-11-21 10:00") -> DateReader {
  let now = moment(text)
  return DateReader(locale: locale, calendar: calendar, now: { now })
}

/// Of `2026-11-21 10:00`.
private func moment(_ text: String) -> Date {
  let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
  return calendar.date(
    of: LocalTime(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4]))
}

private func words(_ date: Date) -> String {
  let time = calendar.localTime(of: date)
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(time.year)-\(two(time.month))-\(two(time.day)) \(two(time.hour)):\(two(time.minute))"
}

@Suite("Dates in words")
struct DateReaderTests {
  @Test(
    "A date in a text is found, and the words that say it",
    arguments: [
      ("Eat dinner at 6pm", "at 6pm", "2026-11-21 18:00"),
      ("Get up at 9am", "at 9am", "2026-11-22 09:00"),
      ("tea 6 pm, with milk", "6 pm", "2026-11-21 18:00"),
      ("tea at 6:30 p.m.", "at 6:30 p.m", "2026-11-21 18:30"),
      ("nap 12am", "12am", "2026-11-22 00:00"),
      ("meet at 14:30 in town", "at 14:30", "2026-11-21 14:30"),
      ("Dentist 14:30", "14:30", "2026-11-21 14:30"),
      ("out at noon", "at noon", "2026-11-21 12:00"),
      ("from 6pm to 8pm", "from 6pm", "2026-11-21 18:00"),
      ("2-3pm call", "2-3pm", "2026-11-21 14:00"),
      ("lunch 11-1pm fri", "11-1pm fri", "2026-11-27 11:00"),
      ("fri", "fri", "2026-11-27 00:00"),
      ("Submit report Friday", "Friday", "2026-11-27 00:00"),
      ("Friday: submit report", "Friday", "2026-11-27 00:00"),
      ("report (fri)", "fri", "2026-11-27 00:00"),
      ("report by fri at the latest", "by fri", "2026-11-27 00:00"),
      ("walk on sat with Eva", "on sat", "2026-11-28 00:00"),
      ("walk sat 9:00", "sat 9:00", "2026-11-28 09:00"),
      ("dinner fri 8pm at Mario's", "fri 8pm", "2026-11-27 20:00"),
      ("move it from mon to tue 9:00", "tue 9:00", "2026-11-24 09:00"),
      ("14:00 on fri", "14:00 on fri", "2026-11-27 14:00"),
      ("tomorrow 9:00 call Bob", "tomorrow 9:00", "2026-11-22 09:00"),
      ("Call Bob tomorrow at 9", "tomorrow at 9", "2026-11-22 09:00"),
      ("Call Bob at 3 tomorrow", "at 3 tomorrow", "2026-11-22 15:00"),
      ("TOMORROW morning", "TOMORROW morning", "2026-11-22 09:00"),
      ("today 14:00", "today 14:00", "2026-11-21 14:00"),
      ("today 9:00", "today 9:00", "2026-11-21 09:00"),
      ("call this evening", "this evening", "2026-11-21 18:00"),
      ("dance tonight", "tonight", "2026-11-21 20:00"),
      ("in 3 days", "in 3 days", "2026-11-24 00:00"),
      ("visit in two weeks", "in two weeks", "2026-12-05 00:00"),
      ("again in a month", "in a month", "2026-12-21 00:00"),
      ("look in 2 hours", "in 2 hours", "2026-11-21 12:00"),
      ("water plants +3d", "+3d", "2026-11-24 00:00"),
      ("plan next week", "next week", "2026-11-23 00:00"),
      ("rent next month", "next month", "2026-12-01 00:00"),
      ("sport next wed 17:00", "next wed 17:00", "2026-11-25 17:00"),
      ("2026-12-01 9:00", "2026-12-01 9:00", "2026-12-01 09:00"),
      ("by 2026-12-01T09:00 sharp", "by 2026-12-01T09:00", "2026-12-01 09:00"),
      ("pay 1.12.2026 rent", "1.12.2026", "2026-12-01 00:00"),
      ("pay 3/4/2027", "3/4/2027", "2027-04-03 00:00"),
      ("1st of December party", "1st of December", "2026-12-01 00:00"),
      ("Dec 24, 2027 tree", "Dec 24, 2027", "2027-12-24 00:00"),
      ("party 3 jan", "3 jan", "2027-01-03 00:00"),
      ("party on March 3", "on March 3", "2027-03-03 00:00"),
      ("leap 29 feb", "29 feb", "2028-02-29 00:00"),
    ] as [(String, String, String)])
  func found(text: String, phrase: String, date: String) {
    let found = reader().find(in: text)
    #expect(found.map { String(text[$0.range]) } == phrase)
    #expect(found.map { words($0.date) } == date)
    #expect(reader(at: "1999-12-31 23:59").words(in: text) == phrase, "whenever it is asked")
  }

  @Test(
    "This weekend is the one that a person is in, and a part of today that is over is the day",
    arguments: [
      ("2026-11-20 10:00", "this weekend", "2026-11-21 00:00"),
      ("2026-11-22 10:00", "this weekend", "2026-11-22 00:00"),
      ("2026-11-23 10:00", "this weekend", "2026-11-28 00:00"),
      ("2026-11-21 19:59", "tonight", "2026-11-21 20:00"),
      ("2026-11-21 23:00", "tonight", "2026-11-21 00:00"),
      ("2026-11-21 23:00", "this morning", "2026-11-21 00:00"),
      ("2026-11-21 23:00", "tonight at 9", "2026-11-21 21:00"),
      ("2026-11-21 23:00", "tonight at 1", "2026-11-22 01:00"),
      ("2026-11-22 00:30", "tonight at 1", "2026-11-22 01:00"),
      ("2026-11-22 01:30", "tonight at 1", "2026-11-23 01:00"),
      ("2026-11-21 10:00", "tonight at 0:30", "2026-11-22 00:30"),
      ("2026-11-21 10:00", "tonight at 4:59", "2026-11-22 04:59"),
      ("2026-11-21 10:00", "tonight at 5", "2026-11-21 17:00"),
      ("2026-11-21 10:00", "tonight at 12", "2026-11-22 00:00"),
      ("2026-11-21 10:00", "tonight at 1am", "2026-11-22 01:00"),
      ("2026-11-21 10:00", "1:30am tonight", "2026-11-22 01:30"),
      ("2026-11-21 10:00", "at 2 tonight", "2026-11-22 02:00"),
      ("2026-11-21 10:00", "tomorrow night at 1", "2026-11-23 01:00"),
      ("2026-11-21 10:00", "friday night 12:30", "2026-11-28 00:30"),
      ("2026-11-21 10:00", "tomorrow afternoon at 1", "2026-11-22 13:00"),
      ("2026-11-21 23:00", "today 9:00", "2026-11-21 09:00"),
    ])
  func passed(now: String, text: String, date: String) throws {
    #expect(reader(at: now).find(in: "go " + text).map { words($0.date) } == date)
    #expect(words(try reader(at: now).read(text)) == date)
  }

  @Test(
    "What is no date, or may well be none, is left alone",
    arguments: [
      "", " ", "buy 3 eggs", "at home", "at 6 Main Street", "look at 3", "call 555 1234", "iPhone 12",
      "3/4 cup flour", "version 1.5.", "in 3 parts", "in a minute", "9/11 memorial", "24/7 support", "1984",
      "the 90s", "7-Eleven", "5-10 apples", "sit in the sun", "the cat sat", "Sunday roast",
      "buy Friday newspaper", "read John 3:16", "screen 16:9", "march 3 miles", "we may 5 times", "#fri tag",
      "monitor", "Ocean's 11", "at 25:00", "at 13pm", "9:75", "30 feb", "2026-02-30", "2026-13-01",
      "32.1.2026",
      "in 999999999 days", "+99999999999d", "+d", "+-3d", "1.1", "1/2/3", "mailto:fri@example.org", "a.m.",
      "today's paper", "🗓 eggs", "e\u{301} at", "next", "on", "this", "in", "at", "by the sea",
    ])
  func notFound(text: String) {
    #expect(reader().find(in: text) == nil)
  }

  @Test(
    "What is typed as a date is understood, also in short",
    arguments: [
      ("3d", "2026-11-24 00:00"), ("3 days", "2026-11-24 00:00"), ("+2w", "2026-12-05 00:00"),
      ("+1m", "2026-12-21 00:00"), ("1y", "2027-11-21 00:00"), ("+30min", "2026-11-21 10:30"),
      ("in an hour", "2026-11-21 11:00"), ("0d", "2026-11-21 00:00"), ("fri", "2026-11-27 00:00"),
      ("sat", "2026-11-28 00:00"), ("friday 9", "2026-11-27 09:00"), ("tomorrow 9", "2026-11-22 09:00"),
      ("at 6", "2026-11-21 18:00"), ("9:00", "2026-11-22 09:00"), ("10:00", "2026-11-22 10:00"),
      ("10:01", "2026-11-21 10:01"), ("noon", "2026-11-21 12:00"), ("eod", "2026-11-21 00:00"),
      ("eow", "2026-11-22 00:00"), ("eom", "2026-11-30 00:00"), ("eoy", "2026-12-31 00:00"),
      ("weekend", "2026-11-21 00:00"), ("yesterday", "2026-11-20 00:00"), ("24.12.", "2026-12-24 00:00"),
      ("3/4", "2027-04-03 00:00"), ("12/24", "2026-12-24 00:00"), ("2026-12-01 9:00", "2026-12-01 09:00"),
      ("  Tomorrow  9:00  ", "2026-11-22 09:00"), ("next year", "2027-01-01 00:00"),
      ("in 3 days at 9:00", "2026-11-24 09:00"), ("now", "2026-11-21 10:00"), ("24th", "2026-11-24 00:00"),
      ("the 24th", "2026-11-24 00:00"), ("by the 24th", "2026-11-24 00:00"), ("21st", "2026-11-21 00:00"),
      ("20th", "2026-12-20 00:00"), ("31st", "2026-12-31 00:00"), ("24th at 9", "2026-11-24 09:00"),
      ("24th 9:00", "2026-11-24 09:00"), ("9:00 on the 24th", "2026-11-24 09:00"),
      ("tonight 9pm", "2026-11-21 21:00"), ("9pm tonight", "2026-11-21 21:00"),
      ("tonight 9", "2026-11-21 21:00"),
      ("Friday 4 December 2026", "2026-12-04 00:00"), ("Fri, Dec 4", "2026-12-04 00:00"),
      ("9.30", "2026-11-22 09:30"), ("friday 9.30", "2026-11-27 09:30"),
      ("fri 15h", "2026-11-27 15:00"), ("fri 9h", "2026-11-27 09:00"), ("at 15h", "2026-11-21 15:00"),
      ("15h", "2026-11-22 01:00"), ("15h30", "2026-11-21 15:30"), ("0930", "2026-11-22 09:30"),
      ("fri 0930", "2026-11-27 09:30"), ("fri 1530", "2026-11-27 15:30"),
      ("3 march 1985", "1985-03-03 00:00"), ("2025-12-24 9:00", "2025-12-24 09:00"),
      ("fri 4 dec 9:00", "2026-12-04 09:00"), ("2026-12-01T09:00:00Z", "2026-12-01 09:00"),
      ("2026-12-01T09:00:00+02:00", "2026-12-01 07:00"), ("2026-12-01 09:00:00", "2026-12-01 09:00"),
      ("20261201", "2026-12-01 00:00"), ("1st of the month", "2026-12-01 00:00"),
      ("the 1st of december", "2026-12-01 00:00"),
    ] as [(String, String)])
  func read(text: String, date: String) throws {
    #expect(try words(reader().read(text)) == date)
  }

  @Test(
    "What is typed and no date says why",
    arguments: [
      ("", DateProblem.empty), ("  ", .empty), ("xyz", .notUnderstood), ("18", .notUnderstood),
      ("fri foo", .notUnderstood), ("buy milk tomorrow", .notUnderstood), ("30 feb", .impossible("day")),
      ("2026-13-01", .impossible("day")), ("31.4.", .impossible("day")),
      ("32nd", .impossible("day")), ("the 0th", .impossible("day")), ("24", .impossible("time of day")),
      ("fri 5 dec", .impossible("day")), ("fri 30 feb", .impossible("day")),
      ("2026-02-30T09:00:00Z", .impossible("day")),
      ("3 march 1965", .tooFar), ("1530", .notUnderstood),
      ("now or never", .notUnderstood), ("24th and 25th", .notUnderstood),
      ("25:00", .impossible("time of day")),
      ("fri 9:75", .impossible("time of day")), ("13pm", .impossible("time of day")),
      ("+999999999d", .tooFar), ("+999999999y", .tooFar),
      ("99999999999d", .notUnderstood), ("9999-12-31", .tooFar), ("-3d", .notUnderstood),
    ])
  func notRead(text: String, problem: DateProblem) {
    #expect(throws: problem) { try reader().read(text) }
    #expect("\(problem)".hasSuffix("."))
  }

  @Test(
    "A text gives the date and the repetition that a person expects, or none at all",
    arguments: DatePhraseTable.phrases)
  func phrase(phrase: DatePhraseTable.Phrase) {
    let found = reader().find(in: phrase.text)
    var date = found.map { words($0.date) } ?? ""
    if date.hasSuffix(" 00:00") { date.removeLast(6) }
    if date.hasPrefix("2026-") { date.removeFirst(5) }
    #expect(date == phrase.date)
    #expect(found?.repetition?.description ?? "" == phrase.repetition)
  }

  @Test("The locale says which number is the month, and when a week begins")
  func locale() throws {
    let american = reader(DateLocale(identifier: "en_US.UTF-8"))
    #expect(try words(american.read("3/4")) == "2027-03-04 00:00")
    #expect(try words(american.read("24/12")) == "2026-12-24 00:00")
    #expect(try words(american.read("next week")) == "2026-11-22 00:00")
    #expect(try words(american.read("eow")) == "2026-11-21 00:00")
    #expect(DateLocale(environment: ["LANG": "en_US.UTF-8", "LC_TIME": "de_DE.UTF-8"]) == DateLocale())
    #expect(DateLocale(environment: ["LC_ALL": "", "LANG": "en_US"]).isMonthFirst)
    #expect(DateLocale(identifier: "C") == DateLocale())
  }

  @Test("A month from the last day of a longer one is the last day of the shorter")
  func shortMonths() throws {
    #expect(try words(reader(at: "2027-01-31 10:00").read("+1m")) == "2027-02-28 00:00")
    #expect(try words(reader(at: "2028-02-29 10:00").read("+1y")) == "2029-02-28 00:00")
    #expect(try words(reader(at: "2026-12-31 10:00").read("tomorrow")) == "2027-01-01 00:00")
    #expect(try words(reader(at: "2026-12-31 10:00").read("next month")) == "2027-01-01 00:00")
    #expect(try words(reader(at: "2026-12-31 10:00").read("24th")) == "2027-01-24 00:00")
    #expect(try words(reader(at: "2027-01-31 10:00").read("30th")) == "2027-03-30 00:00")
  }

  @Test("Any text at all is read without a trap, and what is found lies within it")
  func random() {
    var generator = SeededGenerator()
    let seed = generator.comment
    let parts = [
      "fri", "at", "in", "3", "31", "99", "9:00", "6pm", "-", "/", ".", ":", "next", "+", "d", "week", "2026",
      "2026-02-29", "T", "may", "feb", " ", " ", " ", " ", "é", "🗓", "on", "999999999", "a", "month", "\n",
      "(", ",",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...8, using: &generator))
        .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      if let found = reader().find(in: text) {
        #expect(reader().words(in: text)?.hasPrefix(text[found.range]) == true, Comment(rawValue: seed))
      }
      _ = try? reader().read(text)
    }
  }
}

@Suite("What a due date means")
struct DueDateTests {
  @Test(
    "A moment is overdue when it has passed, a whole day when it is over",
    arguments: [
      ("2026-11-21 09:59", DueDate.State.overdue, nil), ("2026-11-21 10:00", .overdue, nil),
      ("2026-11-21 10:01", .today, "2026-11-21 10:01"), ("2026-11-21 00:00", .today, "2026-11-22 00:00"),
      ("2026-11-20 00:00", .overdue, nil), ("2026-11-22 00:00", .later, "2026-11-22 00:00"),
      ("2026-11-30 09:00", .later, "2026-11-30 00:00"),
    ])
  func state(date: String, state: DueDate.State, nextChange: String?) {
    let due = DueDate(moment(date), now: moment("2026-11-21 10:00"), calendar: calendar)
    #expect(due.state == state)
    #expect(due.nextChange.map(words) == nextChange)
    #expect(due.isWholeDay == date.hasSuffix("00:00"))
  }

  @Test("The calendar counts days, weeks and leap years")
  func calendars() {
    for (text, weekday, number) in [("1970-01-01", 4, 0), ("2026-11-21", 6, 20778), ("1969-12-31", 3, -1)] {
      let time = calendar.localTime(of: moment(text + " 00:00"))
      #expect(LocalCalendar.weekday(of: time) == weekday && LocalCalendar.dayNumber(of: time) == number)
    }
    let berlin = LocalCalendar(secondsFromGMT: 3600)
    #expect(berlin.localTime(of: moment("2026-12-31 23:30")).year == 2027)
    #expect(berlin.date(of: berlin.localTime(of: moment("2026-12-31 23:30"))) == moment("2026-12-31 23:30"))
    #expect(words(calendar.startOfDay(moment("2026-02-28 09:00"), addingDays: 1)) == "2026-03-01 00:00")
  }
}
