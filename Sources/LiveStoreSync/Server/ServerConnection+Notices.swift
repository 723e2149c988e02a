import CPostgreSQL

extension ServerConnection {
  /// Asks the server to wake this connection when another machine has pushed to the space that was entered.
  public func listen() throws(SyncError) {
    try execute("LISTEN livestore_\(entered().space)")
  }

  /// Takes what the server has sent meanwhile, without waiting, and returns whether another connection has
  /// changed the space.
  ///
  /// To be called when ``socket`` is readable, and once before waiting for that: a notice may have come with
  /// the answer to something else. Notices are not certain to come: a machine asks now and then besides.
  public func receiveNotices() throws(SyncError) -> Bool {
    guard PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else { throw lost() }
    var isChanged = false
    while let notice = PQnotifies(connection) {
      // It says which version there is, or nothing if it is about members or machines.
      let version = notice.pointee.extra.flatMap { Int64(String(cString: $0)) }
      if version.map({ $0 > latestVersion }) ?? true { isChanged = true }
      if version == nil { machineNames = nil }
      PQfreemem(notice)
    }
    return isChanged
  }

  /// Announces what other machines have pushed meanwhile, if that was left to this connection and it is time.
  ///
  /// On a server of many machines pushes are announced together, each time by one of those that have pushed.
  public func announceIfDue() throws(SyncError) {
    guard let time = announcementTime, time <= Self.monotonicMilliseconds() else { return }
    announcementTime = nil
    try sendRepeated(Self.announcement, Self.announcing(nil))
    noteAnnouncement(try rows())
  }

  /// Announces what was left to this connection, which is about to end.
  func leaveAnnouncing() {
    guard announcementTime != nil, PQtransactionStatus(connection) == PQTRANS_IDLE else { return }
    announcementTime = nil
    patience = min(patience, 2)
    // Without it the next machine that pushes announces it, or each machine asks by itself.
    guard (try? sendRepeated(Self.announcement, Self.announcing(nil, isLeaving: true))) != nil else { return }
    _ = try? rows()
  }

  /// The statement that announces a push.
  ///
  /// It does not wait for the disk: what it announces is there already, and an announcement may be lost.
  static let announcement =
    "SELECT livestore.announce($1, $2::boolean), pg_catalog.set_config('synchronous_commit', 'off', true)"

  /// The parameters of the statement: the space of a push, or nil for what was left to this connection.
  static func announcing(_ space: Int64?, isLeaving: Bool = false) -> [Parameter] {
    [.integer(space), .text(isLeaving ? "t" : "f")]
  }

  /// Takes the answer to an announcement: after how many milliseconds the next is this connection's, or 0.
  func noteAnnouncement(_ rows: ServerRows) {
    guard let pause = rows.integer(0, 0), pause > 0 else { return }
    // One more, so that it is not early by less than one.
    announcementTime = Self.monotonicMilliseconds() + pause + 1
  }
}
