/// How iterations, and collections in sections, follow the store.
extension Store {
  /// Keeps an iteration in mind until it ends, for ``readIteratedOrders()``.
  func add(_ iteration: Iteration) {
    // A frozen store does not change, and more than one thread may iterate there.
    guard !isFrozen else { return }
    iterations.removeAll { $0.iteration == nil }
    iterations.append(WeakIteration(iteration: iteration))
  }

  /// Has iterations go on with what there is now; to be called before the store changes.
  func readIteratedOrders() {
    guard !iterations.isEmpty else { return }
    for weak in iterations { weak.iteration?.readWhole() }
    iterations = []
  }

  func add(_ collection: SectionedCollection) {
    // A frozen store, which several threads may be using, has nothing to follow.
    if isFrozen { return }
    sections[ObjectIdentifier(collection)] = WeakSections(collection: collection)
  }

  func removeSections(_ id: ObjectIdentifier) {
    if isFrozen { return }
    sections[id] = nil
  }

  func liveSections() -> [SectionedCollection] {
    sections.isEmpty ? [] : sections.values.compactMap(\.collection)
  }

  /// The sections that a callback observes, if it observes any.
  func sections(of subscription: Subscription) -> SectionedCollection? {
    subscription.observed.sections.flatMap { sections[$0]?.collection }
  }

  /// Brings sections to the version of a delivery, which the store shows now, before anybody is told of it.
  func advanceSections(to delivery: Delivery, isNewVersion: Bool) {
    guard !sections.isEmpty else { return }
    // What makes the section keys must not set off another delivery.
    let wasDelivering = isDelivering
    isDelivering = true
    defer { isDelivering = wasDelivering }
    if isNewVersion {
      for collection in liveSections() {
        collection.advance(by: delivery.members[ObjectIdentifier(collection.ranked.live)])
      }
    }
    for (subscription, _) in delivery.calls { sections(of: subscription)?.fill() }
    removeUnusedSectionKeys()
  }

  /// An event as a callback is told of it, once the sections that it is about are known.
  ///
  /// - Parameter known: The sections that the callback last knew.
  func told(
    _ event: Subscription.Event, to subscription: Subscription, known: SectionTree?
  ) -> Subscription.Event {
    guard case .members(let members) = event, let known, let current = sections(of: subscription)?.committed
    else { return event }
    return .sections(SectionDifference(old: known, new: current, members: members))
  }

  private func removeUnusedSectionKeys() {
    let collections = liveSections().filter(\.hasManyKeys)
    guard !collections.isEmpty else { return }
    var known: [ObjectIdentifier: [SectionTree]] = [:]
    for subscription in coordinator.liveSubscriptions() {
      guard let id = subscription.observed.sections, let tree = subscription.base?.sections else { continue }
      known[id, default: []].append(tree)
    }
    for collection in collections {
      collection.removeUnusedKeys(known: known[ObjectIdentifier(collection)] ?? [])
    }
  }
}

/// Keeps a collection in sections findable as long as anybody has it.
struct WeakSections {
  weak var collection: SectionedCollection?
}
