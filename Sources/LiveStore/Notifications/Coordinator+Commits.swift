import CLinux

/// The handling of the watcher's events, which finds out without opening a snapshot whether there is a new
/// version.
extension Coordinator {
  /// The commits that the worker has looked for.
  struct Commits {
    /// The header of the index before the last look.
    var seen: WALIndex.Header?
    /// Whether the last wait for a commit that was being written succeeded.
    var waits = true
  }

  /// The nanoseconds for which the watcher need not call again.
  ///
  /// A store without observers checks late, by some tens of transactions, so that a program that only writes
  /// is not woken by its own commits. A store that finds several versions at once lags behind a writer
  /// without pauses, and takes the next versions together as well.
  var rest: Int64 {
    lock.withLock {
      if !hasObservers { return 4_000_000 }
      return isBehind ? 300_000 : 0
    }
  }

  /// The usual nanoseconds from the first write of a commit to the log until it is visible.
  private static let commitTime: Int64 = 40_000

  /// Looks for the commits that an event may stand for. Called by the watcher.
  func handle(_ event: CommitEvent) -> CommitEvent.Outcome {
    guard commits != nil else { return .upToDate }
    guard let index else {
      // Only a snapshot can show a commit, and not whether another one is about to follow.
      look()
      return .moreMayFollow
    }
    var header = index.header()
    if event == .pause, let header, header == commits?.seen {
      return index.isWrittenBack(header) || writeLogBack() ? .upToDate : .moreMayFollow
    }
    if event.isSubset(of: [.wal, .signal, .lookAgain, .lastLook, .pause]), header == commits?.seen {
      // The log is written before the commit is visible, and sleeping until then costs more than a short
      // wait.
      if event.contains(.wal), commits?.waits == true, isWaitingForCommits { header = waitForCommit(index) }
      if let header, header == commits?.seen, !mayLetLogRestart(event, header, index) {
        return outcome(header, index, event)
      }
    }
    if header != nil { commits?.waits = true }
    // Set before the look, which may see more but never less.
    commits?.seen = header
    look()
    return outcome(header, index, event)
  }

  /// Whether the snapshot may move beside a long log now: some time after the last commit, or when a writer
  /// has signalled that all of the log has been written back.
  private func mayLetLogRestart(
    _ event: CommitEvent, _ header: WALIndex.Header, _ index: WALIndex
  ) -> Bool {
    header.isLogLong && (event.contains(.lookAgain) || event.contains(.signal) && index.isWrittenBack(header))
  }

  private func outcome(
    _ header: WALIndex.Header?, _ index: WALIndex, _ event: CommitEvent
  ) -> CommitEvent.Outcome {
    guard let header else { return .moreMayFollow }
    if index.hasFrames(after: header) {
      // Frames also stay after a rollback, or when the process of a transaction is killed. Finding out takes
      // too long for each look.
      guard event.contains(.lastLook) else { return .moreMayFollow }
      // A writer that has released the lock may have committed since the header was read.
      return index.isBeingWritten || index.header() != header ? .commitMayFollow : .moreMayFollow
    }
    // If no more commits follow, an instance still has to do the upkeep of a long log.
    if header.isLogLong { return .moreMayFollow }
    return index.isWrittenBack(header) ? .upToDate : .logHasCommits
  }

  /// Waits a moment for the commit that is being written.
  private func waitForCommit(_ index: WALIndex) -> WALIndex.Header? {
    let start = SteadyClock.now()
    while true {
      // Reading the clock costs more than reading the header.
      for _ in 0..<16 {
        if let header = index.header(), header != commits?.seen { return header }
        clinux_pause()
      }
      if SteadyClock.now() - start > Self.commitTime {
        // A long transaction, or a slow disk: its further writes are not waited for.
        commits?.waits = false
        return index.header()
      }
    }
  }
}
