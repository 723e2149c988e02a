import LiveStore

/// Joining and leaving: adding to a file what carrying it takes, and taking that away again.
extension JoinedFile {
  /// A file's part in a space.
  struct Membership {
    var url: String
    var space: String
    var spaceName: String
    var machine: String
    /// The machine's number in the space.
    var replica: Int64
    /// The token that the machine shows when it next enters.
    var token = ""
    /// Whether no machine has joined the space before.
    var isFirst = false
    /// Whether the file was in the space before, and the space has forgotten deletions since or takes nothing
    /// of the person: what it lacks was deleted.
    var comparesAll = false
    /// The milliseconds by which the server's clock is ahead.
    var clockOffset: Int64 = 0
    /// The classes that stay on this machine, and the lists that own their elements.
    var classes = SyncedClasses()
  }

  /// The stamp of everything that is in a file when it is joined to a space that has been used. It is earlier
  /// than all others, since the file does not say when it was written: an object that the space has too keeps
  /// the space's values.
  static let earliestStamp: Int64 = 1

  /// Joins a file to a space. It must be a file of LiveStore.
  static func join(path: String, _ membership: Membership) throws(StoreError) -> JoinedFile {
    let classes = membership.classes
    let (connection, identity) = try open(path)
    guard try connection.firstValue("SELECT 1 FROM sqlite_schema WHERE name = '\(LogTable.name)'") != nil
    else {
      throw StoreError(
        .schema, "“\(path)” is no file that LiveStore has made; open it with its program first.")
    }
    if try SyncState(connection.instance) != nil {
      throw StoreError(.misuse, "“\(path)” is joined already; leave its space first.")
    }
    if let name = try SyncedLayout.unknownProperty(among: classes.excludedProperties, connection) {
      throw StoreError(.schema, "“\(path)” has no property “\(name)” that can stay on this machine.")
    }
    try connection.transaction { () throws(StoreError) in
      for sql in SyncTables.creation + SyncTables.addingTime { try connection.execute(sql) }
      try connection.execute(PositionKey.settingRun(ofMachine: membership.replica))
      guard var state = try SyncState(connection.instance) else {
        preconditionFailure("The table was just created.")
      }
      state[text: .url] = membership.url
      state[text: .space] = membership.space
      state[text: .spaceName] = membership.spaceName
      state[text: .machine] = membership.machine
      state[integer: .replica] = membership.replica
      state[text: .token] = membership.token
      state[integer: .clockOffset] = membership.clockOffset
      state[lines: .excluded] = classes.excluded.union(classes.excludedProperties)
      state[lines: .places] = classes.places
      state[lines: .flatPlaces] = classes.flatPlaces
      state[lines: .derived] = classes.derivedProperties
      state[lines: .readTexts] = Set(classes.readTexts.map { "\($0) \($1)" })
      state[integer: .stamp] = earliestStamp
      state[integer: .isNew] = 1
      try state.save(connection.instance)
    }
    guard let state = try SyncState(connection.instance) else {
      throw StoreError(.misuse, "“\(path)” was taken out of its space at the same time.")
    }
    let file = try JoinedFile(path: path, connection: connection, identity: identity, state: state)
    try file.write { () throws(StoreError) in
      try file.capture(everythingAt: membership.isFirst ? file.nextStamp() : earliestStamp)
      try file.noteUnchangedSinceLeaving(comparesAll: membership.comparesAll)
      try file.skipOwnChanges()
    }
    return file
  }

  /// Brings back what the space has deleted and this file still has, in the first exchange: the person at
  /// this machine did not know of the space, or has changed it since leaving. Only what would own something,
  /// and owns nothing, stays deleted: an empty list with which every file begins.
  func bringBack(_ deleted: [SyncedObject]) throws(StoreError) {
    for remote in deleted {
      guard remote.deletion != nil, let known = try known(remote.identity), known.object.deletion == nil,
        !known.object.isUnchangedSinceLeaving, try !isEmptyOwner(remote.identity)
      else { continue }
      var object = known.object
      object.life = remote.life.next
      try keep(object, as: remote.identity, waiting: 0)
    }
  }

  private func isEmptyOwner(_ identity: SyncedObject.Identity) throws(StoreError) -> Bool {
    let lists = layout.lists.values.filter {
      $0.isPlace && $0.ownerClass == identity.type && $0.targetClass != identity.type
    }
    for list in lists {
      let row = try statements.prepare("SELECT 1 FROM \(quoted(list.name)) WHERE owner = ? LIMIT 1")
      if try row.hasRow([identity.key]) { return false }
    }
    return !lists.isEmpty
  }
}
