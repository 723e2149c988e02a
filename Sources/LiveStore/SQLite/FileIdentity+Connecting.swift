import LibC

extension FileIdentity {
  /// Opens a connection to the file, and to no other that has got its name.
  ///
  /// - Parameter prepare: Called with the connection before it reads anything.
  /// - Throws: ``StoreError/Code/fileAccess`` if another file has the name now, or the name is that of one
  ///   that another program has open; nothing was read or written then.
  package func connect(
    isReadOnly: Bool = false, _ prepare: (Connection) -> Void = { _ in }
  ) throws(StoreError) -> Connection {
    let connection = try Connection(path: files.path, create: false, isReadOnly: isReadOnly)
    prepare(connection)
    // Only after SQLite has opened the file for writing: on layered file systems that makes another file of
    // it.
    noteDatabase()
    // Before it reads anything: SQLite would take the log of one file for that of another.
    connection.claim = try claim(createsFile: false)
    try requireSameFile(connection)
    connection.identity = self
    return connection
  }

  /// Claims the name also where there was no signal file yet, which is created: for a file that has been
  /// found to be a store.
  func claimName(for connections: [Connection]) throws(StoreError) {
    for connection in connections where connection.claim == nil {
      connection.claim = try claim(createsFile: true)
    }
  }

  /// Throws unless SQLite has opened the intended file: another file may get its name at any moment.
  func requireSameFile(_ connection: Connection) throws(StoreError) {
    try check()
    guard connection.hasMoved else { return }
    throw StoreError(.fileAccess, "“\(files.path)” was replaced while it was being opened; try again.")
  }
}
