extension ServerConnection {
  /// Creates a space, which the person manages, and returns its number.
  ///
  /// - Throws: An error, too, for a name that ``requireName(_:)`` refuses.
  public func createSpace(named name: String) throws(SyncError) -> Int64 {
    try Self.requireName(name)
    try checkSchema()
    return try query("SELECT livestore.create_space($1)", [.text(name)]).integer(0, 0) ?? 0
  }

  /// The most characters of a space's name, which people type to join it, and which is on one line of all
  /// that tells of it. The server's tables have the same limit.
  private static let longestName = 200

  /// Throws if no space can have a name.
  public static func requireName(_ name: String) throws(SyncError) {
    let rule = "give it one line of 1 to \(longestName) characters, without “/”, which the others type."
    let length = name.unicodeScalars.count
    guard name.contains(where: { !$0.isWhitespace }) else {
      throw SyncError(.malformed, "A space needs a name: \(rule)")
    }
    guard length <= longestName else {
      throw SyncError(.malformed, "The name of the space is too long, with \(length) characters: \(rule)")
    }
    guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw SyncError(.malformed, "The name of the space has characters that no line has: \(rule)")
    }
    // It stands between the name of a creator and that of a space.
    guard !name.contains("/") else { throw SyncError(.malformed, "The name of the space has a “/”: \(rule)") }
  }

  /// The spaces of which the person is a member, by name.
  public func spaces() throws(SyncError) -> [JoinedSpace] {
    try checkSchema()
    let rows = try query(
      """
      SELECT s.space, s.name, s.creator, r.rights, s.creator = current_user::text
      FROM livestore.space s JOIN livestore.own_right r USING (space)
      ORDER BY s.name, s.creator, s.space
      """)
    return (0..<rows.count).map { row in
      JoinedSpace(
        space: rows.integer(row, 0) ?? 0, name: rows.text(row, 1) ?? "", creator: rows.text(row, 2) ?? "",
        right: right(rows.integer(row, 3)), isOwn: rows.bool(row, 4))
    }
  }

  /// The space of a name, or of a creator and a name: `Home` or `anna/Home`; nil if the person is a member of
  /// none of that name. With a “/” only the space of that creator is meant: another's may not take its place
  /// by a name that looks so.
  ///
  /// - Throws: An error, too, if the person is a member of none of that creator and name: it is not one to be
  ///   created.
  public func space(named name: String) throws(SyncError) -> JoinedSpace? {
    let namesCreator = name.contains("/")
    let named = try spaces().filter { (namesCreator ? $0.fullName : $0.name) == name }
    if named.count > 1 {
      let names = named.map { "“\($0.fullName)”" }.joined(separator: " or ")
      throw SyncError(.ambiguousSpace, "There are several spaces of that name; say which: \(names).")
    }
    guard named.isEmpty, namesCreator else { return named.first }
    throw SyncError(
      .noSpace,
      "There is no space “\(name)” that you may use: a manager of it runs `tasks sync share` with your name. "
        + "The name of a new space has no “/”.")
  }

  /// Enters a space as a machine.
  ///
  /// - Parameters:
  ///   - space: The number of the space.
  ///   - replica: The number that the machine got at its first entrance; nil for that.
  ///   - machineName: The name of the machine, for the people at others.
  ///   - token: The token of its last entrance.
  ///   - known: The version up to which it has everything; a new one has nothing.
  public func enter(
    space: Int64, replica: Int64?, machineName: String, token: String?, known: SpaceVersion = SpaceVersion()
  ) throws(SyncError) -> Entrance {
    try checkSchema()
    let rows = try query(
      """
      SELECT e.*, (SELECT s.creator FROM livestore.space s
        WHERE s.space = $1 AND s.creator <> current_user::text)
      FROM livestore.enter($1, $2, $3, $4::uuid, $5, $6) e
      """,
      [
        .integer(space), .integer(replica), .text(machineName), .text(token), .integer(known.number),
        .integer(known.mark),
      ])
    let continuity: Entrance.Continuity =
      switch rows.integer(0, 4) {
      case 1: .serverRestored
      case 2: .awayTooLong
      default: .inStep
      }
    let owner = rows.text(0, 7).map { "\($0)/" } ?? ""
    let entrance = Entrance(
      space: space, name: owner + (rows.text(0, 0) ?? ""), right: right(rows.integer(0, 1)),
      head: SpaceVersion(number: rows.integer(0, 2) ?? 0, mark: rows.integer(0, 3) ?? 0),
      continuity: continuity, replica: rows.integer(0, 5), token: rows.text(0, 6))
    if !entrance.isCopy { self.entrance = entrance }
    reportedVersion = continuity == .inStep ? known.number : nil
    return entrance
  }

  /// Uses a space without entering it, so that a machine that has entered it goes on.
  ///
  /// - Parameter replica: The number of the machine that ``leave()`` removes.
  func visit(space: Int64, name: String, replica: Int64) throws(SyncError) {
    try checkSchema()
    entrance = Entrance(
      space: space, name: name, right: .read, head: SpaceVersion(), continuity: .inStep, replica: replica,
      token: nil)
    // Of a space that is gone, all tables would be empty.
    guard try presentRight() != nil else { throw SyncError.noSpace(name) }
  }

  /// The space that was entered.
  func entered() -> Entrance {
    guard let entrance else { preconditionFailure("A machine enters a space before it uses it.") }
    return entrance
  }

  /// The present right of the person in the space that was entered, which may have been changed since; nil if
  /// there is no such space any more, or the person is no member of it.
  func presentRight() throws(SyncError) -> SpaceRight? {
    let rows = try query(
      "SELECT rights FROM livestore.own_right WHERE space = $1", [.integer(entered().space)])
    return rows.count == 0 ? nil : right(rows.integer(0, 0))
  }

  /// The number of the last version of the space that was entered.
  func presentVersion() throws(SyncError) -> Int64 {
    try query("SELECT version FROM livestore.space WHERE space = $1", [.integer(entered().space)])
      .integer(0, 0) ?? 0
  }

  /// Lets a role use the space that was entered, or changes what it may do there.
  public func share(with role: String, _ right: SpaceRight) throws(SyncError) {
    _ = try query(
      "SELECT livestore.share($1, $2, $3::integer)",
      [.integer(entered().space), .text(role), .integer(Int64(right.rawValue))])
  }

  /// Removes a member from the space that was entered; anybody may remove themself.
  public func revoke(_ role: String) throws(SyncError) {
    _ = try query("SELECT livestore.share($1, $2, 0)", [.integer(entered().space), .text(role)])
  }

  /// The members of the space that was entered, by name.
  public func members() throws(SyncError) -> [SpaceMember] {
    let rows = try query(
      "SELECT role, rights FROM livestore.member WHERE space = $1 ORDER BY role", [.integer(entered().space)])
    return (0..<rows.count).map { row in
      SpaceMember(role: rows.text(row, 0) ?? "", right: right(rows.integer(row, 1)))
    }
  }

  /// The machines of the space that was entered, this one included, the last seen first.
  public func machines() throws(SyncError) -> [SpaceMachine] {
    let rows = try query(
      """
      SELECT replica, role, left(name, 255),
        CASE WHEN isfinite(seen) THEN (extract(epoch FROM seen) * 1000)::bigint ELSE 0 END,
        least(greatest(version, 0), 9007199254740992)
      FROM livestore.machine WHERE space = $1 ORDER BY seen DESC, replica LIMIT 10000
      """, [.integer(entered().space)])
    let machines = (0..<rows.count).map { row in
      SpaceMachine(
        replica: rows.integer(row, 0) ?? 0, role: rows.text(row, 1) ?? "", name: rows.text(row, 2) ?? "",
        seen: rows.integer(row, 3) ?? 0, version: rows.integer(row, 4) ?? 0)
    }
    machineNames = Dictionary(machines.map { ($0.replica, $0.name) }, uniquingKeysWith: { $1 })
    return machines
  }

  /// Tells the others that this machine is there, and up to which version it has everything.
  public func report(known: SpaceVersion) throws(SyncError) {
    // The server need not wait for its disk: where it forgets that, it keeps deletions for longer.
    try sendRepeated(
      """
      UPDATE livestore.machine SET seen = clock_timestamp(), version = $3 WHERE space = $1 AND replica = $2
      RETURNING set_config('synchronous_commit', 'off', true)
      """,
      [.integer(entered().space), .integer(entered().replica), .integer(known.number)])
    _ = try rows()
    reportedVersion = known.number
  }

  /// Removes this machine from the space that was entered; the person stays a member.
  public func leave() throws(SyncError) {
    _ = try query(
      "DELETE FROM livestore.machine WHERE space = $1 AND replica = $2",
      [.integer(entered().space), .integer(entered().replica)])
    entrance = nil
  }

  /// Removes another machine from the space that was entered: one's own, or as a manager any. One that comes
  /// again enters as before.
  ///
  /// - Returns: Whether it was there, and may be removed.
  public func forget(machine replica: Int64) throws(SyncError) -> Bool {
    try query(
      "DELETE FROM livestore.machine WHERE space = $1 AND replica = $2 RETURNING replica",
      [.integer(entered().space), .integer(replica)]
    ).count == 1
  }

  /// Forgets deletions that are older than 90 days and that all machines have which were there since, and
  /// returns how many. Once in a day for a space; ``SyncAgent`` does it.
  @discardableResult
  public func prune() throws(SyncError) -> Int {
    Int(try query("SELECT livestore.prune($1)", [.integer(entered().space)]).integer(0, 0) ?? 0)
  }

  private func right(_ value: Int64?) -> SpaceRight { SpaceRight(rawValue: Int(value ?? 1)) ?? .read }
}
