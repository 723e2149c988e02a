import SyncSigns

extension SyncStatus {
  /// A few words for the bottom line; nil where no agent carries the file.
  var words: String? { standing.map { mayOnlyRead ? "\($0), read only" : $0 } }

  private var standing: String? {
    let toSend = waiting == 0 ? "" : ", \(waiting) to send"
    return switch phase {
    case .inStep where waiting == 0: setAside == 0 ? "in step" : "\(setAside) kept here"
    case .inStep: "\(waiting) to send"
    case .offline: "offline\(toSend)"
    case .diskFull: "disk full\(toSend)"
    case .refused: "not in step\(toSend)"
    case .connecting: "\(reason.isEmpty ? "connecting" : "no answer")\(toSend)"
    case .sending: "sending \(progress)"
    case .fetching: "fetching \(progress)"
    case .writing: "writing \(progress)"
    case .stopped: reason.isEmpty ? nil : "not seen"
    }
  }

  /// The sentence that says what a person has to do before anything is exchanged; empty if nothing.
  var refusal: String { phase.needsPerson ? reason : "" }
}
