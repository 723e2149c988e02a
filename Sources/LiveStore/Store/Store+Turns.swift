/// The turns of an instance: advancing from version to version and notifying the observers.
extension Store {
  /// Takes a turn: delivers a finished calculation, if there is one. Never blocks.
  ///
  /// Seldom, a few hundredths of a second are spent on a write-ahead log that other programs make very long.
  ///
  /// Programs that poll a ``NotificationSource`` call it when the source's descriptor is readable; other
  /// schedulers call it by themselves. With ``autorefresh`` off a turn makes first calls and reports the
  /// writes of this store, but the store stays at its version.
  public func processNotifications() {
    guard !isFrozen else { return }
    confinement.require()
    scheduler.acknowledge()
    guard !isClosed else { return }
    coordinator.removeEndedSubscriptions()
    removeEndedObservers()
    // A write delivers what is pending when it begins, and has the worker look again when it ends.
    guard !isInWriteTransaction, !turns.isDelivering else { return }
    endTracking()
    // No further turn may come by itself to report a failure.
    if turns.failure != nil { coordinator.hold() } else if !coordinator.holdIfIdle() { return }
    let newerVersion = takeTurn()
    if let newerVersion { notifyNewerVersion(newerVersion) }
    if ChangeLog.isExhausted(at: coordinator.version) { beginLogAnew() }
  }

  /// Takes the turn in phase `held`, and resumes the worker. Returns the newer version, of which the
  /// observers of the store are notified because it does not advance by itself.
  private func takeTurn() -> Int64? {
    var mustLook = false
    defer { coordinator.resume(look: mustLook) }
    notifyFailure()
    if isClosed || isInWriteTransaction { return nil }
    if isInvalidated { return takeTurnInvalidated(&mustLook) }
    guard let delivery = coordinator.takePending() else {
      notifyVersionChange()
      return nil
    }
    let isNewVersion = delivery.version != coordinator.version
    if isNewVersion, !autorefresh || (delivery.isUnexamined && coordinator.isTracked) {
      // It was calculated before `autorefresh` was switched off, or before the differing rows were needed.
      coordinator.closeBack()
      mustLook = true
      return nil
    }
    if !isNewVersion || !deliverBesideLog(delivery) { deliver(delivery) }
    return delivery.newerVersion
  }

  /// Advances to the newest version and delivers what is pending, before it returns.
  ///
  /// - Returns: Whether the version changed. Inside a write and inside a callback nothing happens, except
  ///   that observers of the store may call it when they receive ``Notification/refreshRequired``.
  /// - Complexity: O(1) while nothing observes the store or its collections and no order has been read,
  ///   otherwise as for the delivery.
  @discardableResult
  public func refresh() throws(StoreError) -> Bool {
    confinement.require()
    requireOwnProcess()
    guard !isInWriteTransaction, !turns.isDelivering, !isClosed, !isFrozen else { return false }
    coordinator.hold()
    do throws(StoreError) {
      defer { coordinator.resume() }
      let shown = coordinator.version
      _ = coordinator.takePending()
      try reopenSnapshot()
      let input = coordinator.input()
      let version = try coordinator.back.open()
      if version != input.version || input.hasUninformedObservers {
        let delivery = try input.calculate(old: front, new: try coordinator.back, newVersion: version)
        recover()
        deliver(delivery)
      } else {
        coordinator.closeBack()
        recover()
        notifyVersionChange()
      }
      return version != shown
    } catch {
      // The worker delivers to the observers on a later turn.
      coordinator.requestCalculation()
      throw error
    }
  }

  /// Shows a delivery's version and calls its observers; in phase `held`.
  ///
  /// - Parameters:
  ///   - makesCalls: False if the observers are called later, with all changes made until then.
  ///   - prepareCalls: Run after the version is shown and before the first call.
  func deliver(_ delivery: Delivery, makesCalls: Bool = true, prepareCalls: () -> Void = {}) {
    let isNewVersion = delivery.version != coordinator.version
    if isNewVersion { readIteratedOrders() }
    let notices = isNewVersion ? changes(in: delivery) : ObservationNotices()
    let isUndisturbed =
      makesCalls && notices.isEmpty && observers.isEmpty && sections.isEmpty && !turns.hasLostReads
    if isNewVersion, coordinator.hasLaggingObservers(delivery, isUndisturbed: isUndisturbed) {
      // Observers without a call in this delivery are notified of the step later.
      coordinator.history.append(transition(of: delivery))
    }
    perform(.announcing) { notices.will() }
    guard !isClosed else { return }
    coordinator.adopt(delivery)
    readGeneration &+= 1
    if isNewVersion {
      coordinator.closeBack()
      if delivery.isUnexamined { forgetAllRows() }
      forgetRows(in: delivery.changes)
    } else if !isInWriteTransaction {
      coordinator.closeBack()
    }
    advanceSections(to: delivery, isNewVersion: isNewVersion)
    if makesCalls { turns.setCalls(delivery.calls) }
    // Observers that the delivery does not affect know this version from now on.
    for subscription in delivery.unaffected { updateBase(of: subscription) }
    notices.did()
    if isNewVersion {
      turns.versionDidChange(losesReads: false)
      work.deliveries += 1
    }
    guard makesCalls else {
      trimHistory()
      return
    }
    prepareCalls()
    if delivery.isRecovery { recover() }
    notifyVersionChange()
    if let error = delivery.failure, failure != error {
      failure = error
      notifyObservers(.failed(error))
    }
    makeCalls()
    trimHistory()
  }

  /// The step to a delivery's version, which is not shown yet.
  private func transition(of delivery: Delivery) -> Transition {
    guard delivery.isUnexamined else { return Transition(version: delivery.version, delivery.changes) }
    // An observer has been added since the delivery was calculated.
    do throws(StoreError) {
      let changes = try coordinator.input().difference(
        to: delivery.version, old: front, new: try coordinator.back)
      return Transition(version: delivery.version, changes)
    } catch {
      return Transition(version: delivery.version, before: [:], isWhole: false)
    }
  }

  /// Runs `body` as an activity, unless that must not nest and has begun already.
  func perform(_ activity: TurnActivity, _ body: () -> Void) {
    guard turns.begin(activity) else { return }
    body()
    turns.end(activity)
  }

  func updateBase(of subscription: Subscription) {
    guard let version = front.version else { return }
    guard let live = subscription.observed.live else {
      let state = subscription.observed.result?.state
      coordinator.setBase(Subscription.Base(version: version, result: state), of: subscription)
      return
    }
    // The changes of the open write, from a callback called before, are no part of the version.
    guard let tree = live.treeBeforeWrite ?? live.tree else { return }
    // Sections that were never filled have not changed.
    let sections = sections(of: subscription)?.committed ?? subscription.base?.sections
    coordinator.setBase(Subscription.Base(version: version, tree: tree, sections: sections), of: subscription)
  }

  func makeCalls() {
    perform(.calling) {
      while let (subscription, event) = turns.nextCall() {
        guard coordinator.mayCall(subscription, event) else { continue }
        let known = subscription.base?.sections
        if subscription.movesBase { updateBase(of: subscription) }
        if event.isLast { subscription.state.end() }
        work.calls += 1
        subscription.notify?(sectioned(event, for: subscription, known: known))
      }
    }
  }

  /// Discards the steps that every observer knows.
  func trimHistory() {
    guard !coordinator.history.isEmpty else { return }
    coordinator.history.trim(bases: coordinator.bases())
    // The effect of the open write on a row is no part of any version.
    guard !isInWriteTransaction else { return }
    let reader = front.instance
    let tables = schema.tables
    // Rows that cannot be read now are kept.
    try? coordinator.history.purge { (row) throws(StoreError) in try reader.row(tables[row.table], row.key) }
  }
}
