/// An object as the server hands it out, with the person and the machine that changed it last.
struct RemoteObject {
  var object: SyncedObject
  var author: String
  var machine: String
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
  /// The same object, changed by the person whose machine gave a cell, if that is known: others may have
  /// changed other cells of it since.
  func changed(on replica: Int64?, of participants: [Int64: Participant]) -> RemoteObject {
    guard let participant = replica.flatMap({ participants[$0] }) else { return self }
    var changed = self
    (changed.author, changed.machine) = (participant.author, participant.machine)
    return changed
  }
}
