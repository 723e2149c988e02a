import LibC

/// An instance: a file as one thread, queue or actor sees it.
///
/// An instance shows one version of the file at a time. It advances to a newer one when its scheduler gives
/// it a turn, when ``refresh()`` is called, and when a write begins; observers are then notified of the
/// changes. A store and everything that comes from it may be used only where its ``Scheduler`` calls it;
/// other threads open their own stores on the same file, and so does a process that `fork` has made.
///
/// The last reference to the store, to its objects and to its collections may be released on any thread if
/// nothing of the store is in use any more, as when an actor ends that has all of them. While it is in use,
/// its objects and collections are released where it is used.
public final class Store {
  /// The configuration that the store was opened with, with the absolute path of the file.
  public let configuration: Configuration
  /// The thread, queue or actor on which the store is used and its callbacks are called.
  public let scheduler: Scheduler
  let confinement: Confinement
  let schema: Schema
  let coordinator: Coordinator
  let recorder: TransactionRecorder

  /// Whether a write transaction is open on this instance.
  public internal(set) var isInWriteTransaction = false
  /// The lists that the body of a write has asked objects for last: a body that changes one through its
  /// object again and again would otherwise have its order read each time. `nil` outside such a body, where
  /// they would keep the store.
  var recentLists: [AnyObject]?

  // The following belongs to the extensions in `Store+Turns.swift`, `Store+Writing.swift` and
  // `Store+Rows.swift`.

  /// The rows that objects show, by identity. A row removes itself when it is released.
  ///
  /// Not weak references: they would move the reference counts into a side table, which slows every use of a
  /// row.
  var rows = RowMap<Unmanaged<_ManagedRow>>()
  /// The iterations that have read only the first elements.
  var iterations: [Weak<Iteration>] = []
  /// The collections in sections, by identity.
  var sections: [ObjectIdentifier: Weak<SectionedCollection>] = [:]
  let file: StoreFile
  let identity: FileIdentity
  /// The file, for further connections to it.
  var database: DatabaseFile {
    DatabaseFile(identity: identity, configuration: configuration, schema: schema)
  }
  /// The signal file; `nil` for a store that only reads.
  let signal: CommitSignal?
  private(set) var watch: CommitSubscription?
  let path: String
  /// The forks until it was opened.
  let forks = ForkCount.present
  let origin = Int64.random(in: 1 ... .max)
  /// The mark of the last log row that this store has written. The first is random; each next one is higher
  /// by one.
  var mark = Int64.random(in: .min ... .max)
  let line = VersionLine()

  /// The calls that observers are owed. The failure is with the subscriptions that existed when it occurred.
  var turns = TurnState<
    (subscription: Subscription, event: Subscription.Event),
    (cause: StoreError, subscriptions: [Subscription])
  >()
  var isClosed = false
  /// The work that has been counted; see ``counters()``.
  var work = Counters()
  var logUpkeep = LogUpkeep()
  /// The schedule of the upkeep on turns, which are rarer than the commits of a program that only writes.
  var turnLogUpkeep = LogUpkeep()
  /// The lock, and its connection, that prevents other programs from writing the log back while the open
  /// transaction restarts it.
  var logGuard: (connection: Connection, lock: LogLock)?
  /// The highest number known to the open transaction in each table of entries.
  var highestEntry: [Int: Int64] = [:]
  /// The highest number of an entry that has come or gone in the open transaction, in each table of entries.
  var highestTouchedEntry: [Int: Int64] = [:]
  /// The statements of the program that may change rows.
  var knownStatements: [String: KnownStatement] = [:]
  var adding = Adding()
  /// The number of the open transaction, or of the next.
  var transaction: UInt64 = 1
  /// The reason why the open transaction cannot be committed.
  var writeFailure: StoreError?
  /// The reason why the last transaction, which was cancelled, could not have been committed.
  var cancelledFailure: StoreError?

  /// The reads that Swift's Observation tracks; see `Store+Observation.swift`.
  var observation = ObservationState()
  /// Detects whether reads are tracked; `nil` for a frozen store, which never changes.
  var probe: TrackingProbe? = TrackingProbe() {
    didSet { probeReference = probe.map(Unmanaged.passUnretained) }
  }
  // An unretained copy. Every read of a property checks it, and counting a reference would make that slower;
  // no code runs while it is changed.
  @exclusivity(unchecked) private(set) var probeReference: Unmanaged<TrackingProbe>?

  // The following belongs to the extension in `Store+Failing.swift`.

  /// The reason why the file could not be read; `nil` while it can be.
  ///
  /// Where a read outside of a write transaction fails, as on a damaged page or a failing disk, the result is
  /// a substitute: the default of a property, `nil` for an object that was looked up, no elements for a
  /// collection. This property has the cause, and every observer receives it once, on the next turn, as its
  /// `error`: those of collections and objects as their last call, those of the store as
  /// ``Notification/failed(_:)``. When a turn, ``refresh()`` or ``beginWrite(waitingAtMost:)`` has opened the
  /// newest version again, the property is `nil` again, and the observers of the store receive
  /// ``Notification/recovered``; collections and objects can then be observed again. If the version shown is
  /// the one that cannot be read, ``invalidate()`` releases it first.
  ///
  /// A query that fails by itself, at a value in a row, sets this property too when it is read. Only its own
  /// observers then receive an `error`, and everything else can be read.
  ///
  /// Where a read fails inside a write transaction, the transaction has failed, as with a failing statement.
  /// Until it ends, objects and collections show such substitutes and nothing more is written;
  /// ``commitWrite(withoutNotifying:)``, or ``write(waitingAtMost:withoutNotifying:_:)``, throws the cause
  /// and rolls everything back.
  public internal(set) var failure: StoreError? {
    didSet { coordinator.lock.withLock { coordinator.hasFailed = failure != nil } }
  }
  /// The number of reads outside of write transactions that have failed since the store was opened.
  ///
  /// The version shown may be readable while ``failure`` says that no newer one can be opened, as for a file
  /// that has been moved. A program that keeps showing it compares this number before and after.
  public internal(set) var failedReads = 0 {
    didSet { readGeneration &+= 1 }
  }
  /// A number that differs whenever the same read may return something else than before, except for reads
  /// within a write transaction.
  package internal(set) var readGeneration: UInt64 = 0

  /// The state of a frozen store; `nil` for a live one.
  let frozen: FrozenState?
  /// The frozen store of the version shown, while it is referenced.
  weak var frozenCopy: Store?

  // The callbacks of `Store+Notifications.swift`.
  var observers: [StoreObserver] = [] {
    didSet { coordinator.setHasStoreObservers(!observers.isEmpty) }
  }

  /// Opens a file, after creating and preparing it where needed.
  ///
  /// Called where `scheduler` calls the store: on its queue, thread or actor.
  ///
  /// - Throws: ``StoreError`` when the file cannot be used; the file is then as it was.
  public convenience init(
    _ configuration: Configuration, scheduler: Scheduler = .main
  ) throws(StoreError) {
    try self.init(configuration, scheduler: scheduler, sameFileAs: nil)
  }

  /// Opens a file, if it still is the one that another store has open.
  init(
    _ configuration: Configuration, scheduler: Scheduler, sameFileAs other: FileIdentity?
  ) throws(StoreError) {
    confinement = scheduler.confine()
    try scheduler.requireDescriptor()
    self.scheduler = scheduler
    frozen = nil
    schema = try Schema.of(configuration.objectTypes, version: configuration.schemaVersion)
    file = try StoreFile(configuration.location)
    path = file.path
    var configuration = configuration
    if case .file = configuration.location { configuration.location = .file(path) }
    self.configuration = configuration
    identity = FileIdentity(files: file.files, of: other)
    let database = DatabaseFile(identity: identity, configuration: configuration, schema: schema)
    let connections = try database.open()
    recorder = TransactionRecorder(schema: schema)
    let makeSnapshot = {
      [recorder, schema, line, identity] (connection: Connection) throws(StoreError) in
      recorder.install(on: connection)
      return try Snapshot(
        connection, schema: schema, line: line, identity: identity, schemaVersion: connections.schemaVersion)
    }
    let front = try makeSnapshot(connections.first)
    let back = try connections.second.map(makeSnapshot)
    signal = configuration.isReadOnly ? nil : CommitSignal(databasePath: path)
    let turn = Turn()
    let scheduler = scheduler
    let path = path
    coordinator = Coordinator(
      front: front, back: back,
      openBack: { () throws(StoreError) in try makeSnapshot(try database.openAnother()) }, schema: schema,
      followsCommits: configuration.followsCommits,
      requestTurn: { scheduler.schedule { turn.take() } },
      requestCalculation: { CommitWatcher.shared.wake(path: path) })
    try front.open()
    // The index reports commits. Without it snapshots find them, and the upkeep of the log counts commits.
    coordinator.index = try? WALIndex(front.connection)
    identity.noteLog(coordinator.index)
    try identity.check()
    coordinator.commits = Coordinator.Commits()
    turn.store = self
    recorder.store = self
    probeReference = probe.map(Unmanaged.passUnretained)
    if configuration.followsCommits { try followCommits() }
    if ChangeLog.isExhausted(at: coordinator.version) { beginLogAnew() }
  }

  private func followCommits() throws(StoreError) {
    do {
      let coordinator = coordinator
      watch = try CommitWatcher.shared.subscribe(
        path: path, rest: { [weak coordinator] in coordinator?.rest ?? 0 },
        handler: { [weak coordinator] event in coordinator?.handle(event) ?? .upToDate })
    } catch {
      throw StoreError(.fileAccess, "“\(path)” \(error.description).")
    }
    // Commits made before the subscription was added caused no event.
    CommitWatcher.shared.wake(path: path)
  }

  /// A frozen store; see ``freeze()``.
  init(frozen: FrozenState, of source: Store) {
    self.frozen = frozen
    confinement = .anywhere
    configuration = source.configuration
    scheduler = source.scheduler
    schema = source.schema
    file = source.file
    identity = source.identity
    path = source.path
    signal = source.signal
    recorder = TransactionRecorder(schema: source.schema)
    // It never calculates, and only keeps the collections.
    coordinator = Coordinator(
      front: frozen.snapshot, back: frozen.snapshot, openBack: { frozen.snapshot }, schema: source.schema,
      followsCommits: false,
      requestTurn: {}, requestCalculation: {})
    probe = nil
  }

  /// Names the actor that the store belongs to, if the store was opened in its `init` with
  /// ``Scheduler/actor()``: the last statement there, when all properties of the actor have values.
  ///
  /// The actor is not retained. A store with another scheduler has a place already: naming an actor for it
  /// stops the program.
  public func confine(to actor: some Actor) {
    guard case .claimed(let claim) = confinement else {
      fatalError("Only a store opened with the scheduler .actor() can be confined to an actor afterwards.")
    }
    if !claim.claim(for: actor) {
      fatalError("A store belongs to one actor; open another store for this one.")
    }
  }

  deinit {
    releaseAll()
  }

  /// Closes the file. Collections and objects of the store must not be used afterwards; its tokens end.
  ///
  /// Allowed in a callback: the remaining callbacks of the delivery are then not called. An open write is
  /// cancelled. Closing a frozen store, which other threads may be reading, does nothing: it releases its
  /// version when it and everything that came from it are released. The frozen copies of a store are not
  /// closed with it.
  public func close() {
    confinement.require()
    releaseAll()
  }

  private func releaseAll() {
    guard !isClosed, frozen == nil else { return }
    isClosed = true
    watch?.cancel()
    watch = nil
    coordinator.close()
    let ended = observers
    observers = []
    for observer in ended { observer.state.end() }
    if isInWriteTransaction {
      _ = connection.executeResult("ROLLBACK")
      // The lock may have been taken on the connection that was about to become the front one.
      _ = coordinator.openedBack?.connection.executeResult("ROLLBACK")
      endLogGuard()
      isInWriteTransaction = false
    }
    forgetAllRows()
    readGeneration &+= 1
    recorder.uninstall()
    coordinator.closeSnapshots()
  }

  /// Whether commits of other processes are noticed up to a tenth of a second late, because the file is
  /// polled: the system does not let the user watch more files (see `fs.inotify.max_user_instances` and
  /// `fs.inotify.max_user_watches` in sysctl), or not this folder.
  ///
  /// False again as soon as it does.
  public var isPolling: Bool { watch?.isPolling ?? false }

  /// The state that the instance shows now.
  var state: StoreState {
    requireSnapshot()
    return StoreState(version: front.version, touches: recorder.touches)
  }

  var front: Snapshot { coordinator.front }
  /// The reader of the version shown, for objects and collections.
  var reader: RowReader { frozen?.reader ?? front.instance }
  var connection: Connection { coordinator.front.connection }
}

/// A weak reference through which a scheduler, from any thread, has a store take its turn.
private final class Turn: @unchecked Sendable {
  // Set once, before the first call; read where the scheduler calls, which is where the store is used.
  weak var store: Store?

  func take() {
    store?.processNotifications()
  }
}
