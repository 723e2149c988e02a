/// How a store that writes keeps the write-ahead log short.
///
/// The log can be started anew when all of it has been written back into the file and no snapshot of anybody
/// needs it. While others observe, that does not come about by itself: whenever SQLite writes the log back,
/// some observer stands at a version or two before the newest. So whoever makes the log too long waits for
/// the observers, which takes them as long as a delivery.
extension Store {
  /// When to do something about a log that has become long; in frames, each a page.
  struct LogUpkeep {
    /// The length from which on it is tried next.
    private var next = WALIndex.longLog

    /// How many milliseconds to wait for each of two things: that the others stand at the newest version, and
    /// then beside the log.
    static let patience: Int32 = 16

    /// The length from which on those who only observe do something about the log as well: a program that
    /// writes it without a pause does not know how to. In frames.
    static let endless = 4 * WALIndex.longLog

    /// Commits since it was last tried where the length is not known.
    private var commits = 0

    /// Counts a commit to a log of unknown length; whether something is to be done about it.
    mutating func isDueAfterCommit() -> Bool {
      commits = (commits + 1) % 256
      return commits == 0
    }

    mutating func isDue(frames: UInt32) -> Bool {
      if frames <= WALIndex.longLog { next = WALIndex.longLog }
      guard frames > next else { return false }
      // Somebody who takes no turns cannot be waited for: the longer it lasts the more seldom it is tried.
      next = frames + frames / 2
      return true
    }
  }

  /// Lets go of the place in a long log that the snapshot has kept since before its own commits, and has the
  /// log written back.
  ///
  /// - Parameter version: What was just committed; the worker is held.
  func keepLogShort(_ version: Int64) {
    guard let index = coordinator.index else {
      keepUnknownLogShort(version)
      return
    }
    guard let header = index.header() else { return }
    let isDue = logUpkeep.isDue(frames: header.frames)
    guard header.isLogLong else { return }
    // Kept until the others have moved: they would only go on committing.
    let connection = coordinator.back.connection
    let isHeld =
      isDue && connection.repeating(milliseconds: LogUpkeep.patience) { connection.take(.write) }
    defer { if isHeld { connection.release(.write) } }
    do throws(StoreError) {
      // With every commit: nobody knows when this store does something the next time. Between the commit and
      // now another process may have committed; then the worker has it delivered.
      if try coordinator.back.open() == version {
        showBack()
        if isHeld { standBesideLog(version, index) }
      }
    } catch {
      // Nothing is lost: the snapshot goes on holding what it holds.
    }
    coordinator.back.close()
  }

  /// Does so where the length of the log is not known. SQLite's own way is none: it does not wait for this
  /// store, which holds a version of the log whenever it commits, and could lose commits (``LogLock``).
  private func keepUnknownLogShort(_ version: Int64) {
    guard logUpkeep.isDueAfterCommit() else { return }
    do throws(StoreError) {
      if try coordinator.back.open() == version { showBack() }
      if try coordinator.back.openBesideLog(nil) == version { showBack() }
    } catch {
      // Nothing is lost: the snapshot goes on holding what it holds.
    }
    coordinator.back.close()
  }

  /// Goes to the newest version, and beside the log when that has been written back, where the log is long
  /// and this store waits for the write lock: another one may be waiting for it to let go. Its observers are
  /// called when the write begins, or on a turn when it does not.
  func keepUpWhileWaiting() throws(StoreError) {
    guard let index = coordinator.index, let header = index.header(), header.isLogLong, !front.isPinned,
      autorefresh, !isDelivering, undelivered.isEmpty
    else { return }
    let back = coordinator.back
    defer { coordinator.back.close() }
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

  /// Begins the change log anew where its newest number is one after which no change can be told, unless
  /// another program is writing at this moment; the next write does it too.
  func beginLogAnew() {
    guard !configuration.isReadOnly, !isClosed, !isInWriteTransaction, !isDelivering, autorefresh,
      ChangeLog.isExhausted(at: coordinator.version)
    else { return }
    let connections = (front.connection, coordinator.back.connection)
    do throws(StoreError) {
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

  /// Delivers the newest version when others have made the log very long, and has the snapshot stand beside
  /// the log.
  ///
  /// Nobody can commit meanwhile. That is the only way when somebody writes without a pause: whenever the log
  /// is written back, this snapshot is at an earlier version than the newest, and the next writer does not
  /// start the log anew.
  ///
  /// - Parameter pending: What there is to deliver.
  /// - Returns: Whether it was delivered, or something newer.
  func deliverBesideLog(_ pending: Delivery) -> Bool {
    guard signal != nil, !front.isPinned, !pending.isUnexamined, let index = coordinator.index,
      let header = index.header(), header.frames > LogUpkeep.endless,
      turnLogUpkeep.isDue(frames: header.frames)
    else { return false }
    let back = coordinator.back
    let connection = back.connection
    guard connection.repeating(milliseconds: LogUpkeep.patience, { connection.take(.write) }) else {
      return false
    }
    var isHeld = true
    // Once only: a callback may have it with a write of its own.
    func release() {
      if isHeld { connection.release(.write) }
      isHeld = false
    }
    defer { release() }
    do throws(StoreError) {
      let input = coordinator.input()
      let version = try back.open()
      let delivery =
        version == pending.version
        ? pending : try input.calculate(old: front, new: back, newVersion: version)
      deliver(delivery) {
        standBesideLog(version, index)
        release()
      }
      return true
    } catch {
      // The observers hear of it from the worker.
      coordinator.lookAgain()
      return true
    }
  }

  /// Waits for the others, has the log written back and waits for them to let go of it; nobody can commit.
  private func standBesideLog(_ version: Int64, _ index: WALIndex) {
    let back = coordinator.back
    defer { coordinator.back.close() }
    do throws(StoreError) {
      signal?.post()
      let isWrittenBack = try back.connection.repeating(milliseconds: LogUpkeep.patience) {
        () throws(StoreError) in try back.writeLogBack(.passive, holdsWriteLock: true)
      }
      guard isWrittenBack, try back.openBesideLog(index) == version else { return }
      showBack()
      // Those who observe take it for a sign that the log is written back.
      signal?.post()
      let other = coordinator.back.connection
      let isFree = other.repeating(milliseconds: LogUpkeep.patience) { other.take(.allReading) }
      if isFree { other.release(.allReading) }
    } catch {
      // Nothing is lost: the log goes on growing.
    }
  }

  /// Has the write that is about to begin start the log anew, if all of it has been written back.
  func leaveLog() throws(StoreError) {
    guard front.needsLog, !front.isPinned, let version = front.version, let index = coordinator.index,
      let header = index.header(), header.isLogLong, index.isWrittenBack(header)
    else { return }
    if try coordinator.back.openBesideLog(index) == version { showBack() }
    coordinator.back.close()
  }

  /// Keeps everybody from writing the log back while the write that has just begun may start it anew; see
  /// ``LogLock``.
  ///
  /// Where another program is about to write it back, this write does not start it anew.
  func guardLogRestart(on snapshot: Snapshot) {
    if let index = coordinator.index {
      guard let header = index.header(), header.frames > 0, index.isWrittenBack(header) else { return }
    }
    let connection = snapshot.connection
    if connection.take(.checkpoint) {
      logGuard = (connection, .checkpoint)
    } else {
      // One that holds a version may have the lock already, and would lose it with ours.
      let other = snapshot === front ? coordinator.back : front
      if other.version == nil, other.connection.take(.reading) { logGuard = (other.connection, .reading) }
    }
  }

  func endLogGuard() {
    guard let (connection, lock) = logGuard else { return }
    logGuard = nil
    connection.release(lock)
  }

  /// Goes on with the other snapshot, of the same version.
  private func showBack() {
    coordinator.swapSnapshots()
    coordinator.back.close()
  }
}
