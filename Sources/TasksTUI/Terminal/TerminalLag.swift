/// How far a terminal may be behind with reading what was written to it.
///
/// Neither a pseudo-terminal nor a connection over a network tells how much of what was written has arrived.
/// But every terminal answers when it is asked how it is, after all that was written before: until then, it
/// is behind. Nothing is asked as long as little is written, and one that has never answered is never waited
/// for.
struct TerminalLag {
  /// About how many bytes were written since the last question.
  private var written = 0
  private var asked: ContinuousClock.Instant?
  /// How long to wait for an answer; nil while the terminal has never answered.
  private var patience: Duration?

  /// Bytes after which to ask: more than a few keys need, less than a line of a modem's speed passes on in a
  /// second.
  private static let mostUnasked = 1024
  /// An answer may be lost, and then nothing must depend on it for longer than it takes this terminal to
  /// answer.
  private static let leastPatience = Duration.milliseconds(200)
  private static let greatestPatience = Duration.seconds(5)

  /// Notes what was written; returns whether the terminal is to be asked now.
  mutating func shouldAsk(afterWriting bytes: Int) -> Bool {
    written += bytes
    // One answer may be lost; one that never came is not asked for again.
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

  /// An answer has not come yet that can be expected; a first one, if at all, soon.
  var isAnswerDue: Bool {
    guard let asked else { return false }
    return patience != nil ? remaining != nil : ContinuousClock.now < asked + .milliseconds(200)
  }

  /// How much longer to wait for the answer; `nil` when none is due.
  var remaining: Duration? {
    guard let patience, let asked else { return nil }
    let left = asked + patience - .now
    return left > .zero ? left : nil
  }
}
