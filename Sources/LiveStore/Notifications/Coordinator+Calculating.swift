/// Looking for new versions, and calculating deliveries (worker, except where noted).
extension Coordinator {
  /// The state of the instance as the input of a calculation (instance, phase `held`).
  func input() -> CalculationInput {
    lock.withLock { makeInput() }
  }

  private func makeInput() -> CalculationInput {
    let live = subscriptions.live
    let observedResults = results.isEmpty ? [] : live.compactMap(\.observed.result)
    return CalculationInput(
      schema: schema, version: version, history: history,
      isObserved: isTracked || !live.isEmpty,
      hasOneObserver: live.count == 1 && !isTracked && !hasStoreObservers,
      collections: collections.compactMap(\.value).map {
        .init(live: $0, tree: $0.tree, mustFill: $0.tree == nil && $0.registration != nil)
      },
      results: results.compactMap(\.value).map { result in
        .init(
          live: result, state: result.state,
          mustLoad: result.state == nil && observedResults.contains { $0 === result })
      },
      observers: live.filter(\.isReady).map { .init(subscription: $0, base: $0.base) })
  }

  /// Looks for commits and calculates a delivery from them. Called by one thread at a time, the worker.
  ///
  /// Does nothing while a delivery is pending or the instance holds the snapshots; the instance requests
  /// another look afterwards.
  func look() {
    guard let (input, isFailing) = beginCalculation() else { return }
    var delivery: Delivery?
    var unaffected: Delivery?
    var isBehind = false
    do throws(StoreError) {
      let back = try back
      let version = try back.open()
      // The difference may overflow: any program can write any number.
      isBehind = version &- input.version > 1
      var isNewVersion = version != input.version
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
      } else if !standsStill {
        delivery = try renewal(version)
      }
      if isFailing {
        // Also for the version shown: its observers have ended, but those of the store wait for it.
        var recovery =
          delivery ?? Delivery(version: input.version, changes: VersionDifference(schema: schema))
        recovery.isRecovery = true
        delivery = recovery
      }
    } catch {
      delivery = self.delivery(of: error, at: input.version)
    }
    if delivery == nil { closeBack() }
    endCalculation(delivery, unaffected: unaffected, isBehind: isBehind)
  }

  /// Writes the log back into the file, so that a copy of the file alone has all commits. No snapshot moves
  /// beside the log: the next write need not begin it anew, which takes the disk's time.
  ///
  /// Called by the worker; the instance waits for it in order to hold, as for a calculation.
  ///
  /// - Returns: False if the instance gets another snapshot of its version instead, since its own keeps the
  ///   log from before its commits: call again in the next pause.
  func writeLogBack() -> Bool {
    guard let (input, _) = beginCalculation() else { return true }
    var delivery: Delivery?
    do throws(StoreError) {
      let back = try back
      // The check in it keeps content that another program has written over the file from being mixed with
      // the log.
      let version = try back.open()
      if !front.isBehindOwnCommits {
        back.close()
        // Nothing is lost if it fails: the commits stay in the log.
        if !back.connection.isReadOnly { _ = try? back.connection.writeLogBackAtOnce() }
      } else if version == input.version {
        delivery = Delivery(version: version, isRenewal: true, changes: VersionDifference(schema: schema))
      }
    } catch {
      delivery = self.delivery(of: error, at: input.version)
    }
    if delivery == nil { closeBack() }
    endCalculation(delivery, unaffected: nil, isBehind: false)
    return delivery?.isRenewal != true
  }

  /// The delivery, at the version shown, of the failure to read the file.
  func delivery(of error: StoreError, at version: Int64) -> Delivery {
    Delivery(
      version: version, failure: error, changes: VersionDifference(schema: schema),
      calls: liveSubscriptions().map { ($0, .error(error)) })
  }

  /// A delivery of the version shown on a snapshot that does not need the log, which has become long and can
  /// then be restarted.
  ///
  /// Other instances may have to do the same first. They do when they look, as this one does, some time after
  /// the last commit.
  private func renewal(_ version: Int64) throws(StoreError) -> Delivery? {
    guard let index, front.needsLog, let header = index.header(), header.isLogLong else { return nil }
    if !index.isWrittenBack(header) {
      // Each attempt accesses the disk, and instances that need the log may keep it for long.
      if renewals.version != version { renewals = (version, 0) }
      guard renewals.count < 4 else { return nil }
      renewals.count += 1
    }
    guard try back.openBesideLog(index) == version else { return nil }
    return Delivery(version: version, isRenewal: true, changes: VersionDifference(schema: schema))
  }

  /// The input, and whether the instance has received a failure; `nil` if no calculation may begin now.
  private func beginCalculation() -> (input: CalculationInput, isFailing: Bool)? {
    let (input, action) = lock.withLock {
      let (mayCalculate, action) = state.beginCalculation(isSuspended: givenUp != nil)
      return (mayCalculate ? (makeInput(), hasFailed) : nil, action)
    }
    perform(action)
    return input
  }

  private func endCalculation(_ delivery: Delivery?, unaffected: Delivery?, isBehind: Bool) {
    let action = lock.withLock {
      self.isBehind = isBehind
      if let unaffected { noteBases(of: unaffected) }
      defer { lock.wakeAll() }
      return state.endCalculation(delivery)
    }
    perform(action)
  }

  /// Records the new base of the observers that the delivery does not affect. The instance need not wake for
  /// them, but the steps without news for them must not be examined again and again. Under the lock.
  private func noteBases(of unaffected: Delivery) {
    let trees = unaffected.trees.reduce(into: [:]) { $0[ObjectIdentifier($1.live)] = $1.tree }
    let states = unaffected.results.reduce(into: [:]) { $0[ObjectIdentifier($1.live)] = $1.state }
    for subscription in unaffected.unaffected {
      let tree = subscription.observed.live.flatMap { trees[ObjectIdentifier($0)] }
      subscription.base = Subscription.Base(
        version: unaffected.version, tree: tree, sections: subscription.base?.sections,
        result: subscription.observed.result.flatMap { states[ObjectIdentifier($0)] })
    }
    // The instance does not touch the history before this calculation has ended.
    history.trim(bases: subscriptions.live.compactMap { $0.base?.version })
  }
}
