import LiveStore

/// Setting back what a clock that was ahead has dated too late.
extension JoinedFile {
  /// Dates changes that wait to be sent, and are dated after the time by the server's clock, at that time, or
  /// just after the latest change that other machines may have seen. These have not seen those that wait and
  /// are not in the space.
  ///
  /// - Parameters:
  ///   - milliseconds: The time by the server's clock.
  ///   - offset: How far the server's clock is ahead of this machine's.
  ///   - space: The space, which has some of what waits if the answer to a push was lost.
  /// - Complexity: O(objects that wait).
  func setBackClocks(
    to milliseconds: Int64, offset: Int64, with space: some SpaceConnection
  ) throws {
    var latestThere: Int64 = 0
    _ = try space.pull(after: complete.number) { objects in
      latestThere = max(latestThere, objects.lazy.compactMap(\.object.latest?.stamp).max() ?? 0)
    }
    try write { () throws(StoreError) in
      state[integer: .clockOffset] = offset
      try capture()
      // Stamps later than that are in the space under no number of this machine, former ones included.
      let latest = HybridClock(
        stamp: max(
          milliseconds << HybridClock.counterBits, state[integer: .sharedStamp] + 1, latestThere + 1),
        replica: replica)
      for identity in try waitingObjects().map(\.identity) {
        guard var (object, waiting) = try known(identity) else { continue }
        object.setBack(to: latest)
        waiting = waiting.map { min($0, latest.stamp) }
        try keep(object, as: identity, waiting: waiting)
      }
      state[integer: .stamp] = min(state[integer: .stamp], latest.stamp)
    }
  }
}

extension KnownObject {
  /// Gives changes with later stamps a clock.
  fileprivate mutating func setBack(to latest: HybridClock) {
    if let deletion, deletion.stamp > latest.stamp { self.deletion = latest }
    for (replica, stamp) in known { known[replica] = min(stamp, latest.stamp) }
    for (number, cell) in cells {
      if cell.clock.stamp > latest.stamp { cells[number]?.clock = latest }
      if let basis = cell.basis, basis.stamp > latest.stamp { cells[number]?.basis = latest }
    }
  }
}
