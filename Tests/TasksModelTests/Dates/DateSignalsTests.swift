import TestSupport
import Testing

@testable import TasksModel

@Suite("The look for signs of a date")
struct DateSignalsTests {
  private static let pieces =
    DateVocabulary.weekdays + DateVocabulary.months
      + """
      mon tue weds thurs fri sat sun jan feb sept dec today tomorrow tmr tmrw tonight next this weekend week month year \
      in a an two 3 9 12 14 31 1st 2nd 15th 2026 2026-12-01 1.12.2026 12/1/2026 12/1 6pm 6 6:30 6.30pm 18:00 2-3pm 6–8pm am \
      pm a.m p.m. noon midday midnight end tom 2h 30min morning afternoon evening night at @ on by until due from +3d +2w 3d 5 days hours min w mo yr \
      every each rec:1w rec:+2m other second weekday fortnight quarter after completion of \
      the and buy milk room 15h 15h30 0930 1530 1985
      """.split(separator: " ").map(String.init)
  private static let separators = [" ", " ", " ", ", ", ". ", " (", ") ", ",", "/", "-", ": ", "  ", "\t"]

  @Test("No text in which all the rules find a date or a repetition is passed over")
  func complete() {
    var random = SeededGenerator()
    print(random.comment)
    let reader = DateReader()
    var found = 0
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let piece = Self.pieces.randomElement(using: &random) ?? ""
        text += Bool.random(using: &random) ? piece : piece.uppercased()
        text += Self.separators.randomElement(using: &random) ?? ""
      }
      let (dates, repetition) = reader.allPhrases(in: text)
      guard !dates.isEmpty || repetition != nil else { continue }
      found += 1
      #expect(DateSignals.mayBe(in: text), "“\(text)”")
    }
    #expect(found > 5_000)
  }

  @Test(
    "Most texts are passed over at once",
    arguments: ["", "Buy milk", "task 000123", "Call (Bob), soon!", "1800 things", "room 5", "x", "A 12 B"])
  func passed(text: String) {
    #expect(!DateSignals.mayBe(in: text))
  }
}
