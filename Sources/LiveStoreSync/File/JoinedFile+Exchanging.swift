import LiveStore

/// A space as one machine's connection to the server reaches it.
protocol SpaceConnection {
  /// Merges objects into the space, all of them in one transaction. Sending the same again changes nothing.
  ///
  /// - Parameter known: The version up to which the file has everything.
  /// - Returns: The version up to which it has everything now; `nil` if there is something to pull.
  func push(_ objects: [SyncedObject], known: SpaceVersion) throws -> SpaceVersion?

  /// Whether the person may change the space now, which may have become so since the space was entered.
  var takesChanges: Bool { get throws }

  /// The error because of which the space would not take objects, if there is one. The space stays as it is.
  func refusal(of objects: [SyncedObject]) throws -> SyncError?

  /// Finds out whether the server has no memory for an object because of its large values, and would have it
  /// for the object without them.
  ///
  /// - Returns: The error because of which the space does not take it; `nil` if it would.
  /// - Throws: The error again if the server has no memory for anything at the moment.
  func excess(of object: SyncedObject) throws -> SyncError?

  /// Calls a closure with everything that has changed after a version, and with some objects whether they
  /// have or not, in pages.
  ///
  /// - Returns: The version that the space has with the last page.
  func pull(
    after known: Int64, and objects: [SyncedObject.Identity], _ body: ([RemoteObject]) throws -> Void
  ) throws -> SpaceVersion

  /// The changes after a version, with the version that the space has with them, where the server has sent
  /// them already; `nil` if they are to be pulled.
  func notifiedChanges(after known: SpaceVersion) -> (objects: [RemoteObject], head: SpaceVersion)?

  /// The objects of the last pull that cannot be read, by class and key.
  var unreadObjects: [String] { get }
}

extension SpaceConnection {
  var takesChanges: Bool { false }

  /// By default there is memory for everything.
  func excess(of object: SyncedObject) throws -> SyncError? { nil }

  /// By default everything can be read.
  var unreadObjects: [String] { [] }

  /// By default everything is pulled.
  func notifiedChanges(after known: SpaceVersion) -> (objects: [RemoteObject], head: SpaceVersion)? { nil }

  func pull(after known: Int64, _ body: ([RemoteObject]) throws -> Void) throws -> SpaceVersion {
    try pull(after: known, and: [], body)
  }
}

extension JoinedFile {
  struct Exchanged: Equatable {
    var sent = 0
    var received = 0
    var isEmpty: Bool { sent == 0 && received == 0 }
  }

  /// The version of the space up to which the file has its deletions, and everything else unless all of it is
  /// to be fetched again.
  ///
  /// It is kept until then: by it the server sees that a machine was away for too long.
  var known: SpaceVersion {
    get { SpaceVersion(number: state[integer: .version], mark: state[integer: .mark]) }
    set {
      state[integer: .version] = newValue.number
      state[integer: .mark] = newValue.mark
      state[integer: .fetchesAll] = 0
    }
  }

  /// The version up to which the file has everything.
  var complete: SpaceVersion { state[integer: .fetchesAll] == 0 ? known : SpaceVersion() }

  /// Sends what has changed here, fetches what has changed elsewhere, and writes that as one transaction.
  ///
  /// If it ends early, wherever that is, the next exchange does again what is missing: sending and merging
  /// the same twice changes nothing.
  ///
  /// - Parameter isNotified: Whether the space may have changed; if not, it is asked only if it answers that
  ///   it has.
  func exchange(with space: some SpaceConnection, isNotified: Bool = true) throws -> Exchanged {
    // A file that has lost its name is to be let go also where nothing has changed in it: no program opens
    // another one of that name before.
    try identity.check()
    let hasNews = try hasNews
    if !isNotified, !hasNews { return Exchanged() }
    // Nothing has to be written before it is known what the space has, unless something waits here.
    let waiting = try hasNews || !maySend ? captureWaiting() : []
    if !waiting.isEmpty, !maySend {
      guard try space.takesChanges else { return try takeBack(waiting, from: space) }
      try note(maySend: true)
    }
    let complete = complete
    let lastStamp = state[integer: .stamp]
    var version: SpaceVersion?
    if !waiting.isEmpty {
      do {
        version = try space.push(waiting, known: complete)
      } catch let error as SyncError where error.isAboutContent {
        try setAside(after: error, among: waiting, in: space)
        return try exchange(with: space, isNotified: isNotified)
      } catch let error as SyncError where error.isExhaustion {
        try setAsideExcess(after: error, among: waiting, in: space)
        return try exchange(with: space, isNotified: isNotified)
      }
    } else if !isNotified, complete == known {
      return Exchanged()
    }
    var received: [RemoteObject] = []
    var unread: [String] = []
    func takeIn(_ head: SpaceVersion) throws(StoreError) -> Exchanged? {
      try take(received, unread: unread, upTo: head, acknowledging: waiting, since: lastStamp)
    }
    if let version, let exchanged = try takeIn(version) { return exchanged }
    if leftOutCount == 0, let notified = space.notifiedChanges(after: complete) {
      received = notified.objects
      if let exchanged = try takeIn(notified.head) { return exchanged }
      received = []
    }
    let head = try space.pull(after: complete.number) { received += $0 }
    unread = space.unreadObjects
    if waiting.isEmpty, received.isEmpty, head == complete { return Exchanged() }
    return try takeIn(head) ?? Exchanged()
  }

  /// Writes what was received, as part of one transaction with acknowledging what was sent.
  ///
  /// - Returns: `nil` if more of the objects is needed than what was received of them.
  private func take(
    _ received: [RemoteObject], unread: [String], upTo head: SpaceVersion,
    acknowledging waiting: [SyncedObject],
    since lastStamp: Int64
  ) throws(StoreError) -> Exchanged? {
    try write(isDurable: false) { () throws(StoreError) -> Exchanged? in
      // A command has looked at the file, or brought something back.
      let isAlone = state[integer: .stamp] == lastStamp
      try capture()
      guard try areComplete(received) else { return nil }
      try apply(received)
      noteLeftOut(unread)
      try acknowledge(waiting, comparing: !isAlone)
      try finishApplying()
      // Each agent tries rows again that are set aside for it, and then sets them aside at once.
      if !waiting.isEmpty, state[integer: .asideCount] == 0 { state[integer: .exhaustions] = 0 }
      known = head
      return Exchanged(sent: waiting.count, received: received.count)
    }
  }

  /// Whether the person may change the space, as far as is known. What was changed here is otherwise taken
  /// back, unless the space takes changes by now.
  var maySend: Bool { state[integer: .mayOnlyRead] == 0 }

  /// Notes whether the person may change the space, for the programs that use the file too.
  func note(maySend: Bool) throws(StoreError) {
    guard maySend != self.maySend else { return }
    try write { () throws(StoreError) in state[integer: .mayOnlyRead] = maySend ? 0 : 1 }
  }

  /// Captures what has changed here, and returns what is to be sent.
  private func captureWaiting() throws(StoreError) -> [SyncedObject] {
    // When the power is lost, what was captured is captured again, with the time at which it was changed;
    // only a stamp that is ahead of the clock could be given to a later change.
    try write(isDurable: state[integer: .stamp] > presentStamp) { () throws(StoreError) in
      try fetchAgainIfChanged()
      try capture()
      // Changes that the person may not make are taken back as a whole.
      if maySend { try tryChangedAgain() } else { try tryAgain() }
      var waiting = try waitingObjects()
      if state[integer: .asideCount] > 0 { waiting = try settingAsideDependents(among: waiting) }
      changedAgain = []
      return waiting
    }
  }

  /// Has everything fetched again when the file has got tables or columns that it did not have: until then
  /// the server kept what was in them.
  private func fetchAgainIfChanged() throws(StoreError) {
    guard state[text: .layout] != layout.fingerprint else { return }
    if state[.layout] != .null {
      state[integer: .fetchesAll] = 1
      try capture()
      try capture(everythingAt: nextStamp())
    }
    state[text: .layout] = layout.fingerprint
  }

  /// Has the file send everything again, to a server that has forgotten some of it.
  func sendEverythingAgain() throws(StoreError) {
    try write { () throws(StoreError) in
      try statements.prepare("UPDATE \(SyncTables.objects) SET waiting = 0").run()
      try tryAgain()
      state[integer: .undatedStamp] = state[integer: .stamp]
      state[integer: .fetchesAll] = 1
    }
  }

  /// Fetches everything, and deletes what the space has no more: its deletions were forgotten while this
  /// machine was away. Only what it has never had stays; who has changed something else meanwhile is told.
  func compareEverything(with space: some SpaceConnection) throws {
    var received: [RemoteObject] = []
    let head = try space.pull(after: 0) { received += $0 }
    let present = Set(received.lazy.map(\.object.identity))
    try write { () throws(StoreError) in
      try capture()
      for identity in try objectsOfSpace() where !present.contains(identity) {
        try deleteAsElsewhere(identity)
      }
      if !maySend { try takeBackNew(apartFrom: present) }
      try apply(received)
      noteLeftOut(space.unreadObjects)
      try finishApplying()
      known = head
    }
  }

  /// Takes back what the person at this machine has changed and may not change.
  private func takeBack(_ waiting: [SyncedObject], from space: some SpaceConnection) throws -> Exchanged {
    let identities = waiting.map(\.identity)
    var received: [RemoteObject] = []
    let head = try space.pull(after: complete.number, and: identities) { received += $0 }
    try write { () throws(StoreError) in
      try capture()
      // The server does not refuse values that stay on this machine.
      var local: [SyncedObject.Identity: [SQLiteValue]] = [:]
      for identity in identities {
        local[identity] = try localOnlyValues(of: identity)
        // A new file begins with rows that no person has made.
        if known.number > 0 { try noteRefusal(of: identity) }
        try forget(identity)
      }
      // Others may have come since.
      try takeBackNew(apartFrom: [])
      try apply(received)
      noteLeftOut(space.unreadObjects)
      for (identity, values) in local { try setLocalOnlyValues(values, of: identity) }
      try finishApplying()
      known = head
    }
    return Exchanged(sent: 0, received: received.count)
  }

  /// Takes back what is on this machine alone, apart from what the space has, where the person may only read:
  /// beside it, objects of the space would get positions and values that no other machine gives them.
  private func takeBackNew(apartFrom present: Set<SyncedObject.Identity>) throws(StoreError) {
    let unsent = try (waitingObjects() + objectsSetAside()).map(\.identity)
    for identity in unsent where !present.contains(identity) {
      guard try isNew(identity) else { continue }
      if known.number > 0 { try noteRefusal(of: identity) }
      try forget(identity)
    }
  }
}
