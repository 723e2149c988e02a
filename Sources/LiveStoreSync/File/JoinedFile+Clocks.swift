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
  /// - Complexity: O(objects of the file).
  func setBackClocks(
    to milliseconds: Int64, offset: Int64, with space: some SpaceConnection
  ) throws {
    var latestThere: Int64 = 0
    _ = try space.pull(after: known.number) { [replica] objects in
      for object in objects.lazy.map(\.object) {
        let clocks = object.cells.values.map(\.clock) + [object.deletion].compactMap(\.self)
        for clock in clocks where clock.replica == replica { latestThere = max(latestThere, clock.stamp) }
      }
    }
    try write { () throws(StoreError) in
      state[integer: .clockOffset] = offset
      try capture()
      let seen = try max(latestSeen(), latestThere)
      let latest = max(milliseconds << HybridClock.counterBits, seen + 1)
      for identity in try waitingObjects().map(\.identity) {
        guard let (known, waiting) = try known(identity), let waiting else { continue }
        var object = known
        if let deletion = known.deletion { object.deletion = setBack(deletion, since: waiting, to: latest) }
        if let stamp = known.known[replica] { object.known[replica] = min(stamp, latest) }
        for (number, cell) in known.cells {
          object.cells[number]?.clock = setBack(cell.clock, since: waiting, to: latest)
        }
        try keep(object, as: identity, waiting: min(waiting, latest))
      }
      state[integer: .stamp] = min(state[integer: .stamp], latest)
    }
  }

  private func isWaiting(_ clock: HybridClock, since waiting: Int64?) -> Bool {
    waiting.map { clock.replica == replica && clock.stamp >= $0 } ?? false
  }

  private func setBack(_ clock: HybridClock, since waiting: Int64, to latest: Int64) -> HybridClock {
    guard isWaiting(clock, since: waiting), clock.stamp > latest else { return clock }
    return HybridClock(stamp: latest, replica: replica)
  }

  /// The latest stamp of the changes that other machines may have seen.
  private func latestSeen() throws(StoreError) -> Int64 {
    let rows = try Statement(connection, "SELECT life, cells, waiting FROM \(SyncTables.objects)")
    var latest: Int64 = 0
    while try rows.step() {
      guard case .blob(let bytes) = rows.value(1),
        let object = KnownObject(life: rows.integer(0), packed: bytes)
      else { continue }
      let waiting = rows.isNull(2) ? nil : rows.integer(2)
      let clocks = object.cells.values.map(\.clock) + [object.deletion].compactMap(\.self)
      for clock in clocks where !isWaiting(clock, since: waiting) { latest = max(latest, clock.stamp) }
    }
    return latest
  }
}
