import LiveStore

/// The other machines of a joined file's space, and the server where they meet.
extension SyncedFile {
  /// The machines that share the space, as the server tells; the last seen first. When they were seen is by
  /// this machine's clock, which may be wrong, as in ``SyncStatus/machines``.
  public func machines() throws -> [SpaceMachine] {
    let server = try server()
    return try server.machines().map {
      var machine = $0
      machine.seen -= server.clockOffset
      return machine
    }
  }

  /// The number of this file's machine, as ``SpaceMachine/replica`` has it.
  public func replica() throws -> Int64 {
    try joinedFile().replica
  }

  /// Has the server forget a machine that does not come back. It is one of the person's, or the person
  /// manages the space.
  ///
  /// Nothing of what it sent is lost, and if it comes back after all it goes on. While the server waits for
  /// it to come back, for 90 days, deletions that it has not seen are kept.
  ///
  /// - Throws: ``SyncError``, also for this machine, which leaves the space instead.
  public func forget(_ machine: SpaceMachine) throws {
    guard try machine.replica != replica() else {
      throw SyncError(.managersOnly, "\(machine.name) is this machine: it leaves with `tasks sync leave`.")
    }
    guard try server().forget(machine: machine.replica) else {
      throw SyncError(
        .managersOnly,
        "\(machine.name) is a machine of \(machine.role)'s, which only \(machine.role) and the managers can "
          + "forget.")
    }
  }

  /// The changes that stay on this machine because the server does not take them.
  ///
  /// Each is tried again when the object is changed again, and when an agent is started. What was changed in
  /// the same transaction stays here with it, and so does what leads to a new object among them.
  public func changesSetAside() throws -> [ChangeSetAside] {
    try joinedFile().refusals()
  }

  /// Has the file reach its space at another address, to which its server has moved. All else stays as it is;
  /// an agent that carries the file goes on there.
  ///
  /// - Returns: The role of the person on that server.
  /// - Throws: ``SyncError`` if that server cannot be reached, or does not have the space; then the file is
  ///   as it was.
  @discardableResult public func move(to url: ServerURL) throws -> String {
    let file = try joinedFile()
    let number = Int64(file.state[text: .space]) ?? 0
    let server = try ServerConnection(url: url)
    guard try server.spaces().contains(where: { $0.space == number }) else {
      throw SyncError(
        .noSpace,
        "\(url) does not have the space “\(file.state[text: .spaceName])” of this file, or you are no member "
          + "of it there: the address stays as it was.")
    }
    try file.write { () throws(StoreError) in file.state[text: .url] = url.text }
    return server.role
  }

  func server() throws -> ServerConnection {
    try server(of: joinedFile())
  }
}
