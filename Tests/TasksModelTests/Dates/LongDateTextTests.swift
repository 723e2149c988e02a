import FoundationEssentials
import TestSupport
import Testing

@testable import TasksModel

/// Texts that took hours when reading them cost the square of their length: here it is enough that each test
/// ends.
@Suite("Reading long texts for dates and tags")
struct LongDateTextTests {
  private static let length = cases(1_000_000, sample: 100_000)

  private func find(in text: String) -> DateReader.Found? {
    let calendar = LocalCalendar(secondsFromGMT: 0)
    let now = calendar.date(of: LocalTime(year: 2026, month: 11, day: 21, hour: 10))
    return DateReader(calendar: calendar, now: { now }).find(in: text)
  }

  @Test(
    "A million of one character is gone through once",
    arguments: [".", "!", "(", "#", "-", "1", "a", "#a", "\u{301}", " ", "🇫🇷", "\"", "6:", "in ", "every "])
  func runs(of character: String) {
    let run = String(repeating: character, count: Self.length / character.utf8.count)
    #expect(find(in: run) == nil)
    #expect(find(in: "tomorrow " + run)?.words == "tomorrow")
    #expect(TaskTags.column(of: "#b " + run).hasPrefix(" b "))
    #expect(TaskTags.ranges(in: run + " #b").last?.count == 2)
  }

  @Test("As many tags as there is room for are found, each once")
  func tags() {
    let names = (0..<100_000).map { "t\($0)" }
    let text = names.map { "#" + $0 }.joined(separator: " ")
    #expect(TaskTags.names(in: text + " " + text) == names)
  }
}
