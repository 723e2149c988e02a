/// How a store that writes keeps the write-ahead log short.
///
/// The log can be started anew when all of it has been written back into the file and no snapshot of anybody needs it.
/// While others observe, that does not come about by itself: whenever SQLite writes the log back, some observer stands at
/// a version or two before the newest. So whoever makes the log too long waits for the observers, which takes them as long
/// as a delivery.
extension Store {
  /// When to do something about a log that has become long; in frames, each a page.
  struct LogUpkeep {
    /// The length from which on it is tried next.
    private var next = WALIndex.longLog

    /// How many milliseconds to wait for each of two things: that the others stand at the newest version, and then beside
    /// the log.
    static let patience: Int32 = 16

    mutating func isDue(frames: UInt32) -> Bool {
      if frames <= WALIndex.longLog { next = WALIndex.longLog }
      guard frames > next else { return false }
      // Somebody who takes no turns cannot be waited for: the longer it lasts the more seldom it is tried.
      next = frames + frames / 2
      return true
    }
  }

  /// Lets go of the place in a long log that the snapshot has kept since before its own commits, and has the log written
  /// back.
  ///
  /// - Parameter version: What was just committed; the worker is held.
  func keepLogShort(_ version: Int64) {
    guard let index = coordinator.index, let header = index.header() else { return }
    let isDue = logUpkeep.isDue(frames: header.frames)
    guard header.isLogLong else { return }
    do throws(StoreError) {
      // With every commit: nobody knows when this store does something the next time. Between the commit and now another
      // process may have committed; then the worker has it delivered.
      if try coordinator.back.open() == version {
        showBack()
        if isDue { try waitForReaders(version, index) }
      }
    } catch {
      // Nothing is lost: the snapshot goes on holding what it holds.
    }
    coordinator.back.close()
  }

  /// Waits until the others have delivered the newest version, and then until they have let go of the log.
  private func waitForReaders(_ version: Int64, _ index: WALIndex) throws(StoreError) {
    guard try coordinator.back.writeLogBack(.full, waiting: LogUpkeep.patience),
      try coordinator.back.openBesideLog(index) == version
    else { return }
    showBack()
    // Those who observe take it for a sign that the log is written back.
    signal?.post()
    _ = try coordinator.back.writeLogBack(.restart, waiting: LogUpkeep.patience)
  }

  /// Has the write that is about to begin start the log anew, if all of it has been written back.
  func leaveLog() throws(StoreError) {
    guard front.needsLog, !front.isPinned, let version = front.version, let index = coordinator.index,
      let header = index.header(), header.isLogLong, index.isWrittenBack(header)
    else { return }
    if try coordinator.back.openBesideLog(index) == version { showBack() }
    coordinator.back.close()
  }

  /// Goes on with the other snapshot, of the same version.
  private func showBack() {
    coordinator.swapSnapshots()
    coordinator.back.close()
  }
}
