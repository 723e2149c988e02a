import LibC
import LiveStore

/// Waiting for the agent of a file in another process.
extension SyncedFile {
  /// The milliseconds for which an agent is waited for that gets no further; one that is offline tries again
  /// within them.
  private static let patience: Int64 = 120_000
  /// The milliseconds for which one is waited for that says it is refused, which may be the word of the last
  /// one.
  private static let patienceWithRefused: Int64 = 1000

  /// Waits until the agent of the file has sent all that has been changed here, and has fetched all that the
  /// space has when this is called.
  ///
  /// - Parameter onStatus: Called with how far the agent is, while it says that it is not in step.
  /// - Returns: False if no process carries the file, or none does any more.
  /// - Throws: The error for which ``SyncAgent/runOnce()`` could not exchange anything either, or the one of
  ///   the agent; ``SyncError`` if that gets no further for two minutes.
  public func waitForAgent(onStatus: (SyncStatus) -> Void = { _ in }) throws -> Bool {
    let file = try joinedFile()
    guard (try? SyncSign.read(database: path)) != nil else { return false }
    let version = try server(of: file).presentVersion()
    var last = SyncStatus()
    var end: Int64 = 0
    while let text = try? SyncSign.read(database: path) {
      if try isInStep(with: version) { return true }
      let status = SyncStatus(text: text)
      let present = ServerConnection.monotonicMilliseconds()
      if end == 0 || !status.isAsFar(as: last) {
        (last, end) = (
          status, present + (status.phase.needsPerson ? Self.patienceWithRefused : Self.patience)
        )
        if status.phase != .inStep { onStatus(status) }
      }
      guard present < end else {
        throw SyncError(
          .busy,
          status.reason.isEmpty
            ? "Another process carries “\(path)”, and has exchanged nothing for two minutes." : status.reason)
      }
      // No process is told when the agent has written its file.
      poll(nil, 0, 50)
    }
    return false
  }

  /// Whether nothing waits to be sent, and the file has everything up to a version of the space.
  private func isInStep(with version: Int64) throws -> Bool {
    let file = try joinedFile()
    return try file.complete.number >= version && !file.hasNews
  }
}

extension SyncStatus {
  /// Whether another status tells of no other progress.
  fileprivate func isAsFar(as other: SyncStatus) -> Bool {
    (phase, exchanged, waiting, done, reason) == (
      other.phase, other.exchanged, other.waiting, other.done, other.reason
    )
  }
}
