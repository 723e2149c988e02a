import LiveStore

extension SyncStatus {
  /// The state of the carrying in a sentence that stays true while it lasts.
  package var sentence: String {
    switch phase {
    case .stopped where !reason.isEmpty: "How the file stands cannot be seen: \(reason)"
    case .stopped: "Nothing carries the file now: open tasks, or run tasks sync run."
    case .connecting: reason.isEmpty ? "Connecting to the server." : reason
    case .sending: "Sending to the server: \(progress) rows so far."
    case .fetching: "Fetching from the server: \(progress) rows so far."
    case .writing: "Writing what was fetched: \(progress) rows so far."
    case .inStep where waiting > 0: "Not everything is exchanged yet."
    case .inStep: "In step with the server."
    case .offline: "Offline: \(reason)"
    case .diskFull, .refused: "Nothing is exchanged: \(reason)"
    }
  }

  /// The progress of a long exchange, in a few words.
  package var progress: String {
    total > 0 ? "\(Int(done).grouped) of \(Int(total).grouped)" : Int(done).grouped
  }

  package var waitingSentence: String {
    waiting == 1 ? "1 changed row waits to be sent." : "\(Int(waiting).grouped) changed rows wait to be sent."
  }

  /// The sentence for a person who may only read the space.
  package static let readOnlySentence = "You may only read it: what you change here is taken back."

  package var leftOutSentence: String {
    let objects = leftOut == 1 ? "1 object is" : "\(Int(leftOut).grouped) objects are"
    return "\(objects) left out: in a form that this program does not know."
  }
}
