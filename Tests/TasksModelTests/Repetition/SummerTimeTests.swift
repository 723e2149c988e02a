import FoundationEssentials
import Glibc
import Testing

@testable import TasksModel

/// The time that the clocks of a place showed, one form for all times: `2026-03-29 02:30`.
private func words(_ date: Date) -> String {
  let time = LocalCalendar.system.localTime(of: date)
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(time.year)-\(two(time.month))-\(two(time.day)) \(two(time.hour)):\(two(time.minute))"
}

private func moment(_ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> Date {
  LocalCalendar.system.date(
    of: LocalTime(year: 2026, month: month, day: day, hour: hour, minute: minute))
}

private func dates(_ form: String, _ count: Int, from date: Date) throws -> [Date] {
  try #require(Repetition(form)).dates(count, from: date, now: date, .system)
}

/// In processes of their own: which place it is holds for a whole process.
@Suite("Repetitions when the clocks change")
struct SummerTimeTests {
  @Test(
    "In Berlin, in spring and in autumn, the clock shows the same time; the moments are 23 and 25 hours apart"
  )
  func berlin() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "Europe/Berlin", 1)
      tzset()
      let spring = try dates("every day", 3, from: moment(3, 28, 9))
      #expect(spring.map(words) == ["2026-03-28 09:00", "2026-03-29 09:00", "2026-03-30 09:00"])
      #expect(spring[1].timeIntervalSince(spring[0]) == 23 * 3600)
      let autumn = try dates("every week", 2, from: moment(10, 24))
      #expect(autumn.map(words) == ["2026-10-24 00:00", "2026-10-31 00:00"])
      #expect(autumn[1].timeIntervalSince(autumn[0]) == (7 * 24 + 1) * 3600)

      // Half past two does not exist on that day, and is meant again on the next.
      let night = try dates("every day", 3, from: moment(3, 28, 2, 30))
      #expect(night.map(words) == ["2026-03-28 02:30", "2026-03-29 03:30", "2026-03-30 02:30"])
      let repetition = try #require(Repetition("every day"))
      let skipped = repetition.next(after: night[0], completedAt: night[0], .system)
      #expect(skipped?.repetition.description == "every day usually at 2:30")
      let meant = try #require(skipped?.repetition.next(after: night[1], completedAt: night[1], .system))
      #expect(meant.date == night[2] && meant.repetition == repetition)
      // It comes twice in autumn: the first counts, whatever was asked before.
      for month in [1, 7, 1] {
        _ = moment(month, 10)
        #expect(moment(10, 25, 2, 30).timeIntervalSince(moment(10, 25, 1, 30)) == 3600)
        #expect(moment(10, 25, 3, 30).timeIntervalSince(moment(10, 25, 2, 30)) == 2 * 3600)
      }
      let after = try #require(Repetition("after 1 day"))
      let next = after.next(after: moment(3, 20, 7), completedAt: moment(3, 28, 23, 59), .system)
      #expect(next.map { words($0.date) } == "2026-03-29 07:00")
    }
  }

  @Test("A time that the clocks skipped once is not the one of a date that a person sets then")
  func otherTime() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "Europe/Berlin", 1)
      tzset()
      // A time that was asked for stays.
      for (form, expected) in [
        ("every day", "2026-03-31 18:00 every day"),
        ("every day at 2:30", "2026-03-31 02:30 every day at 2:30"),
      ] {
        let fixture = try TasksStoreFixture(tasks: "a")
        fixture.store.dates = DateReader(calendar: .system, now: { moment(3, 28, 12) })
        let task = try #require(fixture.tasks.first)
        let scope = RowScope(fixture.place)
        try fixture.store.setDate([task.id], in: scope, to: moment(3, 28, 2, 30))
        try fixture.store.setRepetition([task.id], in: scope, to: Repetition(form))
        try fixture.store.toggleCompleted([task.id], in: scope)
        #expect(task.date.map(words) == "2026-03-29 03:30")
        try fixture.store.setDate([task.id], in: scope, to: moment(3, 30, 18))
        try fixture.store.toggleCompleted([task.id], in: scope)
        #expect(task.date.map { "\(words($0)) \(task.repetition)" } == expected)
      }
    }
  }

  @Test(
    "Of a time that the clocks show twice it is the first, by however much they go back",
    arguments: [
      ("Australia/Lord_Howe", 4, 5, 1, 45, 1800), ("Antarctica/Troll", 10, 25, 2, 30, 7200),
      ("Europe/Berlin", 10, 25, 2, 30, 3600),
    ])
  func shownTwice(zone: String, month: Int, day: Int, hour: Int, minute: Int, seconds: Int) async {
    await #expect(processExitsWith: .success) { [zone, month, day, hour, minute, seconds] in
      setenv("TZ", zone, 1)
      tzset()
      let shown = LocalTime(year: 2026, month: month, day: day, hour: hour, minute: minute)
      // The choice of mktime depends on its earlier calls in the process.
      for month in [1, 7, 1] {
        _ = moment(month, 10)
        let date = LocalCalendar.system.date(of: shown)
        #expect(LocalCalendar.system.localTime(of: date) == shown)
        let second = date.addingTimeInterval(Double(seconds))
        #expect(LocalCalendar.system.localTime(of: second) == shown)
        let earlier = date.addingTimeInterval(-Double(seconds))
        #expect(LocalCalendar.system.localTime(of: earlier) != shown)
      }
    }
  }

  @Test("A span of minutes or hours is as long as it says, also where the clocks are put back or forth")
  func spans() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "Europe/Berlin", 1)
      tzset()
      // The second time that it is half past two, an hour before, and before the change in spring.
      let second = moment(10, 25, 2, 30).addingTimeInterval(3600)
      for (now, text, minutes) in [
        (second, "now", 0), (second, "in 20 minutes", 20), (second, "+10min", 10),
        (second - 3600, "+60min", 60), (second - 7200, "+3h", 180), (moment(3, 29, 0, 30), "+3h", 180),
      ] {
        let date = try DateReader(calendar: .system, now: { now + 17 }).read(text)
        #expect(date == now + Double(minutes * 60), "\(text) at \(now)")
      }
    }
  }

  @Test("In Havana, where the clocks skip midnight, a whole day stays a whole day")
  func havana() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "America/Havana", 1)
      tzset()
      let spring = try dates("every day", 3, from: moment(3, 7))
      #expect(spring.map(words) == ["2026-03-07 00:00", "2026-03-08 01:00", "2026-03-09 00:00"])
      #expect(spring.map { DueDate($0, now: spring[0]).isWholeDay } == [true, true, true])
      #expect(!DueDate(moment(3, 7, 1), now: spring[0]).isWholeDay)
      let autumn = try dates("every day", 3, from: moment(10, 31))
      #expect(autumn.map(words) == ["2026-10-31 00:00", "2026-11-01 00:00", "2026-11-02 00:00"])
      #expect(autumn[2].timeIntervalSince(autumn[1]) == 25 * 3600)
      let evening = try dates("every day at 18:00", 2, from: moment(3, 7, 18))
      #expect(evening[1].timeIntervalSince(evening[0]) == 23 * 3600)
    }
  }
}
