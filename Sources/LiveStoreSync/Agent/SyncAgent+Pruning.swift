import LiveStore

extension SyncAgent {
  private static let day: Int64 = 86_400_000

  /// Has the server forget old deletions, once a day for each file; the server does it once a day for each
  /// space.
  ///
  /// A refusal is no error, since the server may do it tomorrow; only a lost connection is.
  func pruneDaily() throws {
    guard let connection, file.maySend else { return }
    let now = connection.serverTime
    guard abs(now - file.state[integer: .pruned]) > Self.day else { return }
    do {
      try connection.prune()
    } catch {
      if error.code == .connectionLost { throw error }
    }
    try note(pruned: now)
  }

  private func note(pruned time: Int64) throws(StoreError) {
    try file.write { () throws(StoreError) in file.state[integer: .pruned] = time }
  }
}
