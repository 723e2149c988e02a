/// What an instance and its worker share: the two snapshots, the collections, their observers, and who may
/// calculate.
///
/// The instance shows the *front* snapshot. When something was committed, the worker opens the newest version
/// on the *back* one, calculates how to get there and leaves that pending; the instance takes it on its next
/// turn and the two snapshots change places. The worker does not look again before that, so that there is
/// never more than one delivery pending and every calculation starts from what the instance shows.
final class Coordinator: @unchecked Sendable {
  // Everything below `lock` is guarded by it, except as is said there.

  let schema: Schema
  /// Has the instance take a turn.
  let requestTurn: @Sendable () -> Void
  /// Has the worker look for commits.
  let requestCalculation: @Sendable () -> Void

  /// Where commits are seen; `nil` for a frozen store, and where that is not known. Set before the worker is
  /// called, and let go of when it no longer is.
  var index: WALIndex?
  /// Used where the watcher calls only; set before it does, and let go of when it no longer does.
  var commits: Commits?
  /// How often the worker has tried, at one version, to let the log start anew; used by it only.
  var renewals: (version: Int64, count: Int) = (0, 0)

  let lock = Monitor()
  var state = DeliveryState<Delivery>()
  /// Whether the worker last found several versions at once.
  var isBehind = false

  // Changed in phase `held` only, and read in phase `calculating`; the history at the end of phase
  // `calculating` too.
  var front: Snapshot
  var back: Snapshot
  /// Becomes the back snapshot when the front one is left but still shown by frozen copies.
  var spare: Snapshot?
  var history = TransitionHistory()
  /// What the instance showed when it gave its snapshot up, as long as it has none.
  var givenUp: GivenUpSnapshot?

  // Changed by the instance only, under the lock.
  /// Whether somebody has read something with Swift's Observation, and so has to be told what changes.
  var isTracked = false
  /// Whether the store itself has observers, who are told that its version is another.
  var hasStoreObservers = false
  /// Whether the instance has found, or been told, that the file cannot be read.
  var hasFailed = false
  /// Whether a turn may go to a newer version.
  var advances = true
  /// The newest version that the instance has been told of without going there.
  var announcedVersion: Int64 = .min
  var collections: [WeakLiveQuery] = []
  var subscriptions = SubscriptionList()

  init(
    front: Snapshot, back: Snapshot, schema: Schema,
    requestTurn: @escaping @Sendable () -> Void, requestCalculation: @escaping @Sendable () -> Void
  ) {
    self.front = front
    self.back = back
    self.schema = schema
    self.requestTurn = requestTurn
    self.requestCalculation = requestCalculation
  }

  // MARK: Taking over (instance)

  /// Keeps the worker from calculating until ``resume(look:)``, waiting for a calculation under way. May be
  /// nested.
  func hold() {
    lock.withLock {
      state.hold()
      while state.phase == .calculating { lock.wait() }
    }
  }

  /// Does the same when no calculation is under way.
  func holdIfIdle() -> Bool {
    lock.withLock { state.holdIfIdle() }
  }

  /// Lets the worker calculate again, and has it look if there were commits meanwhile.
  func resume(look: Bool = false) {
    perform(lock.withLock { state.resume(look: look) })
  }

  func perform(_ action: DeliveryState<Delivery>.Action) {
    switch action {
    case .none: break
    case .requestLook: requestCalculation()
    case .requestTurn: requestTurn()
    }
  }

  func setHasFailed(_ hasFailed: Bool) {
    lock.withLock { self.hasFailed = hasFailed }
  }

  /// Has the worker look, whether or not there was a commit.
  func lookAgain() {
    requestCalculation()
  }

  /// The pending delivery, which the caller must deliver or give up; in phase `held`.
  func takePending() -> Delivery? {
    lock.withLock { state.takePending() }
  }

  /// Ends all calculation and lets go of the callbacks; afterwards the snapshots belong to the caller.
  func close() {
    let ended = lock.withLock { () -> [(SubscriptionState, ((Subscription.Event) -> Void)?)] in
      while state.phase == .calculating { lock.wait() }
      state.close()
      return subscriptions.removeAll().map { ($0.state, $0.removeNotify()) }
    }
    for (state, _) in ended { state.end() }
    commits = nil
    index = nil
    // A callback keeps its collection and so the store, which would never go. Outside the lock: what it holds
    // may do anything when it goes.
    withExtendedLifetime(ended) {}
  }
}
