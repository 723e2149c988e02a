import LibC
import LiveStore

/// A file of LiveStore that is, or is to be, the same on several machines: joining, asking how it stands,
/// leaving.
public struct SyncedFile: Sendable {
  /// The path of the file.
  public let path: String

  /// Names a file; nothing is opened.
  public init(path: String) {
    self.path = path
  }

  /// The classes of a file, as far as carrying it is concerned.
  public typealias Classes = SyncedClasses

  /// Whether the file has been joined to a space.
  public var isJoined: Bool {
    get throws(StoreError) { try JoinedFile(path: path) != nil }
  }

  /// The outcome of joining a space.
  public enum JoinResult: Hashable, Sendable {
    /// The file is not joined: it was not confirmed.
    case declined
    /// The file is joined to a space that was there.
    case joined(JoinedSpace)
    /// The file is joined to a new space, of which the person is the owner.
    case created
  }

  /// The two sides that joining is to merge.
  public struct Merge: Sendable {
    /// The space, which may be another person's; nil for a new one.
    public var space: JoinedSpace?
    /// The number of versions that the space has had.
    public var versions: Int64
    /// Whether the file was in the space before: what was deleted there since is deleted in it.
    public var comesBack: Bool
    /// The right of the person: of one who may only read, all that was changed in the file is taken back.
    public var right: SpaceRight
  }

  /// Joins the file to a space, which is created if the person is a member of none of that name, and
  /// exchanges everything once. What both the file and the space have is merged.
  ///
  /// - Parameters:
  ///   - url: The address of the server.
  ///   - name: The name of the space.
  ///   - classes: The classes that stay here, and the lists that own their elements.
  ///   - onStatus: Called with how far the exchange is, where it is long.
  ///   - confirm: Called when the file is not empty, and neither is the space, or the space is another
  ///     person's: of that name, the person may have meant one of their own. Returns whether to merge them.
  /// - Returns: Whether it is joined now, and to which space.
  /// - Throws: ``SyncError`` or `StoreError`, also if the file has objects, was not in the space before, and
  ///   the person may only read that; then the file is as it was, unless the connection was lost while the
  ///   first exchange went on: then it is joined, and the agent goes on with it.
  public func join(
    _ url: ServerURL, space name: String, classes: Classes,
    onStatus: @escaping (SyncStatus) -> Void = { _ in },
    confirm: (Merge) -> Bool = { _ in true }
  ) throws -> JoinResult {
    guard try !isJoined else {
      throw StoreError(.misuse, "“\(path)” is joined already; leave its space first.")
    }
    let connection = try ServerConnection(url: url)
    let found = try connection.space(named: name)
    let number = try found?.space ?? connection.createSpace(named: name)
    let left = try JoinedFile.versionAtLeaving(number, path: path)
    let entrance = try connection.enter(
      space: number, replica: nil, machineName: Self.machineName, token: nil, known: left ?? SpaceVersion())
    let maySend = entrance.right >= .write
    let comparesAll = entrance.continuity == .awayTooLong || !maySend && left != nil
    do {
      guard try maySend || left != nil || isEmpty(apartFrom: classes) else {
        throw SyncError(
          .readOnly,
          "You may only read “\(entrance.name)”, and “\(path)” has something of its own: "
            + "join it with a new file.")
      }
      let merge = Merge(
        space: found, versions: entrance.head.number, comesBack: left != nil, right: entrance.right)
      let isAsked = merge.versions > 0 || found.map { !$0.isOwn } ?? false
      guard try !isAsked || isEmpty(apartFrom: classes) || confirm(merge) else {
        try connection.leave()
        return .declined
      }
      let file = try JoinedFile.join(
        path: path,
        .init(
          url: url.text, space: String(number), spaceName: entrance.name, machine: Self.machineName,
          replica: entrance.replica ?? 0, token: entrance.token ?? "", isFirst: entrance.head.number == 0,
          comparesAll: comparesAll, clockOffset: connection.clockOffset, classes: classes))
      // A window that is opened meanwhile starts no agent beside it.
      let place = try? AgentFile(database: path)
      var status = SyncStatus()
      status.enter(.connecting)
      _ = place?.write(status.text)
      file.onProgress = { progress in
        status.note(progress)
        _ = place?.write(status.text)
        onStatus(status)
      }
      try file.note(maySend: maySend)
      try file.settleDeletions(over: connection)
      let space = ServerSpace(connection: connection, onProgress: file.onProgress)
      if comparesAll { try file.compareEverything(with: space) }
      _ = try file.exchange(with: space)
      withExtendedLifetime(place) {}
      try? connection.report(known: file.known)
    } catch {
      if try !isJoined { try? connection.leave() }
      throw error
    }
    return found.map { .joined($0) } ?? .created
  }

  /// Whether the file has no object that would be carried, but for those of a new file.
  private func isEmpty(apartFrom classes: Classes) throws(StoreError) -> Bool {
    let (connection, _) = try JoinedFile.open(path)
    let layout = try SyncedLayout(connection, excluding: classes.excluded, places: classes.places)
    for (name, table) in layout.classes {
      let beginnings = Array(classes.beginnings[name] ?? [])
      let marks = beginnings.map { _ in "?" }.joined(separator: ", ")
      let own = try Statement(
        connection,
        "SELECT 1 FROM \(quoted(name)) WHERE \(quoted(table.primaryKey)) NOT IN (\(marks)) LIMIT 1")
      if try own.hasRow(beginnings) { return false }
    }
    return true
  }

  /// Takes the file out of its space, on the server too if that can be reached. Its objects stay here and
  /// there; the unsettled ``conflicts()`` are forgotten.
  ///
  /// - Returns: Whether the server does not count this machine among those of the space any more.
  @discardableResult public func leave() throws -> Bool {
    let file = try joinedFile()
    var isTold = true
    do {
      try server(of: file).leave()
    } catch {
      isTold = (error as? SyncError)?.code == .noSpace
    }
    try file.leave()
    return isTold
  }

  /// The members of the space, by name.
  public func members() throws -> [SpaceMember] {
    try server().members()
  }

  /// Lets a role of the server use the space; only its managers may.
  public func share(with role: String, _ right: SpaceRight) throws {
    try server().share(with: role, right)
  }

  /// Takes the right to use the space from a role; only its managers may, and anyone from themself.
  public func unshare(with role: String) throws {
    try server().revoke(role)
  }

  /// The file, opened.
  ///
  /// - Throws: An error, too, if it is not joined.
  func joinedFile() throws -> JoinedFile {
    guard let file = try JoinedFile(path: path) else { throw SyncError.notJoined(path) }
    return file
  }

  /// A connection beside that of the agent, which goes on.
  func server(of file: JoinedFile) throws -> ServerConnection {
    let connection = try ServerConnection(url: ServerURL(file.state[text: .url]))
    try connection.visit(
      space: Int64(file.state[text: .space]) ?? 0, name: file.state[text: .spaceName], replica: file.replica)
    return connection
  }

  /// The space and how the file stands.
  public struct Report: Sendable {
    /// The address of the server.
    public var url: String
    /// The name of the space.
    public var space: String
    /// The name of this machine.
    public var machine: String
    /// The state of the connection, and what waits.
    public var status: SyncStatus
    /// The number of unsettled conflicts.
    public var conflicts: Int
  }

  /// Reports how the file stands, without asking the server.
  ///
  /// - Returns: `nil` if the file is not joined.
  public func report() throws(StoreError) -> Report? {
    guard let file = try JoinedFile(path: path) else { return nil }
    var status = SyncSign.status(of: path)
    do throws(StoreError) {
      status.waiting = try file.write { () throws(StoreError) in
        try file.capture()
        return try file.waitingCount
      }
    } catch {
      // An agent that writes much just now counts itself.
      guard error.code == .busy, status.phase != .stopped else { throw error }
    }
    status.mayOnlyRead = !file.maySend
    status.leftOut = file.leftOutCount
    status.setAside = try file.setAsideCount
    return Report(
      url: file.state[text: .url], space: file.state[text: .spaceName], machine: file.state[text: .machine],
      status: status, conflicts: try file.conflicts().count)
  }

  /// The present name of this machine.
  static var machineName: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, 255)
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The work that was done on this machine and lost against others', the oldest first, until it is brought
  /// back.
  public func conflicts() throws -> [SyncConflict] {
    try joinedFile().conflicts()
  }

  /// Leaves what was lost as it is, and no longer reports it.
  ///
  /// - Returns: Whether there is a conflict of that number.
  public func forget(conflict number: Int64) throws -> Bool {
    let file = try joinedFile()
    return try file.write { () throws(StoreError) in
      guard try file.conflicts().contains(where: { $0.number == number }) else { return false }
      try file.settle(conflict: number)
      return true
    }
  }

  /// Brings back what was lost, as a change that is made now.
  ///
  /// - Returns: Whether there is a conflict of that number.
  /// - Throws: An error, too, if an object cannot be put back into the place that it had, or the person may
  ///   only read the space; then nothing is changed.
  public func bringBack(conflict number: Int64) throws -> Bool {
    let file = try joinedFile()
    try requireRightToChange(file)
    return try file.write { () throws(StoreError) in try file.bringBack(conflict: number) }
  }

  /// Brings back what was lost, in the open write transaction of a store of the file, in which a program
  /// keeps what it needs to take that back again. Result and errors are those of ``bringBack(conflict:)``;
  /// after an error the write can only be cancelled.
  public func bringBack(conflict number: Int64, in store: Store) throws -> Bool {
    try requireRightToChange(joinedFile())
    let isFound = try store.change { (connection) throws(StoreError) in
      try JoinedFile.changing(path, through: connection) { (file) throws(StoreError) in
        try file.bringBack(conflict: number)
      }
    }
    guard let isFound else { throw SyncError.notJoined(path) }
    return isFound
  }

  private func requireRightToChange(_ file: JoinedFile) throws(SyncError) {
    guard !file.maySend else { return }
    throw SyncError(
      .readOnly,
      "You may only read “\(file.state[text: .spaceName])”, so that it would be taken back again. "
        + "Where that has changed, `tasks sync run --once` finds it out.")
  }
}
