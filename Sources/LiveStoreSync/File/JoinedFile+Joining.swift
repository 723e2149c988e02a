import LiveStore

/// Joining and leaving: adding to a file what carrying it takes, and taking that away again.
extension JoinedFile {
  /// A file's part in a space.
  struct Membership {
    var url: String
    var space: String
    var spaceName: String
    var machine: String
    var replica = Int64.random(in: 1...Int64.max)
    /// The milliseconds by which the server's clock is ahead.
    var clockOffset: Int64 = 0
    /// The classes that stay on this machine.
    var excluded: Set<String> = []
    /// The tables of the lists that own their elements.
    var places: Set<String> = []
  }

  /// The stamp of everything that is in a file when it is joined. It is earlier than all others, since nobody knows
  /// when the file was written: an object that the space has too keeps the space's values.
  private static let firstStamp: Int64 = 1

  /// Joins a file to a space. It must be a file of LiveStore.
  static func join(path: String, _ membership: Membership) throws(StoreError) -> JoinedFile {
    let connection = try Connection(path: path, create: false)
    connection.setBusyTimeout(milliseconds: 5000)
    guard try connection.firstValue("SELECT 1 FROM sqlite_schema WHERE name = '\(LogTable.name)'") != nil else {
      throw StoreError(.schema, "“\(path)” is no file that LiveStore has made; open it with its program first.")
    }
    if try SyncState(connection) != nil {
      throw StoreError(.misuse, "“\(path)” is joined already; leave its space first.")
    }
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      for sql in SyncTables.creation + SyncTables.addingTime { try connection.execute(sql) }
      guard var state = try SyncState(connection) else { preconditionFailure("The table was just created.") }
      state[text: .url] = membership.url
      state[text: .space] = membership.space
      state[text: .spaceName] = membership.spaceName
      state[text: .machine] = membership.machine
      state[integer: .replica] = membership.replica
      state[integer: .clockOffset] = membership.clockOffset
      state[lines: .excluded] = membership.excluded
      state[lines: .places] = membership.places
      state[integer: .stamp] = firstStamp
      try state.save(connection.instance)
      try connection.commit()
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
    guard let state = try SyncState(connection) else {
      throw StoreError(.misuse, "“\(path)” was taken out of its space at the same time.")
    }
    let file = try JoinedFile(path: path, connection: connection, state: state)
    try file.write { () throws(StoreError) in try file.captureFirst() }
    return file
  }

  /// Notes everything that the file has when it is joined.
  private func captureFirst() throws(StoreError) {
    try capture(everythingAt: Self.firstStamp)
    try skipOwnChanges()
  }

  /// Takes a file out of its space; its lists and tasks stay.
  static func leave(path: String) throws(StoreError) {
    let connection = try Connection(path: path, create: false)
    connection.setBusyTimeout(milliseconds: 5000)
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      for table in SyncTables.all { try connection.execute("DROP TABLE IF EXISTS \(table)") }
      for sql in SyncTables.removingTime { try connection.execute(sql) }
      try connection.commit()
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }
}
