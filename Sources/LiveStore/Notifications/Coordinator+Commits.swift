import CLinux

/// What the watcher's events mean: whether there is a new version at all is found out without opening a
/// snapshot.
extension Coordinator {
  /// Commits as far as the worker has looked for them.
  struct Commits {
    /// What the index said before the last look.
    var seen: WALIndex.Header?
    /// Whether waiting for a commit that is being written has paid off the last time.
    var waits = true
  }

  /// How long, in nanoseconds, the watcher need not call again.
  ///
  /// Whom nobody waits for is some tens of transactions late, so that a program that only writes is not woken
  /// by each of its own. Whoever finds several versions at once is behind somebody who writes without a
  /// pause, and takes the next ones together as well.
  var rest: Int64 {
    lock.withLock {
      if !hasObservers { return 4_000_000 }
      return isBehind ? 300_000 : 0
    }
  }

  /// How long a commit takes, as a rule, from its first write to the log until it is visible.
  private static let commitTime: Int64 = 40_000

  /// Looks for the commits that an event may stand for. Called by the watcher.
  func handle(_ event: CommitEvent) -> CommitEvent.Outcome {
    guard commits != nil else { return .upToDate }
    guard let index else {
      // Only a snapshot tells, and not whether more is about to be committed.
      look()
      return .moreMayFollow
    }
    var header = index.header()
    if event.isSubset(of: [.wal, .signal, .lookAgain, .lastLook]), header == commits?.seen {
      // The log is written before the commit is visible, and sleeping until it is costs more than the short
      // wait.
      if event.contains(.wal), commits?.waits == true, isObserved { header = waitForCommit(index) }
      if let header, header == commits?.seen, !mayLetLogRestart(event, header, index) {
        return outcome(header, index, event)
      }
    }
    if header != nil { commits?.waits = true }
    // Noted before the look, which may see more but never less.
    commits?.seen = header
    look()
    return outcome(header, index, event)
  }

  /// Whether a log that has become long may be let go of now: some time after the last commit, or when a
  /// writer has said that all of it has been written back.
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
      // Frames also stay when a transaction is taken back, or its process killed. Finding out takes too long
      // for each look.
      guard event.contains(.lastLook) else { return .moreMayFollow }
      // A writer that no longer holds the lock may have committed since the header was read.
      return index.isBeingWritten || index.header() != header ? .commitMayFollow : .moreMayFollow
    }
    // When nothing more comes, somebody has to look after a log that has become long.
    return header.isLogLong ? .moreMayFollow : .upToDate
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
