/// The server's clock, as far as its answers tell it: it is not known which part of a round trip the way back
/// took, so that the answer of the shortest one counts.
struct ServerTime {
  /// The milliseconds by which the server's clock is ahead of the time since this machine was started.
  private(set) var bootTimeOffset: Int64 = 0
  /// The milliseconds of the shortest round trip; the offset is wrong by at most half of them.
  private var roundTrip = Int64.max
  private var questions = 0

  /// Whether the server should be asked once more: changes are dated by its clock, and the network may have
  /// held its answers up.
  var isUncertain: Bool { questions < Self.questionLimit && roundTrip > Self.shortRoundTrip }

  private static let questionLimit = 4
  /// The milliseconds of a round trip after which the time is known well enough: people at two machines do
  /// not see which of their changes came ten milliseconds before the other.
  private static let shortRoundTrip: Int64 = 20

  /// Notes an answer.
  ///
  /// - Parameters:
  ///   - time: The time that the server told.
  ///   - sent: When it was asked, by the time since this machine was started.
  ///   - received: When its answer came.
  mutating func note(_ time: Int64, sent: Int64, received: Int64) {
    questions += 1
    guard received - sent < roundTrip else { return }
    roundTrip = received - sent
    bootTimeOffset = time - (sent + received) / 2
  }
}
