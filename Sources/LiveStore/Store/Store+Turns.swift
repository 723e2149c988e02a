/// How an instance moves from version to version and tells its observers.
extension Store {
  /// Takes a turn: delivers what has been calculated, if anything has; never blocks.
  ///
  /// Programs that poll a ``NotificationSource`` call it when the source's descriptor is readable; other schedulers do
  /// it by themselves.
  public func processNotifications() {
    guard !isFrozen else { return }
    scheduler.acknowledge()
    guard !isClosed else { return }
    coordinator.removeEndedSubscriptions()
    // A write delivers what is pending when it begins, and has the worker look when it ends.
    guard !isInWriteTransaction, !isDelivering, coordinator.holdIfIdle() else { return }
    defer { coordinator.resume() }
    if let delivery = coordinator.takePending() { deliver(delivery) }
  }

  /// Moves to the newest version and delivers what is pending, before it returns.
  ///
  /// - Returns: Whether the version changed. Inside a write and inside a callback nothing happens.
  @discardableResult
  public func refresh() throws(StoreError) -> Bool {
    guard !isInWriteTransaction, !isDelivering, !isClosed, !isFrozen else { return false }
    coordinator.hold()
    defer { coordinator.resume() }
    _ = coordinator.takePending()
    let input = coordinator.input()
    let version = try coordinator.back.open()
    guard version != input.version || input.hasUninformedObservers else {
      coordinator.back.close()
      return false
    }
    deliver(try input.calculate(old: front, new: coordinator.back, newVersion: version))
    return version != input.version
  }

  /// Shows a delivery's version and makes its calls; the worker is held.
  func deliver(_ delivery: Delivery) {
    let isNewVersion = delivery.version != front.version
    if isNewVersion, !delivery.calls.isEmpty {
      // A callback may begin a write, and so a further delivery, before later ones have been called.
      var before: [RowID: RowImage?] = [:]
      for table in schema.tables {
        for (key, change) in delivery.changes[table] {
          before[RowID(table: table.index, key: key)] = .some(change.old)
        }
      }
      coordinator.history.append(Transition(version: delivery.version, before: before))
    }
    let told = isNewVersion ? changes(in: delivery) : ToldChanges()
    tellAhead(told)
    guard !isClosed else { return }
    coordinator.adopt(delivery)
    if isNewVersion {
      coordinator.back.close()
      commitsOnSnapshot = 0
      for table in schema.tables {
        for key in delivery.changes[table].keys { forget(RowID(table: table.index, key: key)) }
      }
    } else if !isInWriteTransaction {
      coordinator.back.close()
    }
    undelivered = delivery.calls
    // Whoever is not called has nothing to hear of: it knows this version from now on.
    let waiting = Set(delivery.calls.map { ObjectIdentifier($0.subscription) })
    for subscription in coordinator.liveSubscriptions()
    where !waiting.contains(ObjectIdentifier(subscription)) {
      if subscription.base != nil { updateBase(of: subscription) }
    }
    told.did()
    makeCalls()
    trimHistory()
  }

  private func tellAhead(_ told: ToldChanges) {
    let wasDelivering = isDelivering
    isDelivering = true
    isAboutToShow = true
    told.will()
    isAboutToShow = false
    isDelivering = wasDelivering
  }

  func updateBase(of subscription: Subscription) {
    // What the open write has changed, in a callback called before, is no part of the version.
    let live = subscription.live
    guard let tree = live.treeBeforeWrite ?? live.tree, let version = front.version else { return }
    coordinator.setBase(Subscription.Base(tree: tree, version: version), of: subscription)
  }

  func makeCalls() {
    let wasDelivering = isDelivering
    isDelivering = true
    while !undelivered.isEmpty {
      let (subscription, event) = undelivered.removeFirst()
      guard subscription.state.isLive else { continue }
      updateBase(of: subscription)
      if case .error = event { subscription.state.end() }
      subscription.notify?(event)
    }
    isDelivering = wasDelivering
  }

  /// Forgets the steps that every observer knows of.
  func trimHistory() {
    guard !coordinator.history.isEmpty else { return }
    let oldest = coordinator.liveSubscriptions().compactMap { $0.base?.version }.min() ?? .max
    coordinator.history.removeAll { $0.version <= oldest }
  }
}
