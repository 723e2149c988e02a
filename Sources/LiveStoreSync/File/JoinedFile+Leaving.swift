import LiveStore

/// Leaving a space, and coming back to it with the same file.
extension JoinedFile {
  /// The name of no table: under it the change log has the number of the space that was left, and the version
  /// that the file had of it. All that comes behind it in the log was changed since; with other old rows it
  /// goes at some time.
  private static let left = "_livesync_left"

  /// Takes the file out of its space; its objects stay.
  func leave() throws(StoreError) {
    // A file that cannot be looked at any more may be left, too.
    _ = try? write { () throws(StoreError) in try capture() }
    let left = "\(state[text: .space]) \(known.number) \(known.mark)"
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      // Of changes that the space lacks a person is to be told if they lose when the file comes back.
      let isInStep = try !hasNews && state[integer: .asideCount] == 0
      for table in SyncTables.all { try connection.execute("DROP TABLE IF EXISTS \(table)") }
      for sql in SyncTables.removingTime { try connection.execute(sql) }
      if isInStep {
        try statements.prepare("INSERT INTO \(LogTable.name) (\"table\", key) VALUES (?, ?)").run(
          .text(Self.left), .text(left))
      }
      try connection.execute(PositionKey.settingRun(ofMachine: nil))
      try connection.commit()
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// The version of a space that a file had when it was taken out of it, as far as the change log says so.
  static func versionAtLeaving(_ space: Int64, path: String) throws(StoreError) -> SpaceVersion? {
    let connection = try Connection(path: path, create: false)
    let log = try connection.firstValue("SELECT 1 FROM sqlite_schema WHERE name = \(literal(LogTable.name))")
    return log == nil ? nil : try leaving(of: space, connection.instance)?.version
  }

  /// The place in the change log at which a file left a space.
  private static func leaving(
    of space: Int64, _ statements: StatementCache
  ) throws(StoreError) -> (number: Int64, mark: SQLiteValue, version: SpaceVersion)? {
    let rows = try statements.prepare(
      "SELECT seq, mark, key FROM \(LogTable.name) WHERE \"table\" = ? ORDER BY seq DESC")
    rows.bind([.text(left)])
    defer { rows.reset() }
    while try rows.step() {
      let numbers = rows.text(2).split(separator: " ").compactMap { Int64($0) }
      guard numbers.first == space else { continue }
      // An earlier program noted the space alone.
      let version = numbers.count < 3 ? SpaceVersion() : SpaceVersion(number: numbers[1], mark: numbers[2])
      return (rows.integer(0), rows.value(1), version)
    }
    return nil
  }

  /// Notes what a file has as it was when it left the space to which it comes back, as far as the change log
  /// says so: whatever the space has of these objects is later, and no person here has lost anything to it.
  ///
  /// - Parameter comparesAll: Whether deletions have been forgotten since: what the space lacks of it was
  ///   deleted, and is not sent.
  func noteUnchangedSinceLeaving(comparesAll: Bool) throws(StoreError) {
    guard let space = Int64(state[text: .space]), let leaving = try Self.leaving(of: space, statements) else {
      return
    }
    state[integer: .cursor] = leaving.number
    state[.cursorMark] = leaving.mark
    if comparesAll {
      (state[integer: .version], state[integer: .mark]) = (leaving.version.number, leaving.version.mark)
      state[integer: .fetchesAll] = 1
    }
    guard let touched = try objectsTouchedSinceCursor() else { return }
    for object in try waitingObjects() where !touched.contains(object.identity) {
      guard var known = try known(object.identity)?.object else { continue }
      for number in known.cells.keys { known.cells[number]?.clock = .sinceLeaving }
      try keep(known, as: object.identity, waiting: comparesAll ? nil : 0)
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
