/// How an instance moves from version to version and tells its observers.
extension Store {
  /// Takes a turn: delivers what has been calculated, if anything has; never blocks.
  ///
  /// A few hundredths of a second at most are spent, seldom, on a write-ahead log that others make very long.
  ///
  /// Programs that poll a ``NotificationSource`` call it when the source's descriptor is readable; other
  /// schedulers do it by themselves. With ``autorefresh`` off a turn makes first calls and tells of what this
  /// store wrote, but the store stays at its version.
  public func processNotifications() {
    guard !isFrozen else { return }
    confinement.require()
    scheduler.acknowledge()
    guard !isClosed else { return }
    coordinator.removeEndedSubscriptions()
    removeEndedObservers()
    // A write delivers what is pending when it begins, and has the worker look when it ends.
    guard !isInWriteTransaction, !isDelivering else { return }
    // No further turn may come of itself to tell of a failure.
    if untoldFailure != nil { coordinator.hold() } else if !coordinator.holdIfIdle() { return }
    let newerVersion = takeTurn()
    if let newerVersion { tellOfNewerVersion(newerVersion) }
    if ChangeLog.isExhausted(at: coordinator.version) { beginLogAnew() }
  }

  /// The turn itself, with the worker held; lets the worker go.
  ///
  /// - Returns: The newer version that the observers of the store have to be told of, because it does not go
  ///   there.
  private func takeTurn() -> Int64? {
    var mustLook = false
    defer { coordinator.resume(look: mustLook) }
    tellOfFailure()
    if isClosed || isInWriteTransaction { return nil }
    if isInvalidated { return takeTurnInvalidated(&mustLook) }
    guard let delivery = coordinator.takePending() else {
      tellOfMove()
      return nil
    }
    let isNewVersion = delivery.version != coordinator.version
    if isNewVersion, !autorefresh || (delivery.isUnexamined && coordinator.isTracked) {
      // It was calculated before the store was told to stay, or before anybody had to know what changes.
      coordinator.back.close()
      mustLook = true
      return nil
    }
    if !isNewVersion || !deliverBesideLog(delivery) { deliver(delivery) }
    return delivery.newerVersion
  }

  /// Moves to the newest version and delivers what is pending, before it returns.
  ///
  /// - Returns: Whether the version changed. Inside a write and inside a callback nothing happens, except
  ///   that observers of the store may call it when they are told ``Notification/refreshRequired``.
  /// - Complexity: O(1) while nothing observes the store or its collections and no order has been read,
  ///   otherwise as for the delivery.
  @discardableResult
  public func refresh() throws(StoreError) -> Bool {
    confinement.require()
    guard !isInWriteTransaction, !isDelivering, !isClosed, !isFrozen else { return false }
    coordinator.hold()
    do throws(StoreError) {
      defer { coordinator.resume() }
      let shown = coordinator.version
      _ = coordinator.takePending()
      try reopenSnapshot()
      let input = coordinator.input()
      let version = try coordinator.back.open()
      if version != input.version || input.hasUninformedObservers {
        let delivery = try input.calculate(old: front, new: coordinator.back, newVersion: version)
        recover()
        deliver(delivery)
      } else {
        coordinator.back.close()
        recover()
        tellOfMove()
      }
      return version != shown
    } catch {
      // The observers hear of it from the worker, on a later turn.
      coordinator.lookAgain()
      throw error
    }
  }

  /// Shows a delivery's version and makes its calls; the worker is held.
  ///
  /// - Parameters:
  ///   - makesCalls: False where observers are called later, with everything that has changed until then.
  ///   - prepareCalls: Run when the version is shown and nobody has been called.
  func deliver(_ delivery: Delivery, makesCalls: Bool = true, prepareCalls: () -> Void = {}) {
    let isNewVersion = delivery.version != coordinator.version
    if isNewVersion { readIteratedOrders() }
    let told = isNewVersion ? changes(in: delivery) : ToldChanges()
    let isUndisturbed =
      makesCalls && told.isEmpty && observers.isEmpty && sections.isEmpty && !hasLostReads
    if isNewVersion, coordinator.leavesBehind(delivery, isUndisturbed: isUndisturbed) {
      // Whoever does not ask hears of it later.
      coordinator.history.append(Transition(version: delivery.version, delivery.changes))
    }
    tellAhead(told)
    guard !isClosed else { return }
    coordinator.adopt(delivery)
    if isNewVersion {
      coordinator.back.close()
      if delivery.isUnexamined { forgetAllRows() }
      forgetRows(in: delivery.changes)
    } else if !isInWriteTransaction {
      coordinator.back.close()
    }
    advanceSections(to: delivery, isNewVersion: isNewVersion)
    if makesCalls { undelivered = delivery.calls }
    // Whoever is not called has nothing to hear of: it knows this version from now on.
    for subscription in delivery.unaffected { updateBase(of: subscription) }
    told.did()
    hasMovedUntold = hasMovedUntold || isNewVersion
    guard makesCalls else {
      trimHistory()
      return
    }
    prepareCalls()
    if delivery.isRecovery { recover() }
    tellOfMove()
    if let error = delivery.failure, failure != error {
      failure = error
      tellObservers(.failed(error))
    }
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
    guard let version = front.version else { return }
    guard let live = subscription.observed.live else {
      coordinator.setBase(Subscription.Base(version: version), of: subscription)
      return
    }
    // What the open write has changed, in a callback called before, is no part of the version.
    guard let tree = live.treeBeforeWrite ?? live.tree else { return }
    // Sections that nobody needed to fill are as they were.
    let sections = sections(of: subscription)?.committed ?? subscription.base?.sections
    coordinator.setBase(Subscription.Base(version: version, tree: tree, sections: sections), of: subscription)
  }

  func makeCalls() {
    let wasDelivering = isDelivering
    isDelivering = true
    while !undelivered.isEmpty {
      let (subscription, event) = undelivered.removeFirst()
      guard coordinator.mayCall(subscription, event) else { continue }
      let known = subscription.base?.sections
      if subscription.movesBase { updateBase(of: subscription) }
      if event.isLast { subscription.state.end() }
      subscription.notify?(told(event, to: subscription, known: known))
    }
    isDelivering = wasDelivering
  }

  /// Forgets the steps that every observer knows of.
  func trimHistory() {
    guard !coordinator.history.isEmpty else { return }
    coordinator.history.trim(bases: coordinator.bases())
    // What the open write does to a row is no part of any version.
    guard !isInWriteTransaction else { return }
    let reader = front.instance
    let tables = schema.tables
    // What cannot be read now is kept.
    try? coordinator.history.purge { (row) throws(StoreError) in try reader.row(tables[row.table], row.key) }
  }
}
