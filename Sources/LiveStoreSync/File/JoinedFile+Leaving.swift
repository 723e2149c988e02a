import LiveStore

/// Leaving a space, and coming back to it with the same file.
extension JoinedFile {
  /// The name of no table: under it the change log has the number of the space that was left, and the version
  /// that the file had of it. All that comes behind it in the log is not known to the space; with other old
  /// rows it goes at some time.
  private static let left = "_livesync_left"
  /// The number of unsent changes from which on the log says that anything may have been changed.
  private static let mostUnsent = 1000

  /// Takes the file out of its space; its objects stay.
  func leave() throws(StoreError) {
    // A file that cannot be looked at any more may be left, too.
    _ = try? write { () throws(StoreError) in try capture() }
    let left = "\(state[text: .space]) \(known.number) \(known.mark)"
    try connection.transaction { () throws(StoreError) in
      // Of changes that the space lacks a person is to be told if they lose when the file comes back.
      let unsent = try isLookedAt ? unsentIdentities() : nil
      for table in SyncTables.all { try connection.execute("DROP TABLE IF EXISTS \(table)") }
      for sql in SyncTables.removingTime { try connection.execute(sql) }
      if let unsent {
        try log(.text(Self.left), .text(left))
        for identity in unsent.prefix(Self.mostUnsent) { try log(.text(identity.type), identity.key) }
        if unsent.count > Self.mostUnsent { try log(.null, .null) }
      }
      try connection.execute(PositionKey.settingRun(ofMachine: nil))
    }
  }

  /// Adds a row to the change log, which says of a row of a table that all of it may have been changed.
  private func log(_ table: SQLiteValue, _ key: SQLiteValue) throws(StoreError) {
    try statements.prepare("INSERT INTO \(LogTable.name) (\"table\", key, columns) VALUES (?, ?, -1)").run(
      table, key)
  }

  /// The version of a space that a file had when it was taken out of it, as far as the change log says so.
  static func versionAtLeaving(_ space: Int64, path: String) throws(StoreError) -> SpaceVersion? {
    let (connection, _) = try open(path)
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
      guard numbers.count == 3, numbers[0] == space else { continue }
      return (rows.integer(0), rows.value(1), SpaceVersion(number: numbers[1], mark: numbers[2]))
    }
    return nil
  }

  /// The version that the file had of the space to which it comes back, and the objects that have been
  /// changed since; `nil` if it does not come back, or the change log does not say.
  func changesSinceLeaving() throws(StoreError) -> (version: Int64, touched: [SyncedObject.Identity])? {
    guard let space = Int64(state[text: .space]), let leaving = try Self.leaving(of: space, statements),
      let touched = try objectsTouched(after: leaving.number, mark: leaving.mark)
    else { return nil }
    return (leaving.version.number, touched)
  }

  /// Notes what a file has as it was when it left the space to which it comes back, as far as the change log
  /// says so: whatever the space has of these objects is later, and no person here has lost anything to it.
  ///
  /// - Parameter comparesAll: Whether what the space lacks of it was deleted, and is not sent.
  func noteUnchangedSinceLeaving(comparesAll: Bool) throws(StoreError) {
    if comparesAll, let space = Int64(state[text: .space]),
      let leaving = try Self.leaving(of: space, statements)
    {
      (state[integer: .version], state[integer: .mark]) = (leaving.version.number, leaving.version.mark)
      state[integer: .fetchesAll] = 1
    }
    guard let touched = try changesSinceLeaving().map({ Set($0.touched) }) else { return }
    for object in try waitingObjects() where !touched.contains(object.identity) {
      guard var known = try known(object.identity)?.object else { continue }
      for number in known.cells.keys { known.cells[number]?.clock = .sinceLeaving }
      try keep(known, as: object.identity, waiting: comparesAll ? nil : 0)
    }
  }

  /// Tells of the objects that were deleted here while the file was in no space, and that the space still
  /// has: they stay, since the others have not deleted them. One in another of them is told with it.
  ///
  /// - Parameter objects: Those that have been changed here, as the space has them.
  func noteKept(_ objects: [SyncedObject]) throws(StoreError) {
    var kept: [SyncedObject.Identity: SyncedObject] = [:]
    for object in objects where object.deletion == nil {
      guard let table = layout.classes[object.identity.type], try known(object.identity) == nil,
        try !exists(object.identity.key, in: table)
      else { continue }
      kept[object.identity] = object
    }
    for (identity, object) in kept.sorted(by: { $0.key.key.precedes($1.key.key) }) {
      let place = object.cells[SyncedObject.place].flatMap { Placement($0.value) }
      if let place, let list = layout.lists[place.list],
        kept[SyncedObject.Identity(type: list.ownerClass, key: place.owner)] != nil
      {
        continue
      }
      try note(SyncConflict.Kind.kept.rawValue, RemoteObject(ofUnknown: identity), mine: [:])
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
