/// How the carrying of a file stands.
public struct SyncStatus: Equatable, Sendable {
  public enum Phase: String, Sendable {
    /// No agent carries the file at the moment.
    case stopped
    /// The agent is about to reach the server.
    case connecting
    /// The server is reached, and everything known has been exchanged.
    case inStep = "in-step"
    /// The server cannot be reached; changes wait.
    case offline
    /// The server has refused this machine; a person has to do something.
    case refused
  }

  public var phase = Phase.stopped
  /// Milliseconds since 1970 of the last exchange with the server; 0 if there was none.
  public var exchanged: Int64 = 0
  /// Milliseconds since 1970 at which the phase began.
  public var since: Int64 = 0
  /// The number of objects whose changes wait to be sent.
  public var waiting: Int64 = 0
  /// The number of changes made here that lost against others' and have not been brought back.
  public var lost: Int64 = 0
  /// The sentence that says why the agent is not in step.
  public var reason = ""

  public init() {}

  /// The status as the agent writes it for other programs: a name and a value on each line.
  var text: String {
    """
    phase \(phase.rawValue)
    exchanged \(exchanged)
    since \(since)
    waiting \(waiting)
    lost \(lost)
    reason \(reason.split(separator: "\n").joined(separator: " "))

    """
  }

  init(text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let value = parts.count > 1 ? parts[1] : ""
      switch parts.first {
      case "phase": phase = Phase(rawValue: value) ?? .stopped
      case "exchanged": exchanged = Int64(value) ?? 0
      case "since": since = Int64(value) ?? 0
      case "waiting": waiting = Int64(value) ?? 0
      case "lost": lost = Int64(value) ?? 0
      case "reason": reason = value
      default: break
      }
    }
  }
}
