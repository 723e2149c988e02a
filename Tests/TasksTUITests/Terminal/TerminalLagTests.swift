import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("A terminal that lags behind")
struct TerminalLagTests {
  @Test("It is asked after much was written, and once until it answers")
  func asking() {
    var lag = TerminalLag()
    #expect([1000, 1000, 100_000].map { lag.shouldAsk(afterWriting: $0) } == [false, true, false])
    lag.noteAnswer()
    #expect([1].map { lag.shouldAsk(afterWriting: $0) } == [true])
  }

  @Test("It is waited for only when it has answered before")
  func waiting() throws {
    var lag = TerminalLag()
    _ = lag.shouldAsk(afterWriting: 5000)
    #expect(lag.remaining == nil)
    lag.noteAnswer()
    #expect(lag.remaining == nil)
    _ = lag.shouldAsk(afterWriting: 5000)
    #expect(try #require(lag.remaining) > .zero)
    #expect(lag.isAnswerDue)
    lag.noteAnswer()
    #expect(lag.remaining == nil && !lag.isAnswerDue)
  }

  @Test("A lost answer is waited for a few times as long as one that came, and never for long")
  func lostAnswer() throws {
    for (milliseconds, expected) in [(0, 200), (10, 200), (500, 2000), (60_000, 5000)] {
      var lag = TerminalLag()
      _ = lag.shouldAsk(afterWriting: 5000)
      lag.noteAnswer(at: .now + .milliseconds(milliseconds))
      _ = lag.shouldAsk(afterWriting: 5000)
      let remaining = try #require(lag.remaining)
      // The clock goes on between the lines above.
      #expect(
        remaining <= .milliseconds(expected + 1) && remaining > .zero, "\(milliseconds) ms: \(remaining)")
      #expect(milliseconds != 60_000 || remaining > .seconds(4))
    }
  }

  @Test("Its answer is no key, wherever it stands")
  func answer() {
    var decoder = InputDecoder()
    #expect(decoder.decode(Array("a\u{1B}[0nb".utf8)).count == 3)
    #expect(decoder.decode(Array("\u{1B}[0".utf8)).isEmpty)
    #expect(decoder.decode(Array("n".utf8)) == [.statusReport])
    // The other answer would be that something is broken, which no terminal gives; and these are none.
    #expect(decoder.decode(Array("\u{1B}[3n\u{1B}[?0n\u{1B}[0;1n".utf8)).isEmpty)
  }
}
