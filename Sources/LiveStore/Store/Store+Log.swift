/// The upkeep of the write-ahead log by a store that writes.
///
/// The log can be restarted when all of it has been written back into the file and no snapshot needs it.
/// While other instances observe the file, this does not happen by itself: whenever SQLite writes the log
/// back, some observer's snapshot is a version or two behind. A writer that makes the log too long therefore
/// waits for the observers, which takes as long as a delivery.
extension Store {
  /// The schedule of the upkeep of a long log. Lengths are in frames, each a page.
  struct LogUpkeep {
    /// The length at which it is tried next.
    private var next = WALIndex.longLog

    /// The milliseconds to wait for each of two things: that the other snapshots are at the newest version,
    /// and then that they stand beside the log.
    static let patience: Int32 = 16

    /// The length at which instances that only observe do the upkeep as well, because the program that writes
    /// without a pause does not. In frames.
    static let endless = 4 * WALIndex.longLog

    /// The number of rows of a pending delivery whose changes an instance calculates again in its own turn.
    static let mostRowsCalculatedAgain = 1_000

    /// The commits since the last try, where the length is not known.
    private var commits = 0

    /// Counts a commit to a log of unknown length, and returns whether upkeep is due.
    mutating func isDueAfterCommit() -> Bool {
      commits = (commits + 1) % 256
      return commits == 0
    }

    mutating func isDue(frames: UInt32) -> Bool {
      if frames <= WALIndex.longLog { next = WALIndex.longLog }
      guard frames > next else { return false }
      // An instance that takes no turns cannot be waited for, so tries become rarer while the log grows.
      next = frames + frames / 2
      return true
    }

    /// Whether upkeep has not been due since the log was short.
    var isFirst: Bool { next == WALIndex.longLog }

    /// The same for an instance that only observes.
    mutating func isDueInTurn(frames: UInt32) -> Bool {
      if frames <= LogUpkeep.endless { next = WALIndex.longLog }
      return frames > LogUpkeep.endless && isDue(frames: frames)
    }
  }

  /// Releases the position in a long log that the snapshot has kept since before its own commits, and has the
  /// log written back. Called in phase `held`, after the commit of a version.
  func keepLogShort(_ version: Int64) {
    guard let index = coordinator.index else {
      keepUnknownLogShort(version)
      return
    }
    guard let header = index.header() else { return }
    let isDue = logUpkeep.isDue(frames: header.frames)
    guard header.isLogLong else { return }
    // Held until the other instances have advanced; otherwise they would keep committing.
    // Nothing is lost without it: the snapshot keeps its version.
    guard let connection = try? coordinator.back.connection else { return }
    let isHeld =
      isDue && connection.repeating(milliseconds: LogUpkeep.patience) { connection.take(.write) }
    defer { if isHeld { connection.release(.write) } }
    do throws(StoreError) {
      // With every commit, because this store may not do anything for a long time. Another process may have
      // committed in between; the worker then calculates the delivery.
      if try coordinator.back.open() == version {
        showBack()
        if isHeld { standBesideLog(version, index) }
      }
    } catch {
      // Nothing is lost: the snapshot keeps its version.
    }
    coordinator.closeBack()
  }

  /// Shortens a log whose length is not known. SQLite's automatic checkpoint does not help: it does not wait
  /// for this store, which holds a version whenever it commits, and it could lose commits (``LogLock``).
  private func keepUnknownLogShort(_ version: Int64) {
    guard logUpkeep.isDueAfterCommit() else { return }
    do throws(StoreError) {
      if try coordinator.back.open() == version { showBack() }
      if try coordinator.back.openBesideLog(nil) == version { showBack() }
    } catch {
      // Nothing is lost: the snapshot keeps its version.
    }
    coordinator.closeBack()
  }

  /// Advances while this store waits for the write lock and the log is long, because the owner of the lock
  /// may be waiting for this snapshot. If the log has been written back, the new snapshot stands beside it.
  /// The observers are called when the write begins, or fails to.
  func advanceWhileWaiting() throws(StoreError) {
    guard let index = coordinator.index, let header = index.header(), header.isLogLong, !front.isPinned,
      autorefresh, !turns.isDelivering, !turns.owesCalls
    else { return }
    let back = try coordinator.back
    defer { coordinator.closeBack() }
    let input = coordinator.input()
    let version: Int64
    if index.isWrittenBack(header) {
      guard let newest = try back.openBesideLog(index) else { return }
      version = newest
    } else {
      version = try back.open()
    }
    if version != input.version {
      deliver(try input.calculate(old: front, new: back, newVersion: version), makesCalls: false)
    } else if !back.needsLog {
      coordinator.swapSnapshots()
    }
  }

  /// Restarts the change log when its newest number has no successor, unless another program is writing at
  /// this moment; the next write tries it too.
  func beginLogAnew() {
    guard !configuration.isReadOnly, !isClosed, !isInWriteTransaction, !turns.isDelivering, autorefresh,
      ChangeLog.isExhausted(at: coordinator.version)
    else { return }
    do throws(StoreError) {
      let connections = (front.connection, try coordinator.back.connection)
      try connections.0.withBusyTimeout(milliseconds: 0) { () throws(StoreError) in
        try connections.1.withBusyTimeout(milliseconds: 0) { () throws(StoreError) in
          try beginWrite()
          if isInWriteTransaction { try commitWrite() }
        }
      }
    } catch {
      // Nothing was written.
    }
  }

  /// Delivers the newest version when other programs have made the log very long, and moves the snapshot
  /// beside the log; returns whether the pending delivery, or a newer one, was made.
  ///
  /// Other programs cannot commit meanwhile. With a program that writes without a pause there is no other
  /// way: whenever the log is written back, this snapshot is behind the newest version, and the next writer
  /// does not restart the log.
  func deliverBesideLog(_ pending: Delivery) -> Bool {
    guard signal != nil, !front.isPinned, !pending.isUnexamined, let index = coordinator.index,
      let header = index.header()
    else { return false }
    let isFirst = turnLogUpkeep.isFirst
    guard turnLogUpkeep.isDueInTurn(frames: header.frames) else { return false }
    // One long transaction: writing it back takes long, and the worker does it when no more commits come. If
    // they do come, it is due again when the log is longer by half.
    let isLong = isFirst && index.framesToWriteBack(header) > LogUpkeep.endless
    // So does calculating the changes of very many rows here, which a commit after them would require.
    if isLong, pending.changes.count > LogUpkeep.mostRowsCalculatedAgain { return false }
    guard let back = try? coordinator.back else { return false }
    let connection = back.connection
    guard connection.repeating(milliseconds: LogUpkeep.patience, { connection.take(.write) }) else {
      return false
    }
    var isHeld = true
    // Only once: a callback may acquire the lock for its own write.
    func release() {
      if isHeld { connection.release(.write) }
      isHeld = false
    }
    defer { release() }
    do throws(StoreError) {
      let input = coordinator.input()
      let version = try back.open()
      if isLong, version == pending.version { return false }
      let delivery =
        version == pending.version
        ? pending : try input.calculate(old: front, new: back, newVersion: version)
      deliver(delivery) {
        standBesideLog(version, index)
        release()
      }
      return true
    } catch {
      // The worker calculates the delivery again.
      coordinator.requestCalculation()
      return true
    }
  }

  /// Waits for the other instances, has the log written back and waits until none of them needs it. Commits
  /// are blocked meanwhile.
  private func standBesideLog(_ version: Int64, _ index: WALIndex) {
    defer { coordinator.closeBack() }
    do throws(StoreError) {
      let back = try coordinator.back
      signal?.post()
      let isWrittenBack = try back.connection.repeating(milliseconds: LogUpkeep.patience) {
        () throws(StoreError) in try back.connection.writeLogBackAtOnce(holdsWriteLock: true)
      }
      guard isWrittenBack, try back.openBesideLog(index) == version else { return }
      showBack()
      // Observers take the signal as a sign that the log is written back.
      signal?.post()
      let other = try coordinator.back.connection
      let isFree = other.repeating(milliseconds: LogUpkeep.patience) { other.take(.allReading) }
      if isFree { other.release(.allReading) }
    } catch {
      // Nothing is lost: the log only keeps growing.
    }
  }

  /// Makes the write that is about to begin restart the log, if all of it has been written back.
  func leaveLog() throws(StoreError) {
    guard front.needsLog, !front.isPinned, let version = front.version, let index = coordinator.index,
      let header = index.header(), header.isLogLong, index.isWrittenBack(header)
    else { return }
    if try coordinator.back.openBesideLog(index) == version { showBack() }
    coordinator.closeBack()
  }

  /// Prevents other programs from writing the log back while the write that has just begun may restart it;
  /// see ``LogLock``.
  ///
  /// If another program is about to write it back, this write does not restart it.
  func guardLogRestart(on snapshot: Snapshot) {
    if let index = coordinator.index {
      guard let header = index.header(), header.frames > 0, index.isWrittenBack(header) else { return }
    }
    let connection = snapshot.connection
    if connection.take(.checkpoint) {
      logGuard = (connection, .checkpoint)
    } else {
      // A connection that holds a version may have the lock already, and would lose it when this one is
      // released.
      guard let other = snapshot === front ? try? coordinator.back : front else { return }
      if other.version == nil, other.connection.take(.reading) { logGuard = (other.connection, .reading) }
    }
  }

  func endLogGuard() {
    guard let (connection, lock) = logGuard else { return }
    logGuard = nil
    connection.release(lock)
  }

  /// Shows the other snapshot, which has the same version.
  private func showBack() {
    coordinator.swapSnapshots()
    coordinator.closeBack()
  }
}
