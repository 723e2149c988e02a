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
  private let lock = Monitor()
  private var phase = Phase.idle
  private var holds = 0
  /// Whether the worker was told of a commit that it has not looked at.
  private var isDirty = false
  private var pending: Delivery?
  /// Has the instance take a turn.
  private let requestTurn: @Sendable () -> Void
  /// Has the worker look for commits.
  private let requestCalculation: @Sendable () -> Void

  // Changed in phase `held` only.
  private(set) var front: Snapshot
  private(set) var back: Snapshot
  /// Becomes the back snapshot when the front one is left but still shown by frozen copies.
  private var spare: Snapshot?
  var history: [Transition] = []

  // Changed by the instance only, under the lock.
  private var collections: [WeakLiveQuery] = []
  private var subscriptions: [Subscription] = []
  private var lastSubscription: UInt64 = 0

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
  func setTree(_ tree: RankTree?, of live: LiveQuery) {
    lock.withLock { live.tree = tree }
  }

  func addSubscription(
    to live: LiveQuery, notify: @escaping (Subscription.Event) -> Void
  ) -> SubscriptionState {
    let state = SubscriptionState(onEnd: { [weak self] in self?.subscriptionEnded() })
    lock.withLock {
      lastSubscription += 1
      if live.registration == nil { live.registration = lastSubscription }
      subscriptions.append(Subscription(id: lastSubscription, live: live, state: state, notify: notify))
    }
    requestCalculation()
    return state
  }

  /// The live subscriptions, those of one collection together, in the order of their registration.
  func liveSubscriptions() -> [Subscription] {
    lock.withLock { subscriptions.filter(\.state.isLive) }
      .sorted { ($0.live.registration ?? 0, $0.id) < ($1.live.registration ?? 0, $1.id) }
  }

  private func subscriptionEnded() {
    // The callback and what it holds are let go by the instance, on the thread that they belong to.
    requestTurn()
  }

  /// Lets go of callbacks whose tokens are gone.
  func removeEndedSubscriptions() {
    let ended = lock.withLock { () -> [((Subscription.Event) -> Void)?] in
      guard subscriptions.contains(where: { !$0.state.isLive }) else { return [] }
      let ended = subscriptions.filter { !$0.state.isLive }
      subscriptions.removeAll { !$0.state.isLive }
      for subscription in ended
      where !subscriptions.contains(where: { $0.live === subscription.live }) {
        subscription.live.registration = nil
      }
      return ended.map { $0.removeNotify() }
    }
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
      } else if delivery.version != front.version {
        // An order that was asked for while the calculation ran belongs to the version that is left now.
        for collection in collections { collection.live?.tree = nil }
        exchange()
      }
      for (live, tree) in delivery.trees { live.tree = tree }
    }
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
    let ended = lock.withLock { () -> [((Subscription.Event) -> Void)?] in
      while phase == .calculating { lock.wait() }
      phase = .closed
      pending = nil
      defer { subscriptions = [] }
      return subscriptions.map { $0.removeNotify() }
    }
    // A callback keeps its collection and so the store, which would never go. Outside the lock: what it holds may do
    // anything when it goes.
    withExtendedLifetime(ended) {}
  }

  private func makeInput() -> CalculationInput {
    CalculationInput(
      schema: schema, version: front.version ?? 0, history: history,
      collections: collections.compactMap { $0.live.map { .init(live: $0, tree: $0.tree) } },
      observers: subscriptions.filter(\.state.isLive)
        .sorted { ($0.live.registration ?? 0, $0.id) < ($1.live.registration ?? 0, $1.id) }
        .map { .init(subscription: $0, base: $0.base) })
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
    var isNewVersion = false
    do throws(StoreError) {
      let version = try back.open()
      isNewVersion = version != input.version
      if isNewVersion || input.hasUninformedObservers {
        let calculated = try input.calculate(old: front, new: back, newVersion: version)
        if isNewVersion || !calculated.calls.isEmpty {
          delivery = calculated
        }
      } else if renewals.version != version || renewals.count < 4, isLogLong {
        // The snapshots change places once more, now that the new one needs nothing of the log. Others may have to move on
        // before that is so; they do when they look, as this instance does, some time after the last commit.
        renewals = (version, renewals.version == version ? renewals.count + 1 : 1)
        if try back.openBesideLog() == version {
          delivery = Delivery(
            version: version, isRenewal: true, changes: RowChanges(schema: schema), trees: [], calls: [])
        }
      }
    } catch {
      delivery = Delivery(
        version: input.version, changes: RowChanges(schema: schema), trees: [],
        calls: input.observers.map { ($0.subscription, .error(error)) })
    }
    if delivery == nil { back.close() }
    endCalculation(delivery)
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
      subscriptions.contains { $0.base == nil && $0.live.tree == nil && $0.state.isLive }
    }
  }

  private func beginCalculation() -> CalculationInput? {
    lock.withLock {
      guard phase == .idle, pending == nil else {
        isDirty = true
        return nil
      }
      phase = .calculating
      isDirty = false
      return makeInput()
    }
  }

  private func endCalculation(_ delivery: Delivery?) {
    let mustLook = lock.withLock { () -> Bool in
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

extension CalculationInput {
  /// Whether an observer waits for its first call, or has yet to hear of a step that the instance has made.
  var hasUninformedObservers: Bool { !uninformedObservers.isEmpty }

  fileprivate var uninformedObservers: [Observer] {
    let newest = history.last?.version ?? .min
    return observers.filter { observer in observer.base.map { $0.version < newest } ?? true }
  }
}

extension Delivery {
  /// Whether it calls every observer that waits for a call.
  func informsAll(of input: CalculationInput) -> Bool {
    let called = Set(calls.map { ObjectIdentifier($0.subscription) })
    return input.uninformedObservers.allSatisfy { called.contains(ObjectIdentifier($0.subscription)) }
  }
}

private struct WeakLiveQuery {
  weak var live: LiveQuery?
}

/// A mutex that can be waited on.
private final class Monitor: @unchecked Sendable {
  // The memory holds the mutex and the condition at fixed addresses, as their functions require.

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    condition.deallocate()
  }

  func withLock<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Lets go of the lock, which the caller has, until another thread calls ``wakeAll()``.
  func wait() {
    pthread_cond_wait(condition, mutex)
  }

  func wakeAll() {
    pthread_cond_broadcast(condition)
  }
}
