import CPostgreSQL
import Glibc

/// The state of an object on the server, and who changed it last.
public struct PulledObject: Hashable, Sendable {
  /// The state of the object, with all its cells.
  public var object: SyncedObject
  /// The role that changed it last.
  public var author: String
  /// The name of the machine on which that was; nil if the machine has left.
  public var machineName: String?
  /// The number of the version in which that was.
  public var version: Int64
}

extension ServerConnection {
  /// Reads what has changed in the space that was entered.
  ///
  /// It is one state of the space, in the order of versions. An object that has changed several times is in
  /// its last version only: the machine is at a state that the server had when it has taken in all pages, and
  /// so it commits them together. Objects that only this connection has changed since are left out, unless
  /// everything is asked for: what this machine has sent earlier may have come from a file that has been
  /// replaced by a backup since, or from a copy of it.
  ///
  /// Cells of a form that this program does not know are left out, each for itself.
  ///
  /// - Parameter known: The number of the version up to which this machine has everything; 0 for everything.
  /// - Parameter page: The number of objects after which a page ends, with the version.
  /// - Parameter deletions: Whether to read nothing but deletions.
  /// - Parameter objects: Objects to read whether they have changed or not.
  /// - Parameter progress: Called after each so many objects as a page has, with their number.
  /// - Parameter body: Takes in a page. If it throws, the rest is discarded.
  /// - Returns: The last version of the space, up to which the machine has everything now.
  public func pull(
    after known: Int64, page: Int = 1000, deletions: Bool = false,
    and objects: [SyncedObject.Identity] = [], progress: (_ received: Int) -> Void = { _ in },
    _ body: ([PulledObject]) throws -> Void
  ) throws -> SpaceVersion {
    let space = entered().space
    unreadObjects = []
    pushedVersions = pushedVersions.filter { $0 > known }
    let pushed = pushedVersions.map(String.init).joined(separator: ", ")
    let own = known > 0 && !pushed.isEmpty ? "AND (o.is_merged OR o.version NOT IN (\(pushed)))" : ""
    let deleted = deletions ? "AND o.deletion_stamp IS NOT NULL" : ""
    try begin { connection in
      PQsendQuery(
        connection,
        """
        BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
        SELECT version, mark, pruned FROM livestore.space WHERE space = \(space);
        COPY (
          SELECT o.version, o.type, o.key, o.life, o.deletion_stamp, o.deletion_replica, o.stamp, o.replica,
            o.clocks, o.data, o.author, left(m.name, 255)
          FROM (
            SELECT o.* FROM livestore.object o
            WHERE o.feed = \(space) AND o.version > \(known) \(own) \(deleted)
            \(selection(of: objects, upTo: known))
          ) AS o
          LEFT JOIN livestore.machine m ON m.space = \(space) AND m.replica = o.machine
          ORDER BY o.version
        ) TO STDOUT (FORMAT binary);
        COMMIT
        """)
    }
    var head: SpaceVersion?
    var failure: (any Error)?
    while let result = try nextResult() {
      switch PQresultStatus(result.result) {
      case PGRES_TUPLES_OK:
        if let version = result.integer(0, 0) {
          head = SpaceVersion(number: version, mark: result.integer(0, 1) ?? 0)
          if known > 0, known < result.integer(0, 2) ?? 0 { failure = deletionsForgotten() }
        }
      case PGRES_COPY_OUT:
        let error = try copy(page: page, isWanted: failure == nil, progress, body)
        failure = failure ?? error
      case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
        failure = failure ?? SyncError(result: result.result, of: self)
      default: break
      }
    }
    if PQtransactionStatus(connection) == PQTRANS_INERROR { try execute("ROLLBACK") }
    if let failure { throw failure }
    guard let head else {
      throw SyncError(
        .noSpace, "There is no space “\(entered().name)” any more, or you are no member of it any more.")
    }
    return head
  }

  /// The rest of a query that adds some objects of a version or an earlier one; a COPY has no parameters.
  private func selection(of objects: [SyncedObject.Identity], upTo version: Int64) -> String {
    guard !objects.isEmpty else { return "" }
    let types = objects.map { literal(Array($0.type.utf8)) }
    let keys = objects.map { object in
      var key: [UInt8] = []
      JSONWriting.writeKey(object.key, to: &key)
      return literal(key)
    }
    return """
      UNION ALL SELECT o.* FROM livestore.object o
      JOIN unnest(ARRAY[\(types.joined(separator: ", "))], ARRAY[\(keys.joined(separator: ", "))])
        AS w (type, key)
        ON o.space = \(entered().space) AND o.type = w.type AND o.key = w.key
      WHERE o.version <= \(version)
      """
  }

  /// A text as it is written in a statement.
  private func literal(_ text: [UInt8]) -> String {
    let escaped = text.withUnsafeBytes {
      PQescapeLiteral(connection, $0.bindMemory(to: CChar.self).baseAddress, $0.count)
    }
    guard let escaped else { return "''" }
    defer { PQfreemem(escaped) }
    return String(cString: escaped)
  }

  /// The error of a machine that has to enter again, and then compares everything.
  private func deletionsForgotten() -> SyncError {
    SyncError(.busy, "\(url) has forgotten deletions that this machine lacks: everything is compared.")
  }

  /// Receives the rows, and passes them on in pages; the first error of the closure.
  private func copy(
    page: Int, isWanted: Bool, _ progress: (Int) -> Void, _ body: ([PulledObject]) throws -> Void
  ) throws(SyncError) -> (any Error)? {
    var decoder = RowDecoder()
    var objects: [PulledObject] = []
    var received = 0
    var failure: (any Error)?
    func flush() {
      guard failure == nil, !objects.isEmpty else { return }
      do { try body(objects) } catch { failure = error }
      objects.removeAll(keepingCapacity: true)
    }
    while let row = try nextRow() {
      defer { PQfreemem(row.baseAddress) }
      guard isWanted, failure == nil, let object = decoder.object(in: UnsafeRawBufferPointer(row)) else {
        continue
      }
      if objects.count >= page, objects[objects.count - 1].version != object.version { flush() }
      if failure == nil { objects.append(object) }
      received += 1
      if received % page == 0 { progress(received) }
    }
    flush()
    unreadObjects += decoder.unreadable
    return failure
  }

  /// Waits for the next row of a COPY; nil at its end.
  private func nextRow() throws(SyncError) -> UnsafeMutableBufferPointer<CChar>? {
    var buffer: UnsafeMutablePointer<CChar>?
    while true {
      let length = PQgetCopyData(connection, &buffer, 1)
      if length > 0 { return UnsafeMutableBufferPointer(start: buffer, count: Int(length)) }
      if length < 0 { return nil }
      try wait(for: POLLIN)
    }
  }
}
