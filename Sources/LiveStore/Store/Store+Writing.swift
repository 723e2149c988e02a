import CSQLite

/// Write transactions.
extension Store {
  /// Runs a write transaction: all changes of `body` are committed or, if it throws, none.
  ///
  /// - Parameter timeout: See ``beginWrite(waitingAtMost:)``.
  /// - Parameter tokens: Subscriptions of this store that are not notified of this write, because their views
  ///   show it already.
  /// - Parameter body: The transaction; its result is returned.
  /// - Throws: The error that `body` throws or, when something in it could not be read or written, the cause:
  ///   a ``StoreError``. See ``failure``.
  @discardableResult
  public func write<R>(
    waitingAtMost timeout: Int32? = nil, withoutNotifying tokens: [NotificationToken] = [],
    _ body: () throws -> R
  ) throws -> R {
    try beginWrite(waitingAtMost: timeout)
    return try run(body, withoutNotifying: tokens)
  }

  /// Runs the body of a write transaction that has begun, and commits it.
  func run<R>(_ body: () throws -> R, withoutNotifying tokens: [NotificationToken]) throws -> R {
    let result: R
    do {
      guard isInWriteTransaction else {
        throw StoreError(.misuse, "The write was cancelled by a callback before it began.")
      }
      recentLists = []
      defer { recentLists = nil }
      result = try body()
    } catch {
      // The error of `body` may only be a consequence of the failed read.
      let cause = isInWriteTransaction ? writeFailure : cancelledFailure
      if isInWriteTransaction { cancelWrite() }
      throw cause ?? error
    }
    if isInWriteTransaction {
      try commitWrite(withoutNotifying: tokens)
    } else if let cancelledFailure {
      throw cancelledFailure
    }
    return result
  }

  /// Keeps a list, and with it its order, until the body of the write ends or has asked for some others.
  func keepInWrite(_ list: AnyObject) {
    guard let count = recentLists?.count else { return }
    // Each may hold an order in memory.
    if count == 4 { recentLists?.removeFirst() }
    recentLists?.append(list)
  }

  /// Begins a write transaction on the newest version; everything pending is delivered first.
  ///
  /// - Parameter timeout: The milliseconds to wait for the writes of other programs; `nil` for the time of
  ///   the configuration. A program that reacts to keys should not wait for long.
  /// - Throws: ``StoreError/Code/busy`` when another program holds the write lock for longer than that.
  public func beginWrite(waitingAtMost timeout: Int32? = nil) throws(StoreError) {
    requireLive("written to")
    confinement.require()
    requireOwnProcess()
    guard !isClosed else { throw StoreError(.misuse, "The store is closed.") }
    guard !configuration.isReadOnly else {
      throw StoreError(
        .misuse, "The store is read-only; open one whose configuration says otherwise to write.")
    }
    guard !isInWriteTransaction else {
      throw StoreError(.misuse, "A write transaction is open already; commit or cancel it first.")
    }
    requireNotTelling()
    readIteratedOrders()
    endTracking()
    coordinator.hold()
    cancelledFailure = nil
    do throws(StoreError) {
      try reopenSnapshot()
      let delivery = try takeWriteLock(timeout ?? configuration.busyTimeout)
      recover()
      if let delivery { deliver(delivery) } else { notifyVersionChange() }
      // Called from a callback: the remaining observers of the outer delivery are notified first.
      makeCalls()
    } catch {
      if isInWriteTransaction {
        cancelWrite()
      } else {
        deliverAdvance()
        coordinator.resume(look: true)
      }
      // Observers of the store are notified on a turn, like those of collections.
      if turns.owesVersion { coordinator.requestTurn() }
      throw error
    }
  }

  /// Notifies the observers of the version to which the store has advanced while it waited for the lock in
  /// vain: its collections must not show rows that their observers do not know. In phase `held`.
  private func deliverAdvance() {
    guard !turns.isDelivering, !turns.owesCalls, !isClosed else { return }
    let input = coordinator.input()
    // A version that cannot be read now is delivered on a turn.
    guard input.hasUninformedObservers,
      let delivery = try? input.calculate(old: front, new: front, newVersion: input.version)
    else { return }
    deliver(delivery)
  }

  /// Takes the lock, and calculates the delivery now that no newer version can appear.
  private func takeWriteLock(_ timeout: Int32) throws(StoreError) -> Delivery? {
    let deadline = ContinuousClock.now + .milliseconds(Int64(timeout))
    var pending = coordinator.takePending()
    if let renewal = pending, renewal.isRenewal {
      // With a snapshot that does not need the log, this write restarts the log.
      coordinator.adopt(renewal)
      pending = nil
    }
    if pending == nil { try leaveLog() }
    // Frozen copies must not see the writes through the connection that they read.
    let result = front.isPinned ? SQLITE_BUSY : connection.beginImmediate(waitingUntil: deadline)
    if result == SQLITE_OK {
      // The snapshot is the newest version, or SQLite would have refused.
      isInWriteTransaction = true
      // Before any observer is called, which may write already.
      try prepareRecorder(for: front)
      coordinator.closeBack()
      guardLogRestart(on: front)
      if pending == nil, coordinator.isUnobserved { return nil }
      let input = coordinator.input()
      // Observers may have been added since it was calculated.
      if let pending, pending.version == input.version, !turns.owesCalls, pending.informsAll(of: input) {
        return pending
      }
      guard input.hasUninformedObservers else { return nil }
      return try input.calculate(old: front, new: front, newVersion: input.version)
    }
    guard result & 0xff == SQLITE_BUSY else {
      throw StoreError(sqlite: result, handle: connection.handle, while: "BEGIN IMMEDIATE")
    }
    let waited = try waitForWriteLock(until: deadline)
    let back = try coordinator.back
    guard waited == SQLITE_OK else {
      if waited & 0xff == SQLITE_BUSY {
        throw StoreError(
          .busy, "Another program has been writing to “\(path)” for too long; try again when it is done.")
      }
      throw StoreError(sqlite: waited, handle: back.connection.handle, while: "BEGIN IMMEDIATE")
    }
    guardLogRestart(on: back)
    do throws(StoreError) {
      let version = try back.open()
      let input = coordinator.input()
      let delivery = try input.calculate(old: front, new: back, newVersion: version)
      try prepareRecorder(for: back)
      if version == input.version {
        // Another program wrote nothing, or rolled back; even so, the lock is on this connection.
        coordinator.swapSnapshots()
        coordinator.closeBack()
      }
      isInWriteTransaction = true
      return delivery
    } catch {
      _ = back.connection.executeResult("ROLLBACK")
      endLogGuard()
      back.close()
      throw error
    }
  }

  /// Takes the write lock on the connection of the back snapshot; returns the extended result code.
  private func waitForWriteLock(until deadline: ContinuousClock.Instant) throws(StoreError) -> Int32 {
    while true {
      coordinator.closeBack()
      let connection = try coordinator.back.connection
      let pause = ContinuousClock.now + .milliseconds(2)
      let result = connection.beginImmediate(waitingUntil: min(pause, deadline))
      guard result & 0xff == SQLITE_BUSY, ContinuousClock.now < deadline else { return result }
      try advanceWhileWaiting()
      guard !isClosed else { throw StoreError(.misuse, "The store is closed.") }
    }
  }

  private func prepareRecorder(for snapshot: Snapshot) throws(StoreError) {
    try recorder.prepare(
      for: snapshot, keepsImages: coordinator.isTracked || !coordinator.isUnobserved,
      isCollecting: coordinator.hasCollections)
  }

  /// Commits the write transaction.
  ///
  /// The observers of the store itself are notified before it returns; the callbacks of collections, except
  /// those of `tokens`, on a later turn.
  ///
  /// - Throws: ``StoreError``; the transaction is then rolled back, and no observer is silenced.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws(StoreError) {
    confinement.require()
    guard isInWriteTransaction else {
      throw StoreError(.misuse, "There is no write transaction to commit; begin one first.")
    }
    requireNotTelling()
    let own = coordinator.liveSubscriptions()
    var skipping: [Subscription] = []
    var silenced: [SubscriptionState] = []
    for token in tokens {
      if let subscription = own.first(where: { $0.state === token.subscription }) {
        skipping.append(subscription)
      } else if observers.contains(where: { $0.state === token.subscription }) {
        silenced.append(token.subscription)
      } else if token.subscription.isLive {
        cancelWrite()
        throw StoreError(
          .misuse, "A token in withoutNotifying belongs to another store; pass only this store's.")
      }
    }
    do throws(StoreError) {
      try finishWrite(skipping: skipping, observers: own)
    } catch {
      cancelWrite()
      throw error
    }
    // Before the worker may calculate: a turn that came while the observers are notified would have no
    // effect.
    notifyObservers(.didChange, except: silenced)
    // The signal wakes the worker as it does those of other processes. Only the changes that the observers of
    // this instance have yet to receive need no signal.
    coordinator.resume(look: !coordinator.history.isEmpty)
  }

  private func finishWrite(skipping: [Subscription], observers: [Subscription]) throws(StoreError) {
    if let writeFailure { throw writeFailure }
    try collect()
    // An order that was released with its snapshot is read again, as the base of the callback's next change
    // set.
    for subscription in skipping {
      guard let live = subscription.observed.live, live.tree == nil,
        let tree = try loaded(live.query.load)
      else { continue }
      coordinator.setTree(tree, of: live)
      live.treeBeforeWrite = .some(nil)
      sections(of: subscription)?.fillInWrite()
    }
    // Observers that did not ask, and so were not called when the write began, still have to be notified of
    // the step before and of this one.
    let isObserved = observers.contains { $0.base != nil }
    var (images, results) = try stepOfWrite(isObserved: isObserved, skipping: skipping)
    let isComplete = recorder.isComplete
    mark &+= 1
    let number =
      recorder.isEmpty && isComplete && !ChangeLog.isExhausted(at: coordinator.version)
      ? nil
      : try ChangeLog.append(
        recorder.touched, isComplete: isComplete, schema: schema, origin: origin, mark: mark, on: front)
    if let number, try updateSearchIndexes(through: number) {
      for live in coordinator.knownResults() {
        guard let state = live.state else { continue }
        let isCurrent = try live.query.isCurrent(erased: state, on: front.instance.statements)
        if !isCurrent { results.append((live, nil)) }
      }
    }
    // A callback that is not called has to know what it would have got.
    for live in skipping.compactMap(\.observed.result) where !live.query.isIncremental {
      results.append(
        (live, try loaded { (statements) throws(StoreError) in try live.query.load(on: statements) }))
    }
    let touched = isObserved ? recorder.touched : RowMap()
    try identity.check()
    try connection.commit()
    endTransaction()
    for live in coordinator.liveCollections() { live.treeBeforeWrite = nil }
    for sections in liveSections() { sections.didCommit() }
    for (live, state) in results { coordinator.setState(state, of: live) }
    guard let number else { return }
    work.transactions += 1
    let version = front.didCommit(number: number, mark: mark)
    if isObserved {
      let skipping = skipping.filter { subscription in
        // A callback whose query fails has yet to receive the error.
        let observed = subscription.observed
        if observed.live.map({ $0.tree == nil }) ?? observed.result.map({ $0.state == nil }) ?? false {
          return false
        }
        return subscription.base.map { !coordinator.history.hasSteps(after: $0.version) } ?? false
      }
      coordinator.history.append(Transition(version: version, before: images))
      for subscription in skipping {
        updateBase(of: subscription)
        endIfDeleted(subscription, touched)
      }
      trimHistory()
    }
    signal?.post()
    keepLogShort(version)
  }

  /// The effect of the open transaction on observers and results: the rows that it has touched, as they
  /// were before it, and the states of the results that change with it.
  ///
  /// - Parameters:
  ///   - isObserved: Whether an observer needs the rows.
  ///   - skipping: The subscriptions that are not called, and so have to know their value.
  private func stepOfWrite(
    isObserved: Bool, skipping: [Subscription]
  ) throws(StoreError) -> (
    images: [RowIdentity: RowImage?], results: [(live: MaintainedResult, state: (any Sendable)?)]
  ) {
    var states: [(live: MaintainedResult, state: (any Sendable)?)] = []
    for live in skipping.compactMap(\.observed.result) where live.state == nil && live.query.isIncremental {
      states.append(
        (live, try loaded { (statements) throws(StoreError) in try live.query.load(on: statements) }))
    }
    let known = coordinator.knownResults()
    var affected: [MaintainedResult] = []
    if recorder.isComplete, !known.isEmpty {
      let tables = Set(recorder.touched.entries.map(\.row.table))
      affected = known.filter { !$0.query.tables.isDisjoint(with: tables) }
      // The others are run again, by the worker if they are observed.
      let touched = recorder.touched.entries
      for live in affected where !live.query.isIncremental {
        let isAffected = touched.contains { live.query.depends(on: $0.value.columns, of: $0.row.table) }
        if isAffected { states.append((live, nil)) }
      }
      affected.removeAll { !$0.query.isIncremental }
    } else if !recorder.isComplete {
      states += known.map { ($0, nil) }
    }
    guard isObserved || !affected.isEmpty else { return ([:], states) }
    let back = try coordinator.back
    defer { back.close() }
    var before: [(row: RowIdentity, before: RowImage?)] = []
    before.reserveCapacity(recorder.touched.count)
    for entry in recorder.touched.entries {
      before.append((entry.row, try rowBeforeWrite(entry.row, entry.value)))
    }
    if !affected.isEmpty {
      let objects = ChangedObjects(
        try difference(from: before), schema: schema, reader: front.instance, deepTables: [])
      if back.version == nil { try back.open() }
      for live in affected {
        guard let state = live.state else { continue }
        let advanced = try StoreError.ofQuery { () throws(StoreError) in
          try live.query.advance(erased: state, by: objects, from: back.instance)
        }
        states.append((live, try? advanced.get()))
      }
    }
    var images = [RowIdentity: RowImage?](minimumCapacity: isObserved ? before.count : 0)
    if isObserved { for (row, image) in before { images[row] = .some(image) } }
    return (images, states)
  }

  /// The state of a query in the open transaction; `nil` if the query fails at a value.
  private func loaded<State>(
    _ load: (StatementCache) throws(StoreError) -> State
  ) throws(StoreError) -> State? {
    let outcome = try StoreError.ofQuery { () throws(StoreError) in try load(front.instance.statements) }
    return try? outcome.get()
  }

  /// The rows that differ from how they were.
  private func difference(
    from before: [(row: RowIdentity, before: RowImage?)]
  ) throws(StoreError) -> VersionDifference {
    var changes = VersionDifference.Builder(schema: schema)
    for (row, before) in before {
      changes.add(row, old: before, new: try front.instance.row(schema.tables[row.table], row.key))
    }
    return changes.finish()
  }

  /// A row that the open transaction has touched, as it was before it. May leave the back snapshot open.
  func rowBeforeWrite(
    _ row: RowIdentity, _ touch: TransactionRecorder.Touch
  ) throws(StoreError) -> RowImage? {
    if touch.isBeforeKnown { return touch.before }
    let back = try coordinator.back
    // Others cannot have committed since, so that the newest version is the one before this transaction.
    if back.version == nil { try back.open() }
    return try back.instance.row(schema.tables[row.table], row.key)
  }

  /// Ends the subscription to an object that was deleted by a write that its callback skips.
  private func endIfDeleted(_ subscription: Subscription, _ touched: RowMap<TransactionRecorder.Touch>) {
    guard case .object(let id) = subscription.observed.identity, touched.index(of: id) != nil else { return }
    if row(schema.tables[id.table], id.key).isDeleted { subscription.state.end() }
  }

  /// Ends the write transaction and rolls back its changes.
  public func cancelWrite() {
    confinement.require()
    guard isInWriteTransaction else { return }
    requireNotTelling()
    cancelledFailure = writeFailure
    let notices = changesTakenBack()
    notices.will()
    let added = addedObjects()
    _ = connection.executeResult("ROLLBACK")
    forgetTouchedRows()
    release(added)
    endTransaction()
    for live in coordinator.liveCollections() {
      if let tree = live.treeBeforeWrite {
        live.tree = tree
        live.treeBeforeWrite = nil
      }
    }
    for sections in liveSections() { sections.didCancel() }
    notices.did()
    coordinator.resume(look: true)
  }

  private func endTransaction() {
    isInWriteTransaction = false
    readGeneration &+= 1
    endLogGuard()
    writeFailure = nil
    highestEntry = [:]
    highestTouchedEntry = [:]
    forgetAdded()
    recorder.reset()
    // No turn was taken meanwhile.
    if turns.failure != nil { coordinator.requestTurn() }
  }

  /// Whether orders that are in use do not have all writes of the open transaction yet.
  var hasUncollectedWrites: Bool { isInWriteTransaction && recorder.hasUncollected }

  /// Updates the orders that are in use with the writes of the open transaction.
  func collect() throws(StoreError) {
    guard hasUncollectedWrites else { return }
    var uncollected = recorder.takeUncollected()
    let lives = coordinator.liveCollections().filter { $0.tree != nil }
    // The sections of a collection may depend on any object. No order changes with other rows, which need not
    // be read.
    if lives.allSatisfy({ $0.sectionFilter == nil }) {
      uncollected.removeAll { change in !lives.contains { $0.tables.contains(change.row.table) } }
    }
    guard !lives.isEmpty, !uncollected.isEmpty else { return }
    let reader = front.instance
    let objects = ChangedObjects(
      try difference(from: uncollected), schema: schema, reader: reader,
      deepTables: Set(lives.map(\.query.elements.index)))
    var sectioned: [ObjectIdentifier: [MemberChange]?] = [:]
    for live in lives {
      let members = try StoreError.ofQuery { () throws(StoreError) in try collect(objects, in: live) }
      if case .success(let members) = members {
        if let members { sectioned[ObjectIdentifier(live)] = members }
        continue
      }
      // The query fails at a value. Its order is read again when it is next needed.
      if live.treeBeforeWrite == nil { live.treeBeforeWrite = .some(live.tree) }
      live.tree = nil
      sectioned[ObjectIdentifier(live)] = .some(nil)
    }
    // Section keys may depend on any object, so that all orders have to be updated before.
    for sections in liveSections() {
      if let members = sectioned[ObjectIdentifier(sections.ranked.live)] { sections.collect(members) }
    }
  }

  /// Updates an order with changes of the open transaction; returns the changed members if sections need
  /// them.
  private func collect(
    _ objects: ChangedObjects, in live: LiveQuery
  ) throws(StoreError) -> [MemberChange]? {
    guard var tree = live.tree else { return nil }
    let modified = try live.sectionFilter.map { (filter) throws(StoreError) in
      try objects.modified(filter, of: live.query.elements)
    }
    let places = try live.query.placeChanges(objects, modified: modified ?? ModifiedObjects(), from: tree)
    if places.isEmpty { return nil }
    // Sections need both orders; otherwise the tree is changed in place.
    let old = live.sectionFilter == nil ? nil : tree
    if live.treeBeforeWrite == nil { live.treeBeforeWrite = .some(tree) }
    // A tree with two references would be copied on its first change.
    live.tree = nil
    defer { live.tree = tree }
    try live.query.advance(&tree, by: places, on: objects.reader.statements)
    return old.map { live.query.memberChanges(from: $0, to: tree, places) }
  }
}

extension Coordinator {
  /// Whether no callback is registered.
  fileprivate var isUnobserved: Bool { lock.withLock { subscriptions.isEmpty } }

  /// Whether a collection is in use whose order has to be updated. Its order need not have been read: what is
  /// delivered when the write begins may bring it.
  fileprivate var hasCollections: Bool {
    lock.withLock { collections.contains { $0.value != nil } }
  }
}
