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
      if notice.pointee.be_pid != PQbackendPID(connection) { isChanged = true }
      PQfreemem(notice)
    }
    return isChanged
  }
}
