/// The iterations and sectioned collections that follow the store.
extension Store {
  /// Registers an iteration, until it ends, for ``readIteratedOrders()``.
  func add(_ iteration: Iteration) {
    // A frozen store does not change, and several threads may iterate there.
    guard !isFrozen else { return }
    iterations.removeAll { $0.value == nil }
    iterations.append(Weak(value: iteration))
  }

  /// Makes the open iterations read the rest of their orders. Called before the store changes.
  func readIteratedOrders() {
    guard !iterations.isEmpty else { return }
    for weak in iterations { weak.value?.readWhole() }
    iterations = []
  }

  func add(_ collection: SectionedCollection) {
    // A frozen store, which several threads may be using, has no changes to follow.
    if isFrozen { return }
    sections[ObjectIdentifier(collection)] = Weak(value: collection)
  }

  func removeSections(_ id: ObjectIdentifier) {
    if isFrozen { return }
    sections[id] = nil
  }

  func liveSections() -> [SectionedCollection] {
    sections.isEmpty ? [] : sections.values.compactMap(\.value)
  }

  /// The sections that a callback observes; `nil` if it does not observe sections.
  func sections(of subscription: Subscription) -> SectionedCollection? {
    subscription.observed.sections.flatMap { sections[$0]?.value }
  }

  /// Advances sections to the version of a delivery, which the store shows now, before observers are
  /// notified.
  func advanceSections(to delivery: Delivery, isNewVersion: Bool) {
    guard !sections.isEmpty else { return }
    // The code that computes section keys must not start another delivery.
    let activity = TurnActivity.calling
    _ = turns.begin(activity)
    defer { turns.end(activity) }
    if isNewVersion {
      for collection in liveSections() {
        collection.advance(by: delivery.members[ObjectIdentifier(collection.ranked.live)])
      }
    }
    for (subscription, _) in delivery.calls { sections(of: subscription)?.fill() }
    removeUnusedSectionKeys()
  }

  /// The event as the callback receives it: in terms of sections if the callback observes sections.
  ///
  /// - Parameter known: The sections that the callback last knew.
  func sectioned(
    _ event: Subscription.Event, for subscription: Subscription, known: SectionTree?
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
