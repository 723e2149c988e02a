/// The subscriptions of an instance, in the order in which their callbacks are called: those to the same
/// thing together, the things in the order in which they were first observed.
struct SubscriptionList {
  private var all: [Subscription] = []
  private var last: UInt64 = 0
  /// The number of the first subscription to each thing, and the count of its subscriptions.
  private var groups: [ObservedIdentity: (number: UInt64, count: Int)] = [:]
  /// The counts of the subscriptions to collections: different things may be observed of one.
  private var collections: [ObjectIdentifier: Int] = [:]

  /// Whether there are none, not even one whose token is gone and that has not been removed.
  var isEmpty: Bool { all.isEmpty }

  var live: [Subscription] { all.filter(\.state.isLive) }

  /// Whether a subscription whose token lives satisfies the predicate.
  func containsLive(where predicate: (Subscription) -> Bool) -> Bool {
    all.contains { $0.state.isLive && predicate($0) }
  }

  /// - Complexity: O(log n) to find the position, O(n) to insert.
  mutating func add(
    _ observed: any Observed, base: Subscription.Base?, movesBase: Bool, state: SubscriptionState,
    notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    last += 1
    let group = groups[observed.identity]?.number ?? last
    groups[observed.identity, default: (group, 0)].count += 1
    if let live = observed.live {
      collections[ObjectIdentifier(live), default: 0] += 1
      if live.registration == nil { live.registration = group }
    }
    let subscription = Subscription(
      id: last, group: group, observed: observed, base: base, movesBase: movesBase, state: state,
      notify: notify)
    all.insert(subscription, at: end(of: group))
    return subscription
  }

  /// Removes the subscriptions whose tokens are gone, and returns them.
  ///
  /// - Complexity: O(n).
  mutating func removeEnded() -> [Subscription] {
    guard all.contains(where: { !$0.state.isLive }) else { return [] }
    let ended = all.filter { !$0.state.isLive }
    // Compared by identity: a second check of the tokens might find more.
    let gone = Set(ended.map(\.id))
    all.removeAll { gone.contains($0.id) }
    for observed in ended.map(\.observed) {
      groups[observed.identity]?.count -= 1
      if groups[observed.identity]?.count == 0 { groups[observed.identity] = nil }
      guard let live = observed.live else { continue }
      let id = ObjectIdentifier(live)
      collections[id]? -= 1
      guard collections[id] == 0 else { continue }
      collections[id] = nil
      live.registration = nil
    }
    return ended
  }

  mutating func removeAll() -> [Subscription] {
    defer {
      all = []
      (groups, collections) = ([:], [:])
    }
    return all
  }

  /// The index after the subscriptions of a group and of those before it.
  private func end(of group: UInt64) -> Int {
    var low = 0
    var high = all.count
    while low < high {
      let middle = (low + high) / 2
      if all[middle].group > group { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
