/// An object as the server hands it out, with the person and the machine that changed it last.
struct RemoteObject {
  var object: SyncedObject
  var author: String
  var machine: String
  /// The changes that were replaced unseen, by the names of their cells, as far as the server has noted that.
  var unseen: [String: [UnseenSpan]] = [:]
  /// Whether these may be the cells of the last change alone, which a notice has carried.
  var isChange = false
}

/// A person at a machine of the space.
struct Participant: Hashable {
  var author: String
  var machine: String
}

extension RemoteObject {
  /// An object of which nothing is known, changed by an unknown author.
  init(ofUnknown identity: SyncedObject.Identity) {
    self.init(object: SyncedObject(identity), author: "", machine: "")
  }

  /// Whether a change of a cell was replaced by one of another machine that did not know of it, however often
  /// the cell has been changed since.
  func hasReplacedUnseen(_ clock: HybridClock, of name: String) -> Bool {
    unseen[name]?.contains { $0.basis < clock && clock < $0.replacement } ?? false
  }

  /// The same object, changed by the person whose machine gave a cell, if that is known: others may have
  /// changed other cells of it since.
  func changed(on replica: Int64?, of participants: [Int64: Participant]) -> RemoteObject {
    guard let participant = replica.flatMap({ participants[$0] }) else { return self }
    var changed = self
    (changed.author, changed.machine) = (participant.author, participant.machine)
    return changed
  }
}
