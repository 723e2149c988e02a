import LiveStore

/// A space on a server, as an exchange uses it.
struct ServerSpace: SpaceConnection {
  let connection: ServerConnection
  /// Called now and then while many objects are sent or fetched.
  var onProgress: (ExchangeProgress) -> Void = { _ in }
  var unreadObjects: [String] { connection.unreadObjects }

  func push(_ objects: [SyncedObject], known: SpaceVersion) throws -> SpaceVersion? {
    let total = objects.count
    let result = try connection.push(objects, known: known) { sent in
      guard total >= ExchangeProgress.interval else { return }
      onProgress(.init(step: .sending, done: sent, total: total))
    }
    return result.isTakenAsSent && result.previous == known.number ? result.version : nil
  }

  var takesChanges: Bool { get throws { try connection.presentRight() ?? .read >= .write } }

  func refusal(of objects: [SyncedObject]) throws -> SyncError? {
    do throws(SyncError) {
      try connection.rehearse(objects, known: SpaceVersion())
      return nil
    } catch {
      guard error.isAboutContent else { throw error }
      return error
    }
  }

  func excess(of object: SyncedObject) throws -> SyncError? {
    do throws(SyncError) {
      try connection.rehearse([object], known: SpaceVersion())
      return nil
    } catch {
      guard error.isExhaustion else { throw error }
    }
    try connection.rehearse([object.withoutLargeValues], known: SpaceVersion())
    return SyncError(.tooLarge, "The memory of \(connection.url) is not enough for it.")
  }

  func pull(
    after known: Int64, and objects: [SyncedObject.Identity], _ body: ([RemoteObject]) throws -> Void
  ) throws -> SpaceVersion {
    func tell(_ received: Int) { onProgress(.init(step: .fetching, done: received)) }
    // A machine that has just come is to have a name with its first change.
    if connection.machineNames == nil { _ = try connection.machines() }
    return try connection.pull(after: known, and: objects, progress: tell) { page in
      try body(page.map(remoteObject))
    }
  }

  func notifiedChanges(after known: SpaceVersion) -> (objects: [RemoteObject], head: SpaceVersion)? {
    guard connection.machineNames != nil, let (objects, head) = connection.notifiedChanges(after: known)
    else {
      return nil
    }
    let remote = objects.map { object in
      var remote = remoteObject(object)
      remote.isChange = true
      return remote
    }
    return (remote, head)
  }

  private func remoteObject(_ pulled: PulledObject) -> RemoteObject {
    let machine = pulled.machine.flatMap { connection.machineNames?[$0] } ?? ""
    return RemoteObject(object: pulled.object, author: pulled.author, machine: machine, unseen: pulled.unseen)
  }
}

extension JoinedFile {
  /// Settles, before the first exchange, what one side has deleted and the other still has.
  ///
  /// Objects that are here although they were deleted in the space are brought back: a new file's person did
  /// not know of the space, and one whose file comes back has made them anew. Deletions since the file left
  /// stand, and what was deleted here since stays in the space.
  func settleDeletions(over connection: ServerConnection) throws {
    guard state[integer: .isNew] != 0 else { return }
    let changes = try changesSinceLeaving()
    var pulled: [PulledObject] = []
    if changes?.touched.isEmpty != true {
      let known = changes == nil ? 0 : connection.entered().head.number
      _ = try connection.pull(after: known, deletions: true, and: changes?.touched ?? []) { pulled += $0 }
    }
    try write { () throws(StoreError) in
      try bringBack(pulled.filter { $0.version <= changes?.version ?? .max }.map(\.object))
      if changes != nil { try noteKept(pulled.map(\.object)) }
      state[integer: .isNew] = 0
    }
  }
}
