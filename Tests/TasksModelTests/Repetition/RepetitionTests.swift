import FoundationEssentials
import Testing

@testable import TasksModel

private let calendar = LocalCalendar(secondsFromGMT: 0)

/// Of `2026-11-21`, or `2026-11-21 10:00`.
private func moment(_ text: String) -> Date {
  let numbers = text.split { !$0.isNumber }.compactMap { Int($0) } + [0, 0]
  return calendar.date(
    of: LocalTime(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4]))
}

/// The other way round: a whole day has no time.
private func words(_ date: Date?) -> String {
  guard let date else { return "never" }
  let time = calendar.localTime(of: date)
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  let clock = time.hour == 0 && time.minute == 0 ? "" : " \(two(time.hour)):\(two(time.minute))"
  return "\(time.year)-\(two(time.month))-\(two(time.day))\(clock)"
}

@Suite("Repetitions in words")
struct RepetitionTests {
  @Test(
    "What a person types, a file says or todo.txt's add-ons write has one form",
    arguments: [
      ("every 1 week", "every week"), ("every week", "every week"), ("Every Week", "every week"),
      ("weekly", "every week"), ("week", "every week"), ("1w", "every week"), ("every 2w", "every 2 weeks"),
      ("2 weeks", "every 2 weeks"), ("every other week", "every 2 weeks"),
      ("every two weeks", "every 2 weeks"), ("every 3rd day", "every 3 days"),
      ("each day", "every day"), ("daily", "every day"), ("every fortnight", "every 2 weeks"),
      ("quarterly", "every 3 months"), ("every quarter", "every 3 months"), ("annually", "every year"),
      ("every year", "every year"), ("every weekday", "every weekday"), ("weekdays", "every weekday"),
      ("every 3 workdays", "every 3 weekdays"), ("every monday", "every monday"), ("mon", "every monday"),
      ("every mon, wed and fri", "every monday, wednesday and friday"),
      ("every sun,mon", "every monday and sunday"), ("every weekend", "every saturday"),
      ("every 2 weeks on thu", "every 2 weeks on thursday"), ("every week on tue", "every tuesday"),
      ("every 15th", "every 15th"), ("every 15th of the month", "every 15th"),
      ("every 2nd day of each month", "every 2nd"), ("every last day of the month", "every 31st"),
      ("every month on the 3rd", "every 3rd"), ("every 2 months on the 11th", "every 2 months on the 11th"),
      ("every 25 dec", "every 25 december"), ("every Dec 25", "every 25 december"),
      ("every 4 years on 29 feb", "every 4 years on 29 february"),
      ("every month from the 31st", "every month from the 31st"),
      ("every year from the 29th", "every year from the 29th"),
      ("every day usually at 2:30", "every day usually at 2:30"),
      ("every month from the 31st usually at 2:30", "every month from the 31st usually at 2:30"),
      ("after 1 day usually at 2:30", "after 1 day usually at 2:30"),
      ("every day at 9", "every day at 9:00"), ("every day at 6pm", "every day at 18:00"),
      ("every monday 9:30", "every monday at 9:30"), ("every morning", "every day at 9:00"),
      ("every fri evening", "every friday at 18:00"), ("every day at 0:00", "every day at 0:00"),
      ("after 3 days", "after 3 days"), ("after a week", "after 1 week"), ("after 1 day", "after 1 day"),
      ("every 3 days after completion", "after 3 days"), ("every month after done", "after 1 month"),
      ("after 2 weekdays at 8:00", "after 2 weekdays at 8:00"),
      ("rec:1w", "after 1 week"), ("rec:+1w", "every week"), ("rec:+2m", "every 2 months"),
      ("rec:10d", "after 10 days"), ("rec:+1b", "every weekday"), ("rec:1y", "after 1 year"),
      ("every 999 days", "every 999 days"),
    ] as [(String, String)])
  func read(text: String, form: String) {
    let repetition = Repetition(text)
    #expect(repetition?.description == form)
    #expect(Repetition(form) == repetition, "what is written is read as the same")
  }

  @Test(
    "What is no repetition says so in a sentence",
    arguments: [
      "", " ", "every", "after", "every 0 days", "every -1 days", "every 1000 days", "every 99999999999 days",
      "every 2 hours", "every minute", "every foo", "every 32nd", "every 30 feb x", "every 0th",
      "after monday",
      "after 15th", "rec:", "rec:w", "rec:1h", "rec:+", "rec:-1w", "monthly report", "every week foo",
      "every day at 25:00", "every 31 nov", "every friday the 13th", "every friday from 31 feb",
      "every 25 dec from 2030", "every month from january", "every friday night at 1", "none", "🗓",
      "every every day", "FREQ=DAILY",
    ])
  func notRead(text: String) {
    #expect(Repetition(text) == nil)
    #expect(throws: RepetitionProblem()) { try DateReader().readRepetition(text) }
    #expect("\(RepetitionProblem())".hasSuffix("."))
  }

  @Test(
    "With the day from which on it counts, it is read alone as in the text of a task",
    arguments: [
      ("every friday from 1 march", "every friday", "2027-03-05"),
      ("Every month from 1 dec", "every month", "2026-12-01"),
      ("every day at 9:00 starting 24 nov", "every day at 9:00", "2026-11-24 09:00"),
      ("every monday from tomorrow at 18:00", "every monday", "2026-11-23 18:00"),
      ("every month from the 31st", "every month", "2026-12-31"),
    ])
  func fromDay(text: String, form: String, date: String) throws {
    let now = moment("2026-11-21 10:00")
    let reader = DateReader(calendar: calendar, now: { now })
    let repetition = try reader.readRepetition(text)
    #expect(repetition.description == form && repetition.firstDate.map(words) == date)
    #expect(reader.find(in: text)?.date == repetition.firstDate)
    for other in ["pay " + text, text + " pay", "every friday 1 march or so", "every friday until 1 march"] {
      #expect(throws: RepetitionProblem()) { try reader.readRepetition(other) }
    }
  }

  @Test("The words for people are those that were asked for, whatever day the present date had to be")
  func askedWords() {
    for (stored, words) in [
      ("every month from the 31st", "every month"), ("every day usually at 2:30", "every day"),
      ("every 2 months on the 31st", "every 2 months on the 31st"), ("now and then", "now and then"),
      ("", ""),
    ] {
      #expect(Repetition.words(of: stored) == words)
    }
  }

  @Test("Any repetition at all is read as it is written; any text at all is read without a trap")
  func random() {
    var generator = SeededGenerator()
    let seed = generator.comment
    for _ in 0..<3000 {
      let repetition = Repetition.random(using: &generator)
      #expect(Repetition("\(repetition)") == repetition, "\(repetition), \(seed)")
    }
    let parts = [
      "every", "each", "after", "rec:", "+", "1", "2", "31st", "0", "999999999", "day", "weeks", "month", "w",
      "mon",
      "fri,", "and", "on", "the", "last", "of", "from", "at", "9:00", "25:00", "dec", "other", "daily", " ",
      " ",
      " ", " ", " ", "é", "\n", "(", "completion",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...9, using: &generator))
        .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      _ = DateReader().find(in: text)
      if let repetition = Repetition(text) {
        #expect(Repetition("\(repetition)") == repetition, "\(text), \(seed)")
      }
    }
  }

  @Test(
    "A repetition is found in a text, with the first date that fits unless the text names one",
    arguments: [
      ("water plants every monday", "every monday", "2026-11-23"),
      ("gym every sat", "every saturday", "2026-11-21"),
      ("call home every 2 weeks", "every 2 weeks", "2026-11-21"),
      ("pay rent every month", "every month", "2026-11-21"),
      ("pay rent every month from 1 dec", "every month", "2026-12-01"),
      ("1 dec pay rent every month", "every month", "2026-12-01"),
      ("every 15th pay rent", "every 15th", "2026-12-15"),
      ("stand up every weekday at 9:00", "every weekday at 9:00", "2026-11-23 09:00"),
      ("tea every day at 11:00, with milk", "every day at 11:00", "2026-11-21 11:00"),
      ("tea every day at 9:00", "every day at 9:00", "2026-11-22 09:00"),
      ("at 6pm tea every day", "every day", "2026-11-21 18:00"),
      ("wash every 3 days after completion", "after 3 days", "2026-11-21"),
      ("water plants rec:1w", "after 1 week", "2026-11-21"),
      ("water plants 2026-12-01 rec:+1w", "every week", "2026-12-01"),
      ("each morning run", "every day at 9:00", "2026-11-22 09:00"),
      ("tomorrow, and then every week.", "every week", "2026-11-22"),
      ("work every friday from home", "every friday", "2026-11-27"),
      ("tutor every friday from 9:00 to 10:00", "every friday", "2026-11-27 09:00"),
      ("dance every friday night", "every friday at 20:00", "2026-11-27 20:00"),
      ("pay every month from the 1st", "every month", "2026-12-01"),
    ])
  func found(text: String, form: String, date: String) throws {
    let now = moment("2026-11-21 10:00")
    let reader = DateReader(calendar: calendar, now: { now })
    let found = try #require(reader.find(in: text))
    #expect(found.repetition?.description == form)
    #expect(words(found.date) == date)
    #expect(reader.words(in: text) == found.words)
  }

  @Test(
    "A text that may well mean something else does not repeat",
    arguments: [
      "everyone", "every", "read every book", "write weekly report", "a daily paper", "call after 3 days",
      "every second counts", "every time", "#every day", "every 0 days", "every 2 hours", "rec:x",
      "record:1w",
      "all week", "on monday", "month", "2w", "everyday life",
      // Understood only in part.
      "play every friday the 13th", "play every friday 13th", "pay every month from 31 feb",
      "gifts every 25 dec from 2030", "pay every month starting january", "pay every week from next june",
      "pay every week starting on the 32nd", "pay every month from the 1st of foo",
      "dance every friday night at 1",
    ])
  func notFound(text: String) {
    #expect(DateReader(calendar: calendar).find(in: text)?.repetition == nil)
  }
}

@Suite("The dates of repetitions")
struct RepetitionDateTests {
  @Test(
    "By a schedule: the first date after the task's own and after now",
    arguments: [
      ("every day", "2026-11-21", "2026-11-21 10:00", "2026-11-22"),
      // Early: counted from the date, not from the day of completion.
      ("every week", "2026-11-27", "2026-11-21 10:00", "2026-12-04"),
      // Overdue by more than three weeks: one date, not three.
      ("every week", "2026-10-26", "2026-11-21 10:00", "2026-11-23"),
      ("every day", "2026-11-01", "2026-11-21 10:00", "2026-11-22"),
      ("every day", "2026-11-20 18:00", "2026-11-21 10:00", "2026-11-21 18:00"),
      ("every day", "2026-11-20 09:00", "2026-11-21 10:00", "2026-11-22 09:00"),
      ("every day", "2026-11-20 10:00", "2026-11-21 10:00", "2026-11-22 10:00"),
      ("every 3 days", "2026-11-01", "2026-11-21 10:00", "2026-11-22"),
      ("every weekday", "2026-11-20", "2026-11-20 10:00", "2026-11-23"),
      ("every 3 weekdays", "2026-11-19", "2026-11-20 10:00", "2026-11-24"),
      ("every mon and thu", "2026-11-19", "2026-11-19 10:00", "2026-11-23"),
      ("every 2 weeks on mon and thu", "2026-11-16", "2026-11-16 10:00", "2026-11-19"),
      ("every 2 weeks on mon and thu", "2026-11-19", "2026-11-19 10:00", "2026-11-30"),
      ("every month", "2026-11-21", "2026-11-21 10:00", "2026-12-21"),
      ("every month", "2026-12-31", "2026-12-31 10:00", "2027-01-31"),
      ("every month", "2027-01-31", "2027-01-31 10:00", "2027-02-28"),
      ("every month", "2028-01-31", "2028-01-31 10:00", "2028-02-29"),
      ("every month from the 31st", "2027-02-28", "2027-02-28 10:00", "2027-03-31"),
      ("every month from the 31st", "2027-03-31", "2027-03-31 10:00", "2027-04-30"),
      ("every 3 months", "2026-08-31", "2026-11-21 10:00", "2026-11-30"),
      ("every 3 months", "2026-08-31", "2026-12-01 10:00", "2027-02-28"),
      ("every 15th", "2026-11-15", "2026-11-15 10:00", "2026-12-15"),
      ("every 31st", "2027-01-31", "2027-01-31 10:00", "2027-02-28"),
      ("every 31st", "2027-02-28", "2027-02-28 10:00", "2027-03-31"),
      ("every year", "2026-11-21", "2026-11-21 10:00", "2027-11-21"),
      ("every year", "2024-02-29", "2024-02-29 10:00", "2025-02-28"),
      ("every year from the 29th", "2027-02-28", "2027-02-28 10:00", "2028-02-29"),
      ("every 4 years", "2096-02-29", "2096-03-01 10:00", "2100-02-28"),
      ("every 29 february", "2026-02-28", "2026-03-01 10:00", "2027-02-28"),
      ("every 25 december", "2026-12-25", "2026-12-24 10:00", "2027-12-25"),
      ("every day at 18:00", "2026-11-21 09:00", "2026-11-21 10:00", "2026-11-22 18:00"),
      ("every week", "1970-01-01", "2026-11-21 10:00", "2026-11-26"),
      ("every year", "9998-05-01", "9998-05-01 10:00", "never"),
      ("every year", "9998-05-01", "2026-11-21 10:00", "never"),
    ] as [(String, String, String, String)])
  func schedule(form: String, date: String, now: String, next: String) throws {
    let repetition = try #require(Repetition(form))
    #expect(words(repetition.next(after: moment(date), completedAt: moment(now), calendar)?.date) == next)
  }

  @Test(
    "After completion: counted from that day, at the time that the task had",
    arguments: [
      ("after 3 days", "2026-11-01", "2026-11-21 10:00", "2026-11-24"),
      ("after 3 days", "2026-12-24", "2026-11-21 10:00", "2026-11-24"),
      ("after 1 week", "2026-11-20 18:00", "2026-11-21 23:59", "2026-11-28 18:00"),
      ("after 1 month", "2026-11-20", "2027-01-31 10:00", "2027-02-28"),
      ("after 1 year", "2026-11-20", "2028-02-29 10:00", "2029-02-28"),
      ("after 1 weekday", "2026-11-20", "2026-11-20 10:00", "2026-11-23"),
      ("after 2 weekdays", "2026-11-20", "2026-11-21 10:00", "2026-11-24"),
      ("after 1 day at 8:00", "2026-11-20", "2026-11-21 10:00", "2026-11-22 08:00"),
      ("after 999 years", "2026-11-20", "9200-01-01 10:00", "never"),
    ])
  func afterCompletion(form: String, date: String, now: String, next: String) throws {
    let repetition = try #require(Repetition(form))
    #expect(words(repetition.next(after: moment(date), completedAt: moment(now), calendar)?.date) == next)
  }

  @Test(
    "A task without a date gets the first that fits, which may be today",
    arguments: [
      ("every day", "2026-11-21"), ("every week", "2026-11-21"), ("after 3 days", "2026-11-21"),
      ("every weekday", "2026-11-23"), ("every saturday", "2026-11-21"), ("every friday", "2026-11-27"),
      ("every 2 weeks on monday", "2026-11-23"), ("every 21st", "2026-11-21"), ("every 20th", "2026-12-20"),
      ("every 2 months on the 20th", "2026-12-20"), ("every 31st", "2026-11-30"),
      ("every 21 november", "2026-11-21"), ("every 20 november", "2027-11-20"),
      ("every day at 10:00", "2026-11-22 10:00"), ("every day at 10:01", "2026-11-21 10:01"),
      ("every saturday at 9:00", "2026-11-28 09:00"),
    ])
  func first(form: String, date: String) throws {
    let repetition = try #require(Repetition(form))
    #expect(words(repetition.first(now: moment("2026-11-21 10:00"), calendar)?.date) == date)
  }

  @Test("A month that is too short is remembered, and only as long as it has to be")
  func monthEnds() throws {
    func dates(_ form: String, _ date: String, _ count: Int) throws -> [String] {
      let repetition = try #require(Repetition(form))
      return repetition.dates(count, from: moment(date), now: moment(date), calendar).map(words)
    }
    #expect(
      try dates("every month", "2027-01-31", 6) == [
        "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31", "2027-06-30",
      ])
    #expect(
      try dates("every year", "2024-02-29", 6) == [
        "2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28",
      ])
    #expect(try dates("every 2 months", "2026-12-31", 3) == ["2026-12-31", "2027-02-28", "2027-04-30"])
    #expect(try dates("every year", "9996-01-01", 9) == ["9996-01-01", "9997-01-01", "9998-01-01"])
    let repetition = try #require(Repetition("every month"))
    let february = try #require(
      repetition.next(after: moment("2027-01-31"), completedAt: moment("2027-01-31"), calendar))
    #expect("\(february.repetition)" == "every month from the 31st")
    let march = try #require(
      february.repetition.next(after: february.date, completedAt: february.date, calendar))
    #expect("\(march.repetition)" == "every month")
  }
}
