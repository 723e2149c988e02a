/// The subscriptions of an instance, in the order in which their callbacks are called: those of one thing
/// together, the things in the order in which they were first observed.
struct SubscriptionList {
  private var all: [Subscription] = []
  private var last: UInt64 = 0
  /// For each thing observed, the number of its first subscription and how many it has.
  private var groups: [ObservedIdentity: (number: UInt64, count: Int)] = [:]

  /// Whether there are none, also none whose token is gone but which has not been removed.
  var isEmpty: Bool { all.isEmpty }

  /// Those whose tokens live.
  var live: [Subscription] { all.filter(\.state.isLive) }

  /// Whether one whose token lives is like that.
  func containsLive(where predicate: (Subscription) -> Bool) -> Bool {
    all.contains { $0.state.isLive && predicate($0) }
  }

  /// - Complexity: O(log n) to find the place, O(n) to make it.
  mutating func add(
    _ observed: any Observed, base: Subscription.Base?, movesBase: Bool, state: SubscriptionState,
    notify: @escaping (Subscription.Event) -> Void
  ) -> Subscription {
    last += 1
    let group = groups[observed.identity]?.number ?? last
    groups[observed.identity, default: (group, 0)].count += 1
    if let live = observed.live, live.registration == nil { live.registration = group }
    let subscription = Subscription(
      id: last, group: group, observed: observed, base: base, movesBase: movesBase, state: state,
      notify: notify)
    all.insert(subscription, at: end(of: group))
    return subscription
  }

  /// Removes those whose tokens are gone.
  mutating func removeEnded() -> [Subscription] {
    guard all.contains(where: { !$0.state.isLive }) else { return [] }
    let ended = all.filter { !$0.state.isLive }
    // Asked once more, more of them might have ended.
    let gone = Set(ended.map(\.id))
    all.removeAll { gone.contains($0.id) }
    for observed in ended.map(\.observed) {
      groups[observed.identity]?.count -= 1
      guard groups[observed.identity]?.count == 0 else { continue }
      groups[observed.identity] = nil
      guard let live = observed.live, !all.contains(where: { $0.observed.live === live }) else { continue }
      live.registration = nil
    }
    return ended
  }

  mutating func removeAll() -> [Subscription] {
    defer {
      all = []
      groups = [:]
    }
    return all
  }

  /// The index behind the subscriptions of a group and of those before it.
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
