import CLinux
import LiveStore

/// The process that carries a joined file: it sends what programs on this machine change in it as soon as
/// they have committed, and writes what other machines have changed as soon as the server tells.
///
/// Where the server cannot be reached it tries again, at longer and longer intervals, and at once when the
/// network of this machine changes; meanwhile changes wait in the file. While nothing happens it sleeps, but
/// for one message in half a minute by which each side knows that the other is there.
///
/// Its calls block; it is used on one thread, but for ``stop()``.
public final class SyncAgent {
  /// The state of the connection, for the people at the file.
  public private(set) var status = SyncStatus()

  let file: JoinedFile
  /// The status that other programs know; nil if they know none.
  private var publishedStatus: SyncStatus?
  private var place: AgentFile
  private let events: AgentEvents
  private var watch: CommitSubscription?
  /// Called when the status has changed, on the agent's thread.
  public var onStatus: (SyncStatus) -> Void = { _ in }
  private(set) var connection: ServerConnection?
  /// Whether the server has been asked again for what it once refused: it may have been changed since.
  private var hasTriedAgain = false
  /// The server's clock minus that of this machine's boot time, which cannot be set.
  private var serverClock: Int64?
  /// The milliseconds until the next attempt to reach the server, should this one fail.
  var pause: Int64 = SyncAgent.shortestPause
  /// Whether the agent is still wanted; asked now and then.
  private let isWanted: () -> Bool

  /// The milliseconds between two attempts to reach the server, which double with each.
  private static let shortestPause: Int64 = 500
  /// The longest of these, which lasts half as long again at most, and so no more than a minute: machines
  /// that have lost one server at once do not all return at once.
  private static let longestPause: Int64 = 40_000
  /// The longest pause while a person changes the file, who may have seen that the network is back.
  private static let pauseWhileChanging: Int64 = 2000
  /// The milliseconds by which this machine's clock may run away from the server's before that is noted.
  private static let clockTolerance: Int64 = 500
  /// The milliseconds after which the server is asked whether it is still there.
  private static let keepAlive: Int64 = 30_000
  /// The seconds in which it has to answer that after the network of this machine has changed: a connection
  /// by way of an address that is gone ends without a word.
  private static let patienceAfterNetworkChange = 5
  /// The milliseconds between two such questions.
  private static let pauseOfChecks: Int64 = 2000
  /// The milliseconds of a sleep that nothing has ended, after which the log is written back.
  private static let pauseForLog: Int64 = 2000
  /// The milliseconds of a day.
  private static let day: Int64 = 86_400_000

  /// Whether the agent is still wanted, and no other is in its place, which it takes again if it can.
  private func goesOn() -> Bool { isWanted() && keepsPlace() }

  /// Becomes the agent of a file.
  ///
  /// - Parameters:
  ///   - path: A file that has been joined.
  ///   - isWanted: Whether to go on; called at least once a minute.
  /// - Throws: `SyncError` if the file is not joined, or has an agent already; `StoreError` if it cannot be
  ///   read.
  public convenience init(path: String, while isWanted: @escaping () -> Bool = { true }) throws {
    try self.init(path: path, watchingNetwork: clinux_watch_network, while: isWanted)
  }

  init(
    path: String, watchingNetwork: () -> Int32, while isWanted: @escaping () -> Bool = { true }
  ) throws {
    let file = try SyncedFile(path: path).joinedFile()
    let found: AgentFile?
    do throws(CompanionFile.Unavailable) {
      found = try AgentFile(database: path)
    } catch {
      throw StoreError(.fileAccess, "This process cannot carry the file: \(error)")
    }
    guard let place = found else { throw SyncError(.busy, "Another process carries “\(path)” already.") }
    self.file = file
    self.place = place
    self.isWanted = isWanted
    events = AgentEvents(networkChange: watchingNetwork())
    file.onProgress = { [unowned self] progress in
      status.note(progress)
      publishStatus()
    }
  }

  deinit {
    watch?.cancel()
  }

  /// A descriptor to which eight bytes, a number other than 0, are written to end ``run()``; from a signal
  /// handler too.
  public var stopDescriptor: Int32 { events.stop.fileDescriptor }

  /// Ends ``run()``, from any thread.
  public func stop() {
    events.stop.signal()
  }

  /// Exchanges once and returns.
  ///
  /// - Throws: The reason why that is not possible now.
  public func runOnce() throws {
    try connect()
    try exchangeAll()
    try reportEntered()
    try pruneDaily()
  }

  /// Carries the file until ``stop()`` is called, it is not wanted any more, or another agent has taken its
  /// place, as it can when the file beside the database is removed that marks it.
  ///
  /// - Throws: `StoreError` if the file cannot be used any more. What the server or the network do is in the
  ///   status.
  public func run() throws {
    watch = try CommitWatcher.shared.subscribe(path: file.path) { [localChange = events.localChange] event in
      localChange.signal()
      // Only the exchange finds out whether a commit has become visible, so that all further looks are taken.
      return event.isAnnouncedCommit ? .upToDate : .moreMayFollow
    }
    while goesOn() {
      do {
        if connection == nil {
          // Another attempt does not end the time for which the server has been out of reach.
          if status.phase != .offline, !status.phase.needsPerson { enter(.connecting) }
          try look()
          try connect()
        }
        try exchangeAll()
        try reportEntered()
        try pruneDaily()
        pause = Self.shortestPause
        enter(.inStep)
        if try !waitForChange() { return }
      } catch let error as SyncError {
        if try !rest(error.phase, error.description) { return }
      } catch let error as StoreError
        where error.code == .busy || error.code == .diskFailure || error.isRefusal
      {
        // A refusal is another program's rule in the file, to which a later change may keep.
        let phase: SyncStatus.Phase =
          error.isOfFullDisk ? .diskFull : error.code == .busy ? .offline : .refused
        if try !rest(phase, error.description) { return }
      }
    }
  }

  /// Ends the connection, and sleeps before the next attempt; the pause before another one is longer.
  ///
  /// - Returns: False when the agent is to stop.
  private func rest(_ phase: SyncStatus.Phase, _ reason: String) throws -> Bool {
    connection = nil
    enter(phase, reason)
    defer { pause = min(pause * 2, Self.longestPause) }
    // All machines lose a server that is started anew in one moment: they do not return in one, too.
    return try sleep(.random(in: pause / 2...pause * 3 / 2))
  }

  /// Connects and enters the space.
  private func connect() throws {
    let connection = try ServerConnection(url: ServerURL(file.presentAddress))
    let space = Int64(file.state[text: .space]) ?? 0
    func enter(replica: Int64?) throws(SyncError) -> Entrance {
      try connection.enter(
        space: space, replica: replica, machineName: SyncedFile.machineName,
        token: file.state[text: .token].isEmpty ? nil : file.state[text: .token], known: file.known)
    }
    var entrance = try enter(replica: file.replica)
    // Another machine goes by this one's number: one of the two files is a copy of the other.
    if entrance.isCopy { entrance = try enter(replica: nil) }
    try file.note(entrance, clockOffset: connection.clockOffset, tryingAgain: !hasTriedAgain)
    hasTriedAgain = true
    try file.note(maySend: entrance.right >= .write)
    try file.settleDeletions(over: connection)
    switch entrance.continuity {
    case .inStep: break
    case .serverRestored: try file.sendEverythingAgain()
    case .awayTooLong: try file.compareEverything(with: ServerSpace(connection: connection))
    }
    try connection.listen()
    serverClock = connection.bootTimeOffset
    connection.onSilence = { [unowned self, url = connection.url] in noteSilence(of: url) }
    self.connection = connection
    status.behind = max(0, entrance.head.number - file.known.number)
    try noteMachines()
    publishStatus()
  }

  /// Asks what the person may do, which a manager may have changed since the space was entered, and which
  /// other machines there are.
  private func noteMembers() throws {
    if let right = try connection?.presentRight() {
      try file.note(maySend: right >= .write)
      // When a member was removed, the server notifies the others on another channel.
      try connection?.listen()
    }
    try noteMachines()
  }

  /// Asks which other machines there are, and how far behind each is.
  private func noteMachines() throws {
    guard let connection else { return }
    let (replica, offset) = (file.replica, connection.clockOffset)
    let machines = try connection.machines()
    file.participants = Dictionary(
      machines.map { ($0.replica, Participant(author: $0.role, machine: $0.name)) },
      uniquingKeysWith: { $1 })
    status.machines = machines.filter { $0.replica != replica }.map {
      var machine = $0
      machine.seen -= offset
      return machine
    }
    status.version = file.known.number + status.behind
  }

  /// Tells the others how far this machine has come since it entered the space: the next report of an agent
  /// that goes on is half a minute away, and of others there is none.
  private func reportEntered() throws {
    guard let connection, file.known.number != connection.reportedVersion else { return }
    try connection.report(known: file.known)
  }

  /// Exchanges until neither side has anything new.
  private func exchangeAll(isNotified: Bool = true) throws {
    guard let connection else { return }
    if connection.machineNames == nil { try noteMembers() }
    let space = ServerSpace(connection: connection, onProgress: file.onProgress)
    var isNotified = isNotified
    var hasSetBack = false
    while true {
      try noteClock()
      let exchanged: JoinedFile.Exchanged
      do {
        exchanged = try file.exchange(with: space, isNotified: isNotified)
      } catch let error as SyncError where error.code == .clockAhead && !hasSetBack {
        // This machine's clock has been set since the connection was made.
        hasSetBack = true
        try file.setBackClocks(to: connection.serverTime, offset: connection.clockOffset, with: space)
        continue
      }
      status.behind = 0
      if exchanged.isEmpty { break }
      status.exchanged = WallClock.milliseconds
      isNotified = false
    }
    try noteWaiting()
  }

  /// Notes that this machine's clock has been set, before changes are looked at that it has dated since.
  private func noteClock() throws(StoreError) {
    guard let serverClock else { return }
    let offset = ServerConnection.clockOffset(at: serverClock)
    guard abs(offset - file.state[integer: .clockOffset]) > Self.clockTolerance else { return }
    try file.write { () throws(StoreError) in file.state[integer: .clockOffset] = offset }
  }

  /// Notes that the server does not answer, and what waits for it: a sign says “in step” otherwise.
  private func noteSilence(of server: ServerURL) {
    guard status.phase == .inStep else { return }
    status.waiting = (try? file.waitingCount) ?? status.waiting
    enter(.connecting, "\(server) does not answer.")
  }

  private func noteWaiting() throws(StoreError) {
    status.waiting = try file.waitingCount
    status.lost = try file.conflictCount
    status.leftOut = file.leftOutCount
    status.setAside = try file.setAsideCount
  }

  /// Has the server forget old deletions, once a day for each file; the server does it once a day for each
  /// space.
  ///
  /// A refusal is no error, since the server may do it tomorrow; only a lost connection is.
  private func pruneDaily() throws {
    guard let connection, file.maySend else { return }
    let now = connection.serverTime
    guard abs(now - file.state[integer: .pruned]) > Self.day else { return }
    do {
      try connection.prune()
    } catch {
      if error.code == .connectionLost { throw error }
    }
    try file.write { () throws(StoreError) in file.state[integer: .pruned] = now }
  }

  /// Sleeps until something happens here or on the server, and exchanges it.
  ///
  /// - Returns: False when the agent is to stop.
  private func waitForChange() throws -> Bool {
    guard let connection else { return true }
    var nextReport = ServerConnection.monotonicMilliseconds() + Self.keepAlive
    // After a change of the network: whether the connection may be lost, and when that may be asked again.
    var isUncertain = false
    var nextCheck: Int64 = 0
    while goesOn() {
      // A notice may have come with the answers to the last exchange: the socket does not show it then.
      while try connection.receiveNotices() {
        try exchangeAll(isNotified: true)
        enter(.inStep)
      }
      let occurred = wait(until: nextReport, for: connection.socket)
      if occurred.contains(.stop) { return false }
      if occurred.contains(.networkChange) {
        // Changes come in numbers; one question some time after them is enough.
        nextReport = min(nextReport, max(ServerConnection.monotonicMilliseconds(), nextCheck))
        nextCheck = ServerConnection.monotonicMilliseconds() + Self.pauseOfChecks
        isUncertain = true
      }
      if nextReport <= ServerConnection.monotonicMilliseconds() {
        nextReport = ServerConnection.monotonicMilliseconds() + Self.keepAlive
        let patience = connection.patience
        if isUncertain { connection.patience = Self.patienceAfterNetworkChange }
        isUncertain = false
        try connection.report(known: file.known)
        connection.patience = patience
        // Notices are not certain to come.
        try exchangeAll(isNotified: true)
        try pruneDaily()
        try noteMembers()
        enter(.inStep)
        continue
      }
      // A command has told where the server has moved.
      if file.presentAddress != connection.url.text {
        self.connection = nil
        return true
      }
      let isNotified = occurred.contains(.message) ? try connection.receiveNotices() : false
      try exchangeAll(isNotified: isNotified)
      enter(.inStep)
    }
    return false
  }

  /// Sleeps for some milliseconds, but for looking at what is changed here meanwhile: the change log, which
  /// has the times of changes, does not keep them for ever.
  ///
  /// - Returns: False when the agent is to stop.
  private func sleep(_ milliseconds: Int64) throws -> Bool {
    let start = ServerConnection.monotonicMilliseconds()
    var end = start + milliseconds
    let address = file.presentAddress
    while true {
      do throws(StoreError) {
        if try look() { end = min(end, start + Self.pauseWhileChanging) }
      } catch {
        // The next look finds what this one cannot see.
        guard error.code == .busy || error.code == .diskFailure else { throw error }
      }
      let now = ServerConnection.monotonicMilliseconds()
      guard now < end, goesOn() else { return true }
      // Those for whom it runs may go meanwhile.
      let occurred = wait(until: min(end, now + Self.keepAlive))
      if occurred.contains(.stop) { return false }
      if occurred.contains(.networkChange) {
        // Address, routes and name server come one after the other: what fails is tried again soon.
        pause = Self.shortestPause
        end = min(end, ServerConnection.monotonicMilliseconds() + pause)
      }
      if file.presentAddress != address {
        pause = Self.shortestPause
        return true
      }
    }
  }

  /// Looks at what has been changed here, without the server.
  ///
  /// - Returns: Whether more of it waits to be sent, or less.
  @discardableResult
  private func look() throws(StoreError) -> Bool {
    try noteClock()
    _ = try file.write { () throws(StoreError) in try file.capture() }
    let waiting = try file.waitingCount
    guard waiting != status.waiting else { return false }
    status.waiting = waiting
    publishStatus()
    return true
  }

  /// Sleeps until something happens, or a time by the monotonic clock; writes the log back after a sleep that
  /// nothing has ended.
  private func wait(until end: Int64, for socket: Int32 = -1) -> AgentEvents.Occurred {
    let start = ServerConnection.monotonicMilliseconds()
    let occurred = events.wait(until: end, for: socket)
    if occurred.isEmpty, ServerConnection.monotonicMilliseconds() - start > Self.pauseForLog {
      file.writeLogBack()
    }
    return occurred
  }

  private func enter(_ phase: SyncStatus.Phase, _ reason: String = "") {
    status.enter(phase, reason)
    publishStatus()
  }

  /// Takes the agent's place again where another program has removed the file that marks it.
  ///
  /// - Returns: False if another agent has taken it meanwhile.
  private func keepsPlace() -> Bool {
    guard !place.isThere else { return true }
    let found: AgentFile?
    do throws(CompanionFile.Unavailable) {
      found = try AgentFile(database: file.path)
    } catch {
      // Where it cannot be written, no other can take it either.
      return true
    }
    guard let found else { return false }
    place = found
    publishedStatus = nil
    publishStatus()
    return true
  }

  /// Tells other programs how the agent stands, if that has changed.
  private func publishStatus() {
    status.mayOnlyRead = !file.maySend
    guard status != publishedStatus else { return }
    publishedStatus = place.write(status.text) ? status : nil
    onStatus(status)
  }
}

extension JoinedFile {
  /// Takes in what the server has said at an entrance.
  fileprivate func note(
    _ entrance: Entrance, clockOffset: Int64, tryingAgain: Bool
  ) throws(StoreError) {
    try write { () throws(StoreError) in
      if tryingAgain { try tryAgain() }
      if let replica = entrance.replica, replica != self.replica {
        try renumberWaitingChanges(to: replica)
        state[integer: .replica] = replica
        try connection.execute(PositionKey.settingRun(ofMachine: replica))
      }
      if let token = entrance.token { state[text: .token] = token }
      state[text: .spaceName] = entrance.name
      // The file may be a copy that was made on another machine.
      state[text: .machine] = SyncedFile.machineName
      state[integer: .clockOffset] = clockOffset
    }
  }
}

extension SyncError {
  /// The phase of an agent that goes on after the error.
  fileprivate var phase: SyncStatus.Phase {
    code == .diskFull ? .diskFull : isRetryable ? .offline : .refused
  }
}

extension StoreError {
  /// Whether a rule in the file, or a trigger of another program, does not let a row be written.
  fileprivate var isRefusal: Bool {
    if case .sqlite(let result) = code { result & 0xFF == 19 } else { code == .invalidValue }
  }
}
