import CPostgreSQL
import LibC

/// A connection to the database in which machines meet.
///
/// Its calls block, but none without a limit; all are to be made on one thread. After an error of
/// ``SyncError/Code/connectionLost`` it is of no use any more: the caller connects again and enters anew.
public final class ServerConnection {
  /// The address that it is connected to.
  public let url: ServerURL
  /// The seconds after which a server that sends nothing counts as lost.
  public var patience: Int = 60

  /// Called when a server that is waited for has sent nothing for ``silence`` milliseconds, once each time.
  var onSilence: () -> Void = {}
  static let silence: Int64 = 3000

  let connection: OpaquePointer
  /// The clock of the server, by its answers.
  private var time = ServerTime()
  /// The space in which this machine is, after ``enter(space:replica:machineName:token:known:)``.
  var entrance: Entrance?
  /// The versions that this connection has pushed since it last pulled: what no other machine has changed in
  /// them is in the file.
  var pushedVersions: Set<Int64> = []
  /// The objects of the last pull that this program cannot read, or not all of, by class and key.
  var unreadObjects: [String] = []
  /// The last version that this connection has pulled, or pushed right after that.
  var latestVersion: Int64 = 0
  /// The channel on which the server notifies this connection, and the key by which it is known to do so.
  var reception: Reception?
  /// The last version of which the server has notified this connection.
  var notifiedVersion: Int64 = 0
  /// The last changes that notices have carried, one for each version up to the last of them.
  var notifiedChanges: [NotifiedChange] = []
  /// The version up to which this machine has everything, as the others know; nil if they do not.
  var reportedVersion: Int64?
  /// The names of the statements that the server has planned for this connection, by their texts.
  var preparedStatements: [String: String] = [:]
  /// The names of the machines of the space, by their numbers; nil if some may have come since
  /// ``machines()`` was asked.
  var machineNames: [Int64: String]?
  var hasCheckedSchema = false

  /// Connects to a database.
  ///
  /// A server elsewhere has to show a certificate for its name that this machine trusts (`verify-full`),
  /// unless the address or `PGSSLMODE` say otherwise. Trusted are the authorities in `~/.postgresql/root.crt`
  /// or `sslrootcert`, and where that is not given, those of the system.
  ///
  /// - Parameters:
  ///   - url: The address of the database, and the role.
  ///   - seconds: The time within which the server has to answer.
  public init(url: ServerURL, within seconds: Int = 10) throws(SyncError) {
    self.url = url
    connection = try Self.connect(to: url, within: seconds)
    PQsetnonblocking(connection, 1)
    try prepare()
  }

  deinit {
    PQfinish(connection)
  }

  /// The name of the role by which the server knows the person.
  public var role: String { PQuser(connection).map { String(cString: $0) } ?? "" }

  /// The file descriptor that becomes readable when the server sends something, for `poll`.
  public var socket: Int32 { PQsocket(connection) }

  /// The milliseconds by which the server's clock is ahead of the time since this machine was started.
  var bootTimeOffset: Int64 { time.bootTimeOffset }

  /// Milliseconds since 1970 by the server's clock, as far as its answers to the first questions tell.
  public var serverTime: Int64 { bootTimeOffset + Self.milliseconds(CLOCK_BOOTTIME) }

  /// The milliseconds by which the server's clock is ahead of this machine's.
  public var clockOffset: Int64 { Self.clockOffset(at: bootTimeOffset) }

  /// How far the server's clock is ahead of this machine's now, in milliseconds, by what a connection has
  /// found out.
  static func clockOffset(at bootTimeOffset: Int64) -> Int64 {
    bootTimeOffset + milliseconds(CLOCK_BOOTTIME) - milliseconds(CLOCK_REALTIME)
  }

  /// Sets up the session and asks for the time.
  private func prepare() throws(SyncError) {
    // A machine that falls silent must not keep others from writing to its space. Statistics of new tables
    // mislead the planner into reading all of them, and plans are kept, since none depends on parameters.
    // Defaults for people who ask by hand would end a connection that is quiet, or a long push. Operators and
    // functions of roles that may create them in `public` must not be taken for those of the system, neither
    // by this session nor in what it installs.
    try execute(
      """
      SET search_path = pg_catalog, pg_temp;
      SET client_min_messages = error; SET idle_in_transaction_session_timeout = '30s'; SET lock_timeout = '30s';
      SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
      SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;
      SET plan_cache_mode = force_generic_plan;
      SET default_transaction_isolation = 'read committed'; SET statement_timeout = 0;
      SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'
      """)
    while time.isUncertain {
      let sent = Self.milliseconds(CLOCK_BOOTTIME)
      let rows = try query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
      time.note(rows.integer(0, 0) ?? 0, sent: sent, received: Self.milliseconds(CLOCK_BOOTTIME))
    }
  }

  static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
