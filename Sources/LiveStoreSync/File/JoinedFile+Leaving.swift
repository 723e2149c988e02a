import LiveStore

/// Leaving a space, and coming back to it with the same file.
extension JoinedFile {
  /// The name of no table: under it the change log has the number of the space that was left. All that comes
  /// behind it in the log was changed since; with other old rows it goes at some time.
  private static let left = "_livesync_left"

  /// Takes the file out of its space; its objects stay.
  func leave() throws(StoreError) {
    // A file that cannot be looked at any more may be left, too.
    _ = try? write { () throws(StoreError) in try capture() }
    let space = state[text: .space]
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      // Of changes that the space lacks a person is to be told if they lose when the file comes back.
      let isInStep = try !hasNews && state[integer: .asideCount] == 0
      for table in SyncTables.all { try connection.execute("DROP TABLE IF EXISTS \(table)") }
      for sql in SyncTables.removingTime { try connection.execute(sql) }
      if isInStep {
        try statements.prepare("INSERT INTO \(LogTable.name) (\"table\", key) VALUES (?, ?)").run(
          .text(Self.left), .text(space))
      }
      try connection.execute(PositionKey.settingRun(ofMachine: nil))
      try connection.commit()
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// Notes what a file has as it was when it left the space to which it comes back, as far as the change log
  /// says so: whatever the space has of these objects is later, and no person here has lost anything to it.
  func noteUnchangedSinceLeaving() throws(StoreError) {
    let row = try statements.prepare(
      "SELECT seq, mark FROM \(LogTable.name) WHERE \"table\" = ? AND key = ? ORDER BY seq DESC LIMIT 1")
    row.bind([.text(Self.left), .text(state[text: .space])])
    guard try row.step() else { return }
    state[integer: .cursor] = row.integer(0)
    state[.cursorMark] = row.value(1)
    row.reset()
    guard let touched = try objectsTouchedSinceCursor() else { return }
    for object in try waitingObjects() where !touched.contains(object.identity) {
      guard var known = try known(object.identity)?.object else { continue }
      for number in known.cells.keys { known.cells[number]?.clock = .sinceLeaving }
      try keep(known, as: object.identity, waiting: 0)
    }
  }
}

extension HybridClock {
  /// The clock of values that the space had when the file left it: before all others, and of no machine.
  fileprivate static let sinceLeaving = HybridClock(stamp: 0, replica: 0)
}

extension KnownObject {
  /// Whether no program on this machine has changed the object since the file left the space.
  var isUnchangedSinceLeaving: Bool {
    !cells.isEmpty && cells.values.allSatisfy { $0.clock == .sinceLeaving }
  }
}
