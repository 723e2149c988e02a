import Testing

@testable import TasksTUI

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
