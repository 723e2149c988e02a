import CPostgreSQL

/// The state of an object on the server, and who changed it last.
public struct PulledObject: Hashable, Sendable {
  /// The state of the object, with all its cells.
  public var object: SyncedObject
  /// The role that changed it last.
  public var author: String
  /// The number of the machine on which that was. Its name is among ``ServerConnection/machines()``, unless
  /// it has left.
  public var machine: Int64?
  /// The number of the version in which that was.
  public var version: Int64
  /// The changes that were replaced unseen, by the names of their cells.
  var unseen: [String: [UnseenSpan]] = [:]
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
    unreadObjects = []
    pushedVersions = pushedVersions.filter { $0 > known }
    var own = BinaryArray(of: .integer)
    if known > 0 { for version in pushedVersions.sorted() { own.append(version) } }
    var parameters: [Parameter] = [.integer(entered().space), .integer(known), own.parameter]
    if !objects.isEmpty { parameters += Self.parameters(objects) }
    let statement = Self.pulling(deletions: deletions, objects: !objects.isEmpty)
    try sendRepeated(statement, parameters, isBinary: true)
    // Rows that are not wanted any more have to be received too.
    PQsetSingleRowMode(connection)
    var pages = PageReader(page: page, known: known)
    while let result = try nextResult() {
      switch PQresultStatus(result.result) {
      case PGRES_SINGLE_TUPLE: pages.take(result, progress, body)
      case PGRES_TUPLES_OK: break
      default: pages.failure = pages.failure ?? SyncError(result: result.result, of: self)
      }
    }
    pages.flush(body)
    unreadObjects = pages.unreadable
    if let failure = pages.failure { throw failure }
    guard let head = pages.head else { throw SyncError.noSpace(entered().name) }
    guard !pages.lacksDeletions else {
      throw SyncError(
        .busy, "\(url) has forgotten deletions that this machine lacks: everything is compared.")
    }
    if !deletions { (latestVersion, notifiedVersion) = (head.number, head.number) }
    return head
  }

  /// The query of a pull: the version of the space, with each object, or alone if there is none.
  ///
  /// It is one statement, so that all of it is of one state. Its parameters are the space, the known version,
  /// the versions that are this connection's own, and the classes and keys of objects to read in any case.
  private static func pulling(deletions: Bool, objects: Bool) -> String {
    let wanted = """
      UNION ALL
      SELECT o.* FROM unnest($4::text[], $5::text[]) AS w (type, key)
      JOIN livestore.object o ON o.space = $1 AND o.type = w.type AND o.key = w.key WHERE o.version <= $2
      """
    return """
      SELECT s.version, s.mark, s.pruned, o.version, o.type, o.key, o.life, o.deletion_stamp,
        o.deletion_replica, o.stamp, o.replica, o.clocks, o.data, o.author, coalesce(o.machine, o.replica)
      FROM livestore.space s
      LEFT JOIN (
        SELECT o.* FROM livestore.object o
        WHERE o.space = $1 AND o.version > 0 AND o.version > $2
          AND (o.is_merged OR o.version <> ALL ($3::bigint[]))
          \(deletions ? "AND o.deletion_stamp IS NOT NULL" : "")
        \(objects ? wanted : "")
      ) AS o ON true
      WHERE s.space = $1
      ORDER BY o.version
      """
  }

  private static func parameters(_ objects: [SyncedObject.Identity]) -> [Parameter] {
    var (types, keys) = (BinaryArray(of: .text), BinaryArray(of: .text))
    for object in objects {
      types.append { $0.append(contentsOf: object.type.utf8) }
      keys.append { JSONWriting.writeKey(object.key, to: &$0) }
    }
    return [types.parameter, keys.parameter]
  }
}

/// The rows of a pull, put together to pages.
private struct PageReader {
  let page: Int
  let known: Int64
  /// The version of the space; nil if there is no such space.
  private(set) var head: SpaceVersion?
  /// Whether the space has forgotten deletions that the machine lacks; its objects are left then.
  private(set) var lacksDeletions = false
  /// The first error; what comes after it is left.
  var failure: (any Error)?
  var unreadable: [String] { decoder.unreadable }

  private var decoder = RowDecoder()
  private var objects: [PulledObject] = []
  private var received = 0

  init(page: Int, known: Int64) {
    self.page = page
    self.known = known
  }

  mutating func take(
    _ result: ServerRows, _ progress: (Int) -> Void, _ body: ([PulledObject]) throws -> Void
  ) {
    var row = BinaryRow(result)
    let (version, mark, pruned) = (row.integer() ?? 0, row.integer() ?? 0, row.integer() ?? 0)
    head = SpaceVersion(number: version, mark: mark)
    lacksDeletions = known > 0 && known < pruned
    guard failure == nil, !lacksDeletions, let object = decoder.object(of: row.integer(), in: &row) else {
      return
    }
    if objects.count >= page, objects[objects.count - 1].version != object.version { flush(body) }
    objects.append(object)
    received += 1
    if received % page == 0 { progress(received) }
  }

  /// Passes on the objects that have not been passed on.
  mutating func flush(_ body: ([PulledObject]) throws -> Void) {
    guard failure == nil, !objects.isEmpty else { return }
    do { try body(objects) } catch { failure = error }
    objects.removeAll(keepingCapacity: true)
  }
}
