import Glibc
import LiveStore

/// The program `tasks-sync`, which carries a file to other machines. It is built and installed apart, since
/// only it needs PostgreSQL's library.
enum SyncLauncher {
  /// Becomes the program.
  ///
  /// - Throws: The reason why there is none.
  static func run(_ arguments: [String]) throws(RuntimeError) -> Never {
    let path = path
    withArguments([path] + arguments) { _ = execvp(path, $0) }
    throw RuntimeError(
      errno == ENOENT
        ? "tasks-sync is not installed: “make sync” builds it, and needs PostgreSQL's library (libpq-dev)"
        : "tasks-sync cannot be started: \(String(cString: strerror(errno)))")
  }

  /// The ways to settle a change that was lost, by the words for `tasks-sync`.
  enum Settlement: String {
    /// Make it once more.
    case restore
    /// Leave it lost.
    case forget
  }

  /// Settles a change that was lost, and waits for it.
  ///
  /// - Returns: Whether that was possible.
  static func settle(_ number: Int64, by settlement: Settlement, in database: String) -> Bool {
    guard let process = spawn([settlement.rawValue, "\(number)", "--file", database]) else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return false }
    }
    return status == 0
  }

  /// Starts the program, without a terminal.
  fileprivate static func spawn(_ arguments: [String]) -> pid_t? {
    var attributes = posix_spawnattr_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    // This window blocks signals that are to end the program.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var process = pid_t()
    let path = path
    let result = withArguments([path] + arguments) {
      posix_spawnp(&process, path, &actions, &attributes, $0, environ)
    }
    return result == 0 ? process : nil
  }

  /// Whether the file of a store has been joined to a space.
  ///
  /// The store is asked: a connection of its own may find another file by the name, and remove the log when
  /// it is closed.
  static func isJoined(_ store: Store) -> Bool {
    let found = try? store.firstValue(sql: "SELECT 1 FROM sqlite_schema WHERE name = '_livesync_state'")
    return found != nil
  }

  /// The program beside this one, or the name of one that the shell would find.
  private static var path: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    if count > 0 {
      let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      if let slash = own.lastIndex(of: "/") {
        let beside = own[...slash] + "tasks-sync"
        if access(String(beside), X_OK) == 0 { return String(beside) }
      }
    }
    return "tasks-sync"
  }

  private static func withArguments<Result>(
    _ arguments: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(&pointers)
  }
}

/// The starting of the agent of one file, by one window.
final class AgentLauncher {
  private let database: String
  /// The agents that it has started, until the system has been asked for their end: those that have ended
  /// leave entries in the table of processes.
  private var processes: [pid_t] = []

  init(database: String) {
    self.database = database
  }

  /// Starts the agent in the background, where there is none yet. It ends with the last window.
  ///
  /// - Returns: Whether it could be started.
  func start() -> Bool {
    processes.removeAll { waitpid($0, nil, WNOHANG) != 0 }
    guard let process = SyncLauncher.spawn(["run", "--with-windows", "--file", database]) else {
      return false
    }
    processes.append(process)
    return true
  }
}
