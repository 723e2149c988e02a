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

  /// Gives changes that wait to be sent the number that this machine gets: by it, it knows them for its own
  /// when they lose.
  ///
  /// - Complexity: O(objects that wait).
  func renumberWaitingChanges(to number: Int64) throws(StoreError) {
    for identity in try (waitingObjects() + objectsSetAside()).map(\.identity) {
      // Where everything is sent again, others have most of it under the former number.
      guard case (var object, let waiting?)? = try known(identity), waiting > 0 else { continue }
      object.replace(replica, by: number, since: waiting)
      try statements.prepare("UPDATE \(SyncTables.objects) SET cells = ? WHERE type = ? AND key = ?").run(
        .blob(object.packed), .integer(try self.number(ofType: identity.type)), identity.key)
    }
  }
}

extension KnownObject {
  /// Gives changes of a machine since a stamp the number of another one.
  fileprivate mutating func replace(_ replica: Int64, by other: Int64, since stamp: Int64) {
    func isMeant(_ clock: HybridClock) -> Bool { clock.replica == replica && clock.stamp >= stamp }
    if let deletion, isMeant(deletion) { self.deletion?.replica = other }
    for (number, cell) in cells where isMeant(cell.clock) { cells[number]?.clock.replica = other }
  }

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
