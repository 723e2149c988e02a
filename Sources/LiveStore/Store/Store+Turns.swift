/// How an instance moves from version to version and tells its observers.
extension Store {
  /// Takes a turn: delivers what has been calculated, if anything has; never blocks.
  ///
  /// Programs that poll a ``NotificationSource`` call it when the source's descriptor is readable; other schedulers do
  /// it by themselves.
  public func processNotifications() {
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
    guard !isInWriteTransaction, !isDelivering, !isClosed else { return false }
    coordinator.hold()
    do throws(StoreError) {
      defer { coordinator.resume() }
      _ = coordinator.takePending()
      let input = coordinator.input()
      let version = try coordinator.back.open()
      guard version != input.version || input.hasUninformedObservers else {
        coordinator.back.close()
        return false
      }
      let isNewVersion = version != input.version
      // The input is not used any more when the history that it holds changes.
      deliver(try input.calculate(old: front, new: coordinator.back, newVersion: version))
      return isNewVersion
    } catch {
      // The observers hear of it from the worker, on a later turn.
      coordinator.lookAgain()
      throw error
    }
  }

  /// Shows a delivery's version and makes its calls; the worker is held.
  func deliver(_ delivery: Delivery) {
    let isNewVersion = delivery.version != front.version
    if isNewVersion, coordinator.leavesBehind(delivery) {
      // A callback may begin a write, and so a further delivery, before later ones have been called; and whoever does not
      // ask hears of it later.
      var before: [RowID: RowImage?] = [:]
      for table in schema.tables {
        for (key, change) in delivery.changes[table] {
          before[RowID(table: table.index, key: key)] = .some(change.old)
        }
      }
      coordinator.history.append(Transition(version: delivery.version, before: before))
    }
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
    for subscription in delivery.unaffected { updateBase(of: subscription) }
    makeCalls()
    trimHistory()
  }

  func updateBase(of subscription: Subscription) {
    guard let version = front.version else { return }
    guard let live = subscription.observed.live else {
      coordinator.setBase(Subscription.Base(version: version), of: subscription)
      return
    }
    // What the open write has changed, in a callback called before, is no part of the version.
    guard let tree = live.treeBeforeWrite ?? live.tree else { return }
    coordinator.setBase(Subscription.Base(version: version, tree: tree), of: subscription)
  }

  func makeCalls() {
    let wasDelivering = isDelivering
    isDelivering = true
    while !undelivered.isEmpty {
      let (subscription, event) = undelivered.removeFirst()
      guard coordinator.mayCall(subscription, event) else { continue }
      if subscription.movesBase { updateBase(of: subscription) }
      if event.isLast { subscription.state.end() }
      subscription.notify?(event)
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
