import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("tasks list, of all lists")
struct CollectedCommandTests {
  private let folder = TemporaryFolder()
  private let store: TasksStore
  private let now = LocalTime(year: 2026, month: 11, day: 23, hour: 9)
  private let calendar = LocalCalendar(secondsFromGMT: 0)

  init() throws {
    store = try TasksStore(path: folder("tasks.db"), scheduler: .fileDescriptor(NotificationSource()))
    try set(hours: 0)
  }

  private func set(hours: Int) throws {
    let date = calendar.date(of: now).addingTimeInterval(Double(hours) * 3600)
    store.dates = DateReader(calendar: calendar, now: { date })
  }

  private func run(
    _ topic: CollectedCommand.Topic, asJSON: Bool = false, _ style: OutputStyle = .plain
  ) throws -> String {
    try CollectedCommand(store: store, topic: topic).run(asJSON: asJSON, style)
  }

  private let place = Place.tasks(inList: TaskList.firstListID)

  @Test("--done prints what was done, the last first, with a heading for each day where there is room")
  func done() throws {
    for (hours, text) in [(0, "one"), (1, "two"), (26, "three")] {
      try set(hours: hours)
      let id = try #require(try store.add(text, to: place).rowID)
      try store.complete([id])
      if text == "two" { try store.clearCompleted(in: RowScope(place)) }
    }
    #expect(
      try run(.done)
        == "today 11:00  three  (My Tasks)\nyesterday 10:00  two  (My Tasks, Archive)\n"
        + "yesterday 9:00  one  (My Tasks, Archive)\n")
    let lines = try run(.done, OutputStyle(width: 60, isColored: false)).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "Today, Tuesday 24 November" && lines[1].hasPrefix("[x] three"))
    #expect(lines[1].hasSuffix("today 11:00"))
    #expect(lines[2] == "" && lines[3] == "Yesterday, Monday 23 November" && lines.count == 7)
    try set(hours: 24 * 9)
    let later = try run(.done, OutputStyle(width: 60, isColored: false))
    #expect(later.hasPrefix("Tuesday 24 November\n[x] three"))
    #expect(try run(.done, asJSON: true).contains("\"completedAt\":\"2026-11-24T11:00:00Z\""))
  }

  @Test("--upcoming prints what is due after today, the earliest first, with a heading for each day")
  func upcoming() throws {
    for (text, days) in [("far", 20), ("now", 0), ("soon", 1), ("late", -1), ("sooner", 1)] {
      let date = calendar.date(of: now).addingTimeInterval(Double(days * 24 * 3600) - Double(text.count * 60))
      try store.add(text, to: place, date: date)
    }
    #expect(
      try run(.upcoming)
        == "tomorrow 8:54  sooner  (My Tasks)\ntomorrow 8:56  soon  (My Tasks)\n"
        + "13 December 8:57  far  (My Tasks)\n")
    let lines = try run(.upcoming, OutputStyle(width: 60, isColored: false)).split(separator: "\n")
    #expect(
      lines[0] == "Tomorrow, Tuesday 24 November" && lines[1].hasPrefix("[ ] sooner")
        && lines[2].hasPrefix("[ ] soon"))
    #expect(lines[3] == "Sunday 13 December" && lines[4].hasSuffix("13 December 8:57"))
  }

  @Test("--waiting prints what waits, with the moment at which it comes back")
  func waiting() throws {
    for (text, minutes) in [("soon", 90), ("later", 24 * 60 * 3 - 9 * 60)] {
      let id = try #require(try store.add(text, to: place).rowID)
      let date = calendar.date(of: now).addingTimeInterval(Double(minutes) * 60)
      _ = try store.setWaiting([id], in: RowScope(place), until: date)
    }
    #expect(try run(.waiting) == "today 10:30  soon  (My Tasks)\nThursday  later  (My Tasks)\n")
    let lines = try run(.waiting, OutputStyle(width: 60, isColored: false)).split(separator: "\n")
    #expect(
      lines.first == "Today, Monday 23 November, 10:30" && lines[2] == "Thursday 26 November", "\(lines)")
  }

  @Test("--archive prints what was cleared, with its list, and nothing where nothing was")
  func archive() throws {
    #expect(try run(.archive) == "")
    #expect(try run(.archive, asJSON: true) == "{\"version\":1,\"tasks\":[\n]}\n")
    let id = try #require(try store.add("one", to: place).rowID)
    try store.complete([id])
    try store.clearCompleted(in: RowScope(place))
    #expect(try run(.archive) == "today 9:00  one  (My Tasks)\n")
    #expect(try run(.archive, asJSON: true).contains("\"list\":\"Archive\""))
    #expect(try ListCommand(store: store, list: nil).run(asJSON: false) == "")
  }

  @Test("Two views at once, or a list for one of all lists, are refused with a sentence")
  func misuse() throws {
    #expect(throws: UsageError("--done does not go with --today")) {
      try Invocation(arguments: ["list", "--done", "--today"])
    }
    #expect(throws: UsageError("--archive is about all lists and does not go with --list")) {
      try Invocation(arguments: ["list", "--list", "Work", "--archive"])
    }
    #expect(
      try Invocation(arguments: ["ls", "--done", "--json"])
        == .init(action: .collected(.done), asJSON: true))
  }
}
