import Glibc

/// What an instance and its worker share: the two snapshots, the collections, their observers, and who may calculate.
///
/// The instance shows the *front* snapshot. When something was committed, the worker opens the newest version on the
/// *back* one, calculates how to get there and leaves that pending; the instance takes it on its next turn and the two
/// snapshots change places. The worker does not look again before that, so that there is never more than one delivery
/// pending and every calculation starts from what the instance shows.
final class Coordinator: @unchecked Sendable {
  // Everything below `lock` is guarded by it, except as `Phase` says.

  /// Who may use the snapshots for calculating, and change what a calculation reads.
  private enum Phase {
    case idle
    /// The worker reads both snapshots; the instance goes on reading the front one.
    case calculating
    /// The instance has both snapshots, and everything here, to itself.
    case held
    case closed
  }

  let schema: Schema
  private let logPath: String
  /// How often the worker has tried, at one version, to let the log start anew; used by it only.
  private var renewals: (version: Int64, count: Int) = (0, 0)
  /// Used on the watcher's thread only; set before the watcher calls, and let go of when it no longer does.
  var commits: Commits?
  let lock = Monitor()
  private var phase = Phase.idle
  private var holds = 0
  /// Whether the worker was told of a commit that it has not looked at.
  private var isDirty = false
  private var pending: Delivery?
  /// Has the instance take a turn.
  let requestTurn: @Sendable () -> Void
  /// Has the worker look for commits.
  let requestCalculation: @Sendable () -> Void

  // Changed in phase `held` only; the history at the end of phase `calculating` too.
  private(set) var front: Snapshot
  private(set) var back: Snapshot
  /// Becomes the back snapshot when the front one is left but still shown by frozen copies.
  private var spare: Snapshot?
  var history = TransitionHistory()
  /// What the instance showed when it gave its snapshot up, as long as it has none.
  var givenUp: GivenUpSnapshot?

  // Changed by the instance only, under the lock.
  /// Whether a turn may go to a newer version.
  var advances = true
  /// The newest version that the instance has been told of without going there.
  var announcedVersion: Int64 = .min
  private(set) var collections: [WeakLiveQuery] = []
  private(set) var subscriptions = SubscriptionList()

  init(
    front: Snapshot, back: Snapshot, schema: Schema, logPath: String,
    requestTurn: @escaping @Sendable () -> Void, requestCalculation: @escaping @Sendable () -> Void
  ) {
    self.front = front
    self.back = back
    self.schema = schema
    self.logPath = logPath
    self.requestTurn = requestTurn
    self.requestCalculation = requestCalculation
  }

  // MARK: Collections and observers (instance)

  func add(_ live: LiveQuery) {
    lock.withLock {
      if collections.count >= 32, collections.count.nonzeroBitCount == 1 {
        collections.removeAll { $0.live == nil }
      }
      collections.append(WeakLiveQuery(live: live))
    }
  }

  /// Sets a collection's order, which the worker may be reading.
  func setTree(_ tree: CollectionTree?, of live: LiveQuery) {
    lock.withLock { live.tree = tree }
  }

  /// Adds a callback.
  ///
  /// - Parameters:
  ///   - base: What it knows already; without it, it is first told of what there is.
  ///   - movesBase: Whether a call means that it knows the version delivered.
  ///   - state: What its token shares with it, if that exists already.
  func addSubscription(
    to observed: any Observed, base: Subscription.Base? = nil, movesBase: Bool = true,
    state: SubscriptionState? = nil, notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    let state = state ?? SubscriptionState(onEnd: { [weak self] in self?.subscriptionEnded() })
    let subscription = lock.withLock {
      subscriptions.add(observed, base: base, movesBase: movesBase, state: state, notify: notify)
    }
    requestCalculation()
    return subscription
  }

  /// The version that the instance shows, or showed when it gave its snapshot up.
  var version: Int64 { front.version ?? givenUp?.version ?? 0 }

  /// Adds a step to the history; outside of phase `held`.
  func appendToHistory(_ transition: Transition) {
    hold()
    history.append(transition)
    resume()
  }

  /// Says whether a callback may be called. From any thread.
  ///
  /// A callback that may not be called is left out of every delivery. It costs memory meanwhile: for each row that has
  /// changed since it was last called, the values that the row had then.
  func setAsking(_ isAsking: Bool, of subscription: Subscription) {
    let mustLook = lock.withLock {
      defer { subscription.isAsking = isAsking }
      return isAsking && !subscription.isAsking
    }
    if mustLook { requestCalculation() }
  }

  /// The live subscriptions, those of one thing together, in the order of their registration.
  func liveSubscriptions() -> [Subscription] {
    lock.withLock { subscriptions.live }
  }

  private func subscriptionEnded() {
    // The callback and what it holds are let go by the instance, on the thread that they belong to.
    requestTurn()
  }

  /// Lets go of callbacks whose tokens are gone.
  func removeEndedSubscriptions() {
    let ended = lock.withLock { subscriptions.removeEnded().map { $0.removeNotify() } }
    // Outside the lock: what a callback holds may do anything when it goes.
    withExtendedLifetime(ended) {}
  }

  func liveCollections() -> [LiveQuery] {
    lock.withLock { collections.compactMap(\.live) }
  }

  // MARK: Taking over (instance)

  /// Keeps the worker from calculating until ``resume()``, waiting for a calculation under way. May be nested.
  func hold() {
    lock.withLock {
      holds += 1
      guard holds == 1 else { return }
      while phase == .calculating { lock.wait() }
      if phase == .idle { phase = .held }
    }
  }

  /// Does the same when no calculation is under way.
  func holdIfIdle() -> Bool {
    lock.withLock {
      guard phase == .idle || phase == .held else { return false }
      holds += 1
      if phase == .idle { phase = .held }
      return true
    }
  }

  /// Lets the worker calculate again, and has it look if there were commits meanwhile.
  func resume(look: Bool = false) {
    let mustLook = lock.withLock { () -> Bool in
      holds -= 1
      guard holds == 0, phase == .held else {
        isDirty = isDirty || look
        return false
      }
      phase = .idle
      let mustLook = (isDirty || look) && pending == nil
      if mustLook { isDirty = false }
      return mustLook
    }
    if mustLook { requestCalculation() }
  }

  /// Has the worker look, whether or not there was a commit.
  func lookAgain() {
    requestCalculation()
  }

  /// The pending delivery, which the caller must deliver or give up; in phase `held`.
  func takePending() -> Delivery? {
    lock.withLock {
      defer { pending = nil }
      return pending
    }
  }

  /// What the instance shows, as input of a calculation; in phase `held`.
  func input() -> CalculationInput {
    lock.withLock { makeInput() }
  }

  /// Puts a delivery's orders in place and, if it has another version, lets the snapshots change places; in phase
  /// `held`.
  func adopt(_ delivery: Delivery) {
    lock.withLock {
      if delivery.isRenewal {
        exchange()
      } else if delivery.version != version {
        // An order that was asked for while the calculation ran belongs to the version that is left now.
        for collection in collections { collection.live?.tree = nil }
        exchange()
      }
      for (live, tree) in delivery.trees { live.tree = tree }
    }
  }

  /// What the live subscriptions know: the versions of their bases.
  func bases() -> [Int64] {
    lock.withLock { subscriptions.live.compactMap { $0.base?.version } }
  }

  /// Whether a delivery leaves observers behind, at least until its calls have been made.
  func leavesBehind(_ delivery: Delivery) -> Bool {
    guard delivery.calls.isEmpty else { return true }
    let informed = Set(delivery.unaffected.map { ObjectIdentifier($0) })
    return lock.withLock {
      subscriptions.live.contains { $0.base != nil && !informed.contains(ObjectIdentifier($0)) }
    }
  }

  /// Whether an event may be told now: errors always may.
  func mayCall(_ subscription: Subscription, _ event: Subscription.Event) -> Bool {
    guard subscription.state.isLive else { return false }
    if case .error = event { return true }
    return lock.withLock { subscription.isAsking }
  }

  /// Lets the snapshots change places without a new version; in phase `held`.
  func swapSnapshots() {
    lock.withLock { exchange() }
  }

  private func exchange() {
    swap(&front, &back)
    replaceBackIfPinned()
  }

  /// Leaves a snapshot that frozen copies show to them.
  func replaceBackIfPinned() {
    guard back.isPinned, let spare else { return }
    back = spare
    self.spare = nil
  }

  var hasSpare: Bool { spare != nil }

  /// Provides what takes the place of a snapshot that is about to be pinned.
  func setSpare(_ snapshot: Snapshot) {
    spare = snapshot
  }

  /// Gives up what no frozen copy shows, after ``close()``.
  func closeSnapshots() {
    if !front.isPinned { front.close() }
    back.close()
    spare = nil
  }

  /// Sets the state that a callback knows.
  func setBase(_ base: Subscription.Base?, of subscription: Subscription) {
    lock.withLock { subscription.base = base }
  }

  /// Ends all calculation and lets go of the callbacks; afterwards the snapshots belong to the caller.
  func close() {
    let ended = lock.withLock { () -> [(SubscriptionState, ((Subscription.Event) -> Void)?)] in
      while phase == .calculating { lock.wait() }
      phase = .closed
      pending = nil
      return subscriptions.removeAll().map { ($0.state, $0.removeNotify()) }
    }
    for (state, _) in ended { state.end() }
    commits = nil
    // A callback keeps its collection and so the store, which would never go. Outside the lock: what it holds may do
    // anything when it goes.
    withExtendedLifetime(ended) {}
  }

  private func makeInput() -> CalculationInput {
    CalculationInput(
      schema: schema, version: version, history: history,
      isObserved: !subscriptions.live.isEmpty,
      collections: collections.compactMap { $0.live.map { .init(live: $0, tree: $0.tree) } },
      observers: subscriptions.live.filter(\.isAsking).map { .init(subscription: $0, base: $0.base) })
  }

  // MARK: Calculating (worker)

  /// Looks for commits and calculates what they mean for the instance. Called by one thread at a time, the worker.
  ///
  /// - Returns: Whether there was a new version. While one is pending, or the instance has the snapshots to itself, nobody
  ///   looks; the instance asks for it when it is done.
  @discardableResult
  func look() -> Bool {
    guard let input = beginCalculation() else { return false }
    var delivery: Delivery?
    var unaffected: Delivery?
    var isNewVersion = false
    do throws(StoreError) {
      let version = try back.open()
      isNewVersion = version != input.version
      let standsStill = isNewVersion && self.standsStill
      if standsStill { isNewVersion = !isAnnounced(version) }
      if isNewVersion || input.hasUninformedObservers {
        let calculated =
          standsStill
          ? try calculateInPlace(input, newerVersion: isNewVersion ? version : nil)
          : try input.calculate(old: front, new: back, newVersion: version)
        if isNewVersion || !calculated.calls.isEmpty {
          delivery = calculated
        } else {
          unaffected = calculated
        }
      } else if renewals.version != version || renewals.count < 4, isLogLong {
        // The snapshots change places once more, now that the new one needs nothing of the log. Others may have to move on
        // before that is so; they do when they look, as this instance does, some time after the last commit.
        renewals = (version, renewals.version == version ? renewals.count + 1 : 1)
        if try back.openBesideLog() == version {
          delivery = Delivery(version: version, isRenewal: true, changes: RowChanges(schema: schema))
        }
      }
    } catch {
      delivery = Delivery(
        version: input.version, changes: RowChanges(schema: schema),
        calls: liveSubscriptions().map { ($0, .error(error)) })
    }
    if delivery == nil { back.close() }
    endCalculation(delivery, unaffected: unaffected)
    return isNewVersion
  }

  /// Whether the write-ahead log is longer than SQLite lets it become when nobody reads (1,000 pages).
  var isLogLong: Bool {
    var status = stat()
    return stat(logPath, &status) == 0 && status.st_size > 4_200_000
  }

  /// Whether the next calculation fills a collection, which may take long.
  var wouldFill: Bool {
    lock.withLock {
      subscriptions.live.contains { subscription in
        guard let live = subscription.observed.live else { return false }
        return subscription.base == nil && live.tree == nil
      }
    }
  }

  private func beginCalculation() -> CalculationInput? {
    let (input, mustTurn) = lock.withLock { () -> (CalculationInput?, Bool) in
      guard phase == .idle, pending == nil else {
        isDirty = true
        return (nil, false)
      }
      // A process may be stopped at any moment. It must not hold a snapshot then, so it is left to the instance to look.
      guard givenUp == nil else { return (nil, true) }
      phase = .calculating
      isDirty = false
      return (makeInput(), false)
    }
    if mustTurn { requestTurn() }
    return input
  }

  private func endCalculation(_ delivery: Delivery?, unaffected: Delivery?) {
    let mustLook = lock.withLock { () -> Bool in
      if let unaffected {
        // Nobody has to be called, so that the instance need not be woken; but the steps that brought nothing new to these
        // observers must not be looked at again and again.
        let trees = unaffected.trees.reduce(into: [:]) { $0[ObjectIdentifier($1.live)] = $1.tree }
        for subscription in unaffected.unaffected {
          let tree = subscription.observed.live.flatMap { trees[ObjectIdentifier($0)] }
          subscription.base = Subscription.Base(
            version: unaffected.version, tree: tree, sections: subscription.base?.sections)
        }
        // The instance does not touch the history before this calculation has ended.
        history.trim(bases: subscriptions.live.compactMap { $0.base?.version })
      }
      phase = holds > 0 ? .held : .idle
      pending = delivery
      lock.wakeAll()
      let mustLook = isDirty && delivery == nil && holds == 0
      if mustLook { isDirty = false }
      return mustLook
    }
    if delivery != nil { requestTurn() }
    if mustLook { requestCalculation() }
  }
}

struct WeakLiveQuery {
  weak var live: LiveQuery?
}
