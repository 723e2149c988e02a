import TasksModel

/// The state of the agent that carries a file to other machines, as it writes it into the small file
/// `FILE-sync`: a name and a value on each line.
struct AgentReport: Equatable {
  enum Phase: String {
    /// No agent carries the file.
    case stopped
    case connecting
    /// It sends many rows, fetches them, or writes them into the file.
    case sending, fetching, writing
    case inStep = "in-step"
    case offline
    case refused
  }

  /// Another machine of the space.
  struct Machine: Equatable {
    /// The role on the server.
    var person: String
    var name: String
    /// Milliseconds since 1970 at which the server saw it last.
    var seen: Int64
    /// The number of changes of the space that it did not have then.
    var behind: Int64
  }

  var phase = Phase.stopped
  /// Milliseconds since 1970 at which the phase began.
  var since: Int64 = 0
  /// Milliseconds since 1970 of the last exchange; 0 if there was none.
  var exchanged: Int64 = 0
  /// The number of rows whose changes wait to be sent.
  var waiting = 0
  /// The number of changes of the space that this machine lacks, as far as it is known.
  var behind: Int64 = 0
  /// The number of changes made here that were lost.
  var lost = 0
  /// The number of objects that are not carried, or not all of them: in no form that the agent knows.
  var leftOut = 0
  /// The number of rows whose changes stay on this machine because the server does not take them.
  var setAside = 0
  /// The number of rows that are sent, fetched or written, and of all of them; 0 where that is not known.
  var done = 0
  var total = 0
  /// The sentence that says why the agent is not in step.
  var reason = ""
  /// The other machines, as the server last told.
  var machines: [Machine] = []

  init() {}

  init(text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let value = parts.count > 1 ? parts[1] : ""
      switch parts.first {
      case "phase": phase = Phase(rawValue: value) ?? .stopped
      case "since": since = Int64(value) ?? 0
      case "exchanged": exchanged = Int64(value) ?? 0
      case "waiting": waiting = Int(value) ?? 0
      case "behind": behind = Int64(value) ?? 0
      case "lost": lost = Int(value) ?? 0
      case "left-out": leftOut = Int(value) ?? 0
      case "set-aside": setAside = Int(value) ?? 0
      case "done": done = Int(value) ?? 0
      case "total": total = Int(value) ?? 0
      case "reason": reason = value
      case "machine":
        let fields = value.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 4 else { continue }
        machines.append(
          Machine(
            person: fields[2], name: fields[3], seen: Int64(fields[0]) ?? 0, behind: Int64(fields[1]) ?? 0))
      // Text behind it is the rest of a longer report.
      case "end": return
      default: break
      }
    }
  }

  /// A few words for the bottom line; nil while no agent carries the file.
  var words: String? {
    let toSend = waiting == 0 ? "" : ", \(waiting) to send"
    return switch phase {
    case .inStep where waiting == 0: setAside == 0 ? "in step" : "\(setAside) kept here"
    case .inStep: "\(waiting) to send"
    case .offline: "offline\(toSend)"
    case .refused: "not in step\(toSend)"
    case .connecting: "connecting\(toSend)"
    case .sending: "sending \(progress)"
    case .fetching: "fetching \(progress)"
    case .writing: "writing \(progress)"
    case .stopped: nil
    }
  }

  /// The progress of a long exchange, in a few words.
  var progress: String { total > 0 ? "\(done.grouped) of \(total.grouped)" : done.grouped }

  /// The sentence that says why the server refuses this machine; empty if it does not.
  var refusal: String { phase == .refused ? reason : "" }
}
