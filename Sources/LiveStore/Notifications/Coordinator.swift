/// The state that an instance and its worker share: the two snapshots, the collections, their observers, and
/// the phase of the delivery.
///
/// The instance shows the *front* snapshot. After a commit, the worker opens the newest version on the *back*
/// one, calculates the delivery and leaves it pending. The instance takes it on its next turn, and the
/// snapshots are swapped. The worker does not look again before that, so that there is never more than one
/// delivery pending and every calculation starts from the version shown.
final class Coordinator: @unchecked Sendable {
  // Everything below `lock` is guarded by it, except as noted there.

  let schema: Schema
  /// Whether the instance advances by itself, so that it can have observers.
  let followsCommits: Bool
  let requestTurn: @Sendable () -> Void
  /// Requests that the worker look for commits.
  let requestCalculation: @Sendable () -> Void

  /// The index in shared memory that shows commits; `nil` for a frozen store, and where it is unavailable.
  /// Set before the worker is called, and released after the last call.
  var index: WALIndex?
  /// The commits looked for, used by the watcher's calls only; set before the first, and released after the
  /// last.
  var commits: Commits?
  /// The number of times that the worker has tried, at one version, to let the log restart; used by the
  /// worker only.
  var renewals: (version: Int64, count: Int) = (0, 0)

  let lock = Monitor()
  var state = DeliveryState<Delivery>()
  /// Whether the worker last found several versions at once.
  var isBehind = false

  // Changed in phase `held` only, and read in phase `calculating`; the history is also changed at the end of
  // phase `calculating`.
  var front: Snapshot
  /// The back snapshot; `nil` until it is first needed.
  var openedBack: Snapshot?
  private let openBack: () throws(StoreError) -> Snapshot
  /// The snapshot that becomes the back one when frozen copies still show the front one that is left.
  var spare: Snapshot?
  var history = TransitionHistory()
  /// The state of the instance when it released its snapshot; `nil` while it has one.
  var givenUp: GivenUpSnapshot?

  // Changed by the instance only, under the lock.
  /// Whether something was read with Swift's Observation whose readers have yet to be notified.
  var isTracked = false
  /// Whether the store itself has observers, which are notified of changes of version.
  var hasStoreObservers = false
  /// Whether the instance has found, or received, a failure to read the file.
  var hasFailed = false
  /// Whether a turn may advance to a newer version.
  var advances = true
  /// The newest version of which the instance was notified without advancing to it.
  var announcedVersion: Int64 = .min
  var collections: [Weak<LiveQuery>] = []
  var results: [Weak<MaintainedResult>] = []
  var subscriptions = SubscriptionList()

  /// - Parameters:
  ///   - back: The back snapshot, unless it is opened when it is needed.
  ///   - openBack: Opens the back snapshot.
  init(
    front: Snapshot, back: Snapshot?, openBack: @escaping () throws(StoreError) -> Snapshot, schema: Schema,
    followsCommits: Bool,
    requestTurn: @escaping @Sendable () -> Void, requestCalculation: @escaping @Sendable () -> Void
  ) {
    self.front = front
    openedBack = back
    self.openBack = openBack
    self.schema = schema
    self.followsCommits = followsCommits
    self.requestTurn = requestTurn
    self.requestCalculation = requestCalculation
  }

  /// The back snapshot, opened if it is needed for the first time.
  var back: Snapshot {
    get throws(StoreError) {
      if let openedBack { return openedBack }
      let snapshot = try openBack()
      openedBack = snapshot
      return snapshot
    }
  }

  /// Keeps the worker from calculating until ``resume(look:)``, after waiting for a calculation in progress.
  /// Calls may be nested.
  func hold() {
    lock.withLock {
      state.hold()
      while state.phase == .calculating { lock.wait() }
    }
  }

  /// Holds if no calculation is in progress; returns whether it did.
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

  /// Takes the pending delivery, which the caller must deliver or drop; in phase `held`.
  func takePending() -> Delivery? {
    lock.withLock { state.takePending() }
  }

  /// Ends all calculation and releases the callbacks; afterwards the snapshots belong to the caller.
  func close() {
    let ended = lock.withLock { () -> [(SubscriptionState, ((Subscription.Event) -> Void)?)] in
      while state.phase == .calculating { lock.wait() }
      state.close()
      return subscriptions.removeAll().map { ($0.state, $0.removeNotify()) }
    }
    for (state, _) in ended { state.end() }
    commits = nil
    index = nil
    // A callback retains its collection and so the store, which would never be released. Outside the lock:
    // the objects that it holds may run any code when they are released.
    withExtendedLifetime(ended) {}
  }
}
