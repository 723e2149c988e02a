import LiveStore

/// A space as one machine's connection to the server reaches it.
protocol SpaceConnection {
  /// Merges objects into the space, all of them in one transaction. Sending the same again changes nothing.
  func push(_ objects: [SyncedObject]) throws

  /// Calls a closure with everything that has changed after a version, in pages.
  ///
  /// - Returns: The version that the space has with the last page, and its mark.
  func pull(after version: Int64, _ body: ([RemoteObject]) throws -> Void) throws -> (version: Int64, mark: Int64)
}

extension JoinedFile {
  /// The outcome of an exchange.
  struct Exchanged: Equatable {
    var sent = 0
    var received = 0
    var isEmpty: Bool { sent == 0 && received == 0 }
  }

  /// Sends what has changed here, fetches what has changed elsewhere, and writes that as one transaction.
  ///
  /// If it ends early, wherever that is, the next exchange does again what is missing: sending and merging the same
  /// twice changes nothing.
  func exchange(with space: some SpaceConnection) throws -> Exchanged {
    let waiting = try write { () throws(StoreError) in
      try capture()
      let waiting = try waitingObjects()
      changedAgain = []
      return waiting
    }
    if !waiting.isEmpty { try space.push(waiting) }
    var received: [RemoteObject] = []
    let head = try space.pull(after: state[integer: .version]) { received += $0 }
    if waiting.isEmpty, received.isEmpty, head.version == state[integer: .version] { return Exchanged() }
    try write { () throws(StoreError) in
      try capture()
      try apply(received)
      try acknowledge(waiting.lazy.map(\.identity))
      try finishApplying()
      state[integer: .version] = head.version
      state[integer: .mark] = head.mark
    }
    return Exchanged(sent: waiting.count, received: received.count)
  }
}
