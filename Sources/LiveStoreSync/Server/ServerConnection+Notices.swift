import CPostgreSQL

extension ServerConnection {
  /// Asks the server to notify this connection when another machine has pushed to the space that was entered.
  ///
  /// To be called again when members may have changed: when one was removed, it is another channel.
  public func listen() throws(SyncError) {
    let entrance = entered()
    let rows = try query(
      "SELECT channel, key FROM livestore.listen($1, $2, $3::uuid)",
      [.integer(entrance.space), .integer(entrance.replica), .text(entrance.token)])
    guard let channel = rows.text(0, 0), let key = rows.text(0, 1),
      channel.utf8.allSatisfy(Self.isInName)
    else { throw SyncError(.server, "\(url) has no channel for “\(entrance.name)”.") }
    if let former = reception?.channel, former != channel { try execute("UNLISTEN \(former)") }
    if reception?.channel != channel { try execute("LISTEN \(channel)") }
    reception = Reception(channel: channel, key: key)
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Takes what the server has sent meanwhile, without waiting, and returns whether another connection has
  /// changed the space.
  ///
  /// To be called when ``socket`` is readable, and once before waiting for that: a notice may have come with
  /// the answer to something else. Notices are not certain to come: a machine asks now and then besides.
  public func receiveNotices() throws(SyncError) -> Bool {
    guard PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else { throw lost() }
    var isChanged = false
    while let message = PQnotifies(connection) {
      defer { PQfreemem(message) }
      guard let reception, let text = message.pointee.extra.map({ String(cString: $0) }) else { continue }
      let notice = ChangeNotice(text, to: reception)
      guard let version = notice.version else {
        machineNames = nil
        isChanged = true
        continue
      }
      guard version > latestVersion else { continue }
      isChanged = true
      notifiedVersion = max(notifiedVersion, version)
      keep(notice.changes)
    }
    return isChanged
  }

  /// Keeps changes until the versions are known, if no version is missing between them and those before.
  private func keep(_ changes: [NotifiedChange]) {
    guard let first = changes.first else { return }
    let last = notifiedChanges.last?.version.number ?? 0
    if first.version.number > last + 1 || notifiedChanges.count > Self.mostNotifiedChanges {
      notifiedChanges = []
    }
    notifiedChanges += notifiedChanges.isEmpty ? changes : changes.filter { $0.version.number > last }
  }

  /// The number of changes that are kept of a connection that does not take them.
  private static let mostNotifiedChanges = 1000

  /// The changes of other machines after a version, as far as notices have carried all of them up to the last
  /// version of which the server has notified this connection; nil if they are to be pulled.
  ///
  /// Of each object there are the cells that changed alone, and of one that changed several times several.
  public func notifiedChanges(after known: SpaceVersion) -> (objects: [PulledObject], head: SpaceVersion)? {
    notifiedChanges.removeAll { $0.version.number <= known.number }
    guard let first = notifiedChanges.first?.version, let last = notifiedChanges.last?.version,
      first.number == known.number + 1, last.number >= notifiedVersion,
      notifiedChanges.allSatisfy({ $0.version.mark == known.mark })
    else { return nil }
    latestVersion = last.number
    let others = notifiedChanges.filter { !pushedVersions.contains($0.version.number) }
    return (others.flatMap(\.objects), last)
  }

  /// The statement that announces a push to a space; its result is whether this connection is to announce
  /// those of others too, which it has waited for.
  ///
  /// It does not wait for the disk: what it announces is there already, and an announcement may be lost.
  static let announcement =
    "SELECT livestore.announce($1), pg_catalog.set_config('synchronous_commit', 'off', true)"

  /// Takes the answer to an announcement.
  ///
  /// Whether this succeeds counts for nothing: the next connection that pushes announces what is left, and
  /// each machine asks now and then.
  func noteAnnouncement(_ rows: ServerRows) {
    guard rows.bool(0, 0) else { return }
    _ = try? sendRepeated(
      "SELECT livestore.announce_gathered(), pg_catalog.set_config('synchronous_commit', 'off', true)", [])
    _ = try? finish()
  }
}
