/// The lag of a terminal in reading its output.
///
/// Neither a pseudo-terminal nor a network connection reports how much of the output has arrived. But every
/// terminal replies to a status request, after all output before it: until then, it lags. Nothing is asked
/// while little is written, and a terminal that has never replied is never waited for.
struct TerminalLag {
  /// The approximate number of bytes written since the last question.
  private var written = 0
  private var asked: ContinuousClock.Instant?
  /// The time to wait for a reply; nil while the terminal has never replied.
  private var patience: Duration?

  /// The number of bytes after which to ask: more than a few keys need, less than a modem line transmits in a
  /// second.
  private static let mostUnasked = 1024
  /// A reply may be lost, and must then not delay output for longer than this terminal takes to reply.
  private static let leastPatience = Duration.milliseconds(200)
  private static let greatestPatience = Duration.seconds(5)

  /// Records output; returns whether to ask the terminal now.
  mutating func shouldAsk(afterWriting bytes: Int) -> Bool {
    written += bytes
    // One reply may be lost; a terminal that never replied is not asked again.
    guard asked == nil || patience != nil && remaining == nil, written > Self.mostUnasked else {
      return false
    }
    written = 0
    asked = .now
    return true
  }

  mutating func noteAnswer(at time: ContinuousClock.Instant = .now) {
    // The next one may take several times as long, since more may have been written before it.
    let usual = asked.map { (time - $0) * 4 } ?? .zero
    patience = min(max(usual, Self.leastPatience), Self.greatestPatience)
    asked = nil
  }

  /// Whether a reply can still be expected; a first one, if at all, soon.
  var isAnswerDue: Bool {
    guard let asked else { return false }
    return patience != nil ? remaining != nil : ContinuousClock.now < asked + .milliseconds(200)
  }

  /// The remaining time to wait for the reply; `nil` if none is due.
  var remaining: Duration? {
    guard let patience, let asked else { return nil }
    let left = asked + patience - .now
    return left > .zero ? left : nil
  }
}
