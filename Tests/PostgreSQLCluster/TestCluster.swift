import Glibc
import Programs

/// A PostgreSQL server for tests and benchmarks, in a temporary folder: on a Unix socket and a loopback port.
///
/// A shell waits for the end of the process, however that comes; then it stops the server and removes the
/// folder.
public final class TestCluster: Sendable {
  /// The folder of the server's data, of its socket and of what tests put there.
  public let folder: String
  /// The port on 127.0.0.1, and of the socket.
  public let port: Int
  private let options: String

  /// The server of this process, started by the first who asks; nil where PostgreSQL is not installed or does
  /// not start.
  public static let shared: TestCluster? = try? TestCluster()
  public static var isInstalled: Bool { binaries != nil }

  /// The folder of the server's programs, of the newest version.
  private static let binaries: String? = {
    let versioned = (9...30).reversed().flatMap { ["/usr/lib/postgresql/\($0)/bin", "/usr/pgsql-\($0)/bin"] }
    return (versioned + ["/usr/local/bin", "/usr/bin"]).first { access($0 + "/initdb", X_OK) == 0 }
  }()

  /// Starts a server.
  ///
  /// - Parameter settings: Settings of PostgreSQL, as `name=value`. By default it does not wait for the disk.
  /// - Parameter isOnOneProcessor: Whether all its processes run on the first processor only.
  public init(
    settings: [String] = ["fsync=off", "max_connections=200"], isOnOneProcessor: Bool = false
  ) throws {
    guard let binaries = Self.binaries else { throw ClusterFailure("PostgreSQL is not installed.") }
    var template = Array("/tmp/livestore-sync-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw ClusterFailure("There is no temporary folder.") }
    folder = String(cString: made)
    port = Int.random(in: 20_000..<32_000)
    options = (["listen_addresses=127.0.0.1"] + settings).map { "-c \($0)" }.joined(separator: " ")
    // The server does not run as root.
    let script = """
      set -e
      cd "$1"
      as=
      if [ "$(id -u)" = 0 ]; then chown postgres "$1"; as="setpriv --reuid postgres --regid postgres --clear-groups"; fi
      $as "$2/initdb" -D "$1/data" -U postgres -A trust -E UTF8 --locale=C -N >"$1/initdb.log" 2>&1
      printf 'local all all trust\\nhost all guarded 127.0.0.1/32 scram-sha-256\\nhost all all 127.0.0.1/32 trust\\n' \
        >"$1/data/pg_hba.conf"
      $5 $as "$2/pg_ctl" -D "$1/data" -w -l "$1/server.log" -o "-k $1 -p $3 $4" start >"$1/start.log" 2>&1
      echo ready
      trap '' INT HUP TERM
      cat >/dev/null
      $as "$2/pg_ctl" -D "$1/data" -m immediate stop >/dev/null 2>&1 || true
      cd /
      rm -rf "$1"
      """
    let (input, output) = (try PrivatePipe(), try PrivatePipe())
    _ = try Program(
      [
        "sh", "-c", script, "sh", folder, binaries, "\(port)", options,
        isOnOneProcessor ? "taskset -c 0" : "",
      ],
      streams: [0: .descriptor(input.reading), 1: .descriptor(output.writing)]
    ).spawn()
    // The shell has the only other end: reading ends when it does. The writing end of its input stays open
    // until this process ends, with the pipe, which nobody lets go.
    output.closeWriting()
    defer { output.closeReading() }
    input.closeReading()
    _ = Unmanaged.passRetained(input)
    var answer = [UInt8](repeating: 0, count: 6)
    guard read(output.reading, &answer, 6) == 6 else {
      throw ClusterFailure("PostgreSQL has not started: see \(folder).")
    }
  }

  /// Kills all processes of the server at once, and starts it again: it is ready when this returns.
  public func killAndRestart() throws {
    let script = """
      server=$(head -n 1 "$1/data/postmaster.pid")
      others=$(cat "/proc/$server/task/$server/children")
      # One of the others may just have ended by itself.
      kill -KILL $server $others 2>/dev/null
      for process in $server $others; do while kill -0 $process 2>/dev/null; do sleep 0.01; done; done
      cd "$1"
      as=
      if [ "$(id -u)" = 0 ]; then as="setpriv --reuid postgres --regid postgres --clear-groups"; fi
      $as "$2/pg_ctl" -D "$1/data" -w -l "$1/server.log" -o "-k $1 -p $3 $4" start >"$1/start.log" 2>&1
      echo $?
      """
    let output = try Self.run(["sh", "-c", script, "sh", folder, Self.binaries ?? "", "\(port)", options])
    guard output == "0" else { throw ClusterFailure("PostgreSQL has not started again: \(output)") }
  }

  /// The address of a database for a role, by the socket.
  public func url(_ database: String, as role: String = "postgres") -> String {
    "postgresql://\(role)@/\(database)?host=\(folder)&port=\(port)"
  }

  /// Creates an empty database, and roles that may log in; returns its name.
  public func createDatabase(roles: [String] = []) throws -> String {
    let name = "d\(UInt64.random(in: 0...UInt64.max))"
    let output = try psql("CREATE DATABASE \(name)", in: "postgres")
    guard output == "CREATE DATABASE" else { throw ClusterFailure(output) }
    for role in roles {
      _ = try psql(
        """
        DO $$ BEGIN CREATE ROLE \(role) LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$
        """, in: "postgres")
    }
    return name
  }

  /// Executes statements with `psql`, as anybody might; returns the rows and the errors.
  public func psql(_ statements: String, in database: String, as role: String = "postgres") throws -> String {
    try Self.run(
      ["psql", "-X", "-At", "-v", "VERBOSITY=terse", "-d", url(database, as: role), "-c", statements])
  }

  /// Writes a database to a file, as those do who look after a server.
  public func backUp(_ database: String, to file: String) throws {
    let output = try Self.run(
      ["\(Self.binaries ?? "")/pg_dump", "-Fc", "-f", file, "-d", url(database)])
    guard output.isEmpty else { throw ClusterFailure(output) }
  }

  /// Makes a database what it was when a backup was written; connections to it are ended.
  public func restore(_ database: String, from file: String) throws {
    for (command, options) in [("DROP DATABASE", " WITH (FORCE)"), ("CREATE DATABASE", "")] {
      let output = try psql("\(command) \(database)\(options)", in: "postgres")
      guard output == command else { throw ClusterFailure(output) }
    }
    let output = try Self.run(["\(Self.binaries ?? "")/pg_restore", "-d", url(database), file])
    guard output.isEmpty else { throw ClusterFailure(output) }
  }

  /// Runs a program, and returns its output and its errors.
  private static func run(_ words: [String]) throws -> String {
    var output = try Program(words).run().output
    while output.last == "\n" { output.removeLast() }
    return output
  }
}

/// The reason why there is no server.
public struct ClusterFailure: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
