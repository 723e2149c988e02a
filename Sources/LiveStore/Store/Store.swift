import Glibc

/// A file as one thread, queue or actor sees it: an instance.
///
/// An instance shows one version of the file at a time. It moves to a newer one when its scheduler gives it a
/// turn, when ``refresh()`` is called, and when a write begins; callbacks are then told what changed. A store
/// and everything that comes from it may only be used where its ``Scheduler`` calls it; other threads open
/// stores of their own on the same file. Only the end of the last reference to it may come anywhere.
public final class Store {
  /// What the store was opened with, with the absolute path of the file.
  public let configuration: Configuration
  /// Where the store is used and its callbacks are called.
  public let scheduler: Scheduler
  let confinement: Confinement
  let schema: Schema
  let coordinator: Coordinator
  let recorder: TransactionRecorder

  /// Whether a write transaction is open on this instance.
  public internal(set) var isInWriteTransaction = false

  // What follows belongs to the extensions in `Store+Turns.swift`, `Store+Writing.swift` and
  // `Store+Rows.swift`.

  /// The rows that objects show, by identity. A row removes itself when it goes.
  ///
  /// Not weak references: every use of a row would be slower for them, since its references are then counted
  /// in a table beside it.
  var rows = RowMap<Unmanaged<_ManagedRow>>()
  /// The iterations that have read the first elements only of what they iterate.
  var iterations: [WeakIteration] = []
  /// The collections in sections, by identity.
  var sections: [ObjectIdentifier: WeakSections] = [:]
  let file: StoreFile
  let identity: FileIdentity
  /// `nil` for a store that only reads.
  let signal: CommitSignal?
  private(set) var watch: CommitSubscription?
  let path: String
  let origin = Int64.random(in: 1 ... .max)
  /// The mark of the last log row that this store has written; each has the next number after a random one.
  var mark = Int64.random(in: .min ... .max)
  let line = VersionLine()

  /// Calls of the delivery under way that have not been made.
  var undelivered: [(subscription: Subscription, event: Subscription.Event)] = []
  var isDelivering = false
  var isClosed = false
  var logUpkeep = LogUpkeep()
  /// The same for the turns, which come more seldom than the commits of a program that does nothing but
  /// write.
  var turnLogUpkeep = LogUpkeep()
  /// The lock that the open transaction holds lest the log be written back while it starts it anew, and on
  /// which connection.
  var logGuard: (connection: Connection, lock: LogLock)?
  /// For each table of entries, the highest number in it that the open transaction knows of.
  var highestEntry: [Int: Int64] = [:]
  /// What is being added.
  var adding = Adding()
  /// The number of the open transaction, or of the next.
  var transaction: UInt64 = 1
  /// Why the open transaction cannot be committed.
  var writeFailure: StoreError?
  /// Why the last transaction could not have been committed, which was cancelled instead.
  var cancelledFailure: StoreError?

  /// What Swift's Observation is told of; see `Store+Observation.swift`.
  var observation = ObservationState()
  /// Tells whether somebody tracks reads; `nil` for a frozen store, which never changes.
  var probe: TrackingProbe? = TrackingProbe() {
    didSet { probeReference = probe.map(Unmanaged.passUnretained) }
  }
  // The same. Looked at by every read of a property, which counting a reference would make slower; nothing is
  // called while it is changed.
  @exclusivity(unchecked) private(set) var probeReference: Unmanaged<TrackingProbe>?
  /// Whether observers hear of a version that is about to be shown.
  var isAboutToShow = false

  // What follows belongs to the extension in `Store+Failing.swift`.

  /// Why the file could not be read; `nil` while it can be.
  ///
  /// Where a read outside of a write transaction fails, as on a damaged page or a disk that gives up, what
  /// was asked for has a harmless value: a property its default, an object that was looked for is `nil`, a
  /// collection has no elements. The cause is here, and every observer is told it once, on the next turn, as
  /// its `error`: those of collections and objects for the last time, those of the store as
  /// ``Notification/failed(_:)``. When a turn, ``refresh()`` or ``beginWrite()`` has found the newest version
  /// again, it is `nil` again, which the observers of the store are told as ``Notification/recovered``;
  /// collections and objects are then to be observed anew. Where it is the version shown that cannot be read,
  /// ``invalidate()`` gives it up before.
  ///
  /// Where a read fails inside a write transaction, that transaction has failed, as where a statement fails:
  /// until it ends, objects and collections show such values, nothing more is written, and
  /// ``commitWrite(withoutNotifying:)``, or ``write(withoutNotifying:_:)``, throws the cause and takes all of
  /// it back.
  public internal(set) var failure: StoreError? {
    didSet { coordinator.setHasFailed(failure != nil) }
  }
  /// The number of reads outside of write transactions that have failed since the store was opened.
  ///
  /// The version shown may well be read while ``failure`` says that there is no newer one to be had, as of a
  /// file that has been moved. A program that goes on showing it compares this number before and after.
  public internal(set) var failedReads = 0
  /// Whether the observers of the store have yet to hear that the file can be read again.
  var hasRecoveredUntold = false
  /// It, until the observers are told: those that there were when it was found.
  var untoldFailure: (cause: StoreError, subscriptions: [Subscription])?

  /// What a frozen store holds; `nil` for one that is live.
  let frozen: FrozenState?
  /// The frozen store of the version shown, as long as anybody has it.
  weak var frozenCopy: Store?

  // What follows belongs to the extensions in `Store+Notifications.swift` and `Store+Invalidation.swift`.

  var observers: [StoreObserver] = [] {
    didSet { coordinator.setHasStoreObservers(!observers.isEmpty) }
  }
  var isTellingObservers = false
  /// Whether the version has become another without a delivery, which observers have yet to hear of.
  var hasMovedUntold = false
  /// Whether that was without a snapshot of the version before, so that nobody can say what of it was read
  /// has changed.
  var hasLostReads = false

  /// Opens a file, making and preparing it where needed.
  ///
  /// To be called where `scheduler` calls the store: on its queue, thread or actor.
  ///
  /// - Throws: ``StoreError`` when the file cannot be used; it is then as it was.
  public init(_ configuration: Configuration, scheduler: Scheduler = .main) throws(StoreError) {
    confinement = scheduler.confine()
    try scheduler.requireDescriptor()
    self.scheduler = scheduler
    frozen = nil
    schema = try Schema.of(configuration.objectTypes, version: configuration.schemaVersion)
    file = try StoreFile(configuration.location)
    path = file.path
    let configuration = configuration.resolved(as: path)
    self.configuration = configuration
    identity = FileIdentity(files: file.files)
    let (first, second) = try DatabaseFile(
      identity: identity, configuration: configuration, schema: schema
    ).open()
    recorder = TransactionRecorder(schema: schema)
    try recorder.install(on: first)
    try recorder.install(on: second)
    let front = try Snapshot(first, schema: schema, line: line, identity: identity)
    let back = try Snapshot(second, schema: schema, line: line, identity: identity)
    signal = configuration.isReadOnly ? nil : CommitSignal(databasePath: path)
    let turn = Turn()
    let scheduler = scheduler
    let path = path
    coordinator = Coordinator(
      front: front, back: back, schema: schema,
      requestTurn: { scheduler.schedule { turn.take() } },
      requestCalculation: { CommitWatcher.shared.wake(path: path) })
    try front.open()
    readLogState()
    identity.noteLog(coordinator.index)
    try identity.check()
    coordinator.commits = Coordinator.Commits()
    turn.store = self
    recorder.store = self
    probeReference = probe.map(Unmanaged.passUnretained)
    do {
      let coordinator = coordinator
      watch = try CommitWatcher.shared.subscribe(
        path: path, rest: { [weak coordinator] in coordinator?.rest ?? 0 },
        handler: { [weak coordinator] event in coordinator?.handle(event) ?? .upToDate })
    } catch {
      throw StoreError(.fileAccess, "“\(path)” \(error.description).")
    }
    // What was committed before the subscription stood caused no event.
    CommitWatcher.shared.wake(path: path)
    if ChangeLog.isExhausted(at: coordinator.version) { beginLogAnew() }
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
    // Never calculates: it only keeps the collections.
    coordinator = Coordinator(
      front: frozen.snapshot, back: frozen.snapshot, schema: source.schema,
      requestTurn: {}, requestCalculation: {})
    probe = nil
  }

  deinit {
    letGo()
  }

  /// Lets go of the file. Collections and objects of the store must not be used any more; its tokens are
  /// ended.
  ///
  /// Allowed in a callback: those that were to be called after it are not. An open write is cancelled. A
  /// frozen store, which other threads may be reading, lets go of its version when it and all that came from
  /// it are gone, and closing it does nothing; nor are the frozen copies of a store closed with it.
  public func close() {
    confinement.require()
    letGo()
  }

  private func letGo() {
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
      _ = coordinator.back.connection.executeResult("ROLLBACK")
      endLogGuard()
      isInWriteTransaction = false
    }
    forgetAllRows()
    recorder.uninstall()
    coordinator.closeSnapshots()
  }

  /// Finds where commits are told; without that snapshots tell, and the log is kept short by counting
  /// commits.
  private func readLogState() {
    coordinator.index = try? WALIndex(front.connection)
  }

  /// Whether commits of other processes are seen up to a tenth of a second late, because they are looked for
  /// ten times a second: the system does not let the user watch any more files (see
  /// `fs.inotify.max_user_instances` and `fs.inotify.max_user_watches` in sysctl), or not this folder.
  ///
  /// False as soon as it does.
  public var isPolling: Bool { watch?.isPolling ?? false }

  /// What the instance shows now.
  var state: StoreState {
    requireSnapshot()
    return StoreState(version: front.version, touches: recorder.touches)
  }

  var front: Snapshot { coordinator.front }
  /// Rows of the version shown, for objects and collections.
  var reader: RowReader { frozen?.reader ?? front.instance }
  var connection: Connection { coordinator.front.connection }
}

/// Lets a scheduler, from any thread, have a store take its turn on its own.
private final class Turn: @unchecked Sendable {
  // Set once, before anybody can call; read where the scheduler calls, which is where the store is used.
  weak var store: Store?

  func take() {
    store?.processNotifications()
  }
}
