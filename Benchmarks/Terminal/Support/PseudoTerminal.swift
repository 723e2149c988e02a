import BenchmarkRunner
import Glibc

/// A terminal of which this process is the other side: what a program writes to it is read here, and its keys are struck
/// here.
final class PseudoTerminal {
  let columns: Int
  let lines: Int
  /// Readable when the program has written something.
  let descriptor: Int32
  private let devicePath: String

  init(columns: Int, lines: Int) throws {
    self.columns = columns
    self.lines = lines
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure("There are no pseudo-terminals.") }
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    var size = winsize(
      ws_row: UInt16(lines), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(descriptor, Self.setLock, &unlocked) == 0, ioctl(descriptor, Self.getNumber, &number) == 0,
      ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0
    else { throw Failure("A pseudo-terminal cannot be set up.") }
    devicePath = "/dev/pts/\(number)"
  }

  deinit {
    close(descriptor)
  }

  // TIOCSPTLCK and TIOCGPTN: macros with arguments, which are not imported.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Starts a program that has the terminal as its own.
  func start(_ program: String, _ arguments: [String], environment: [String]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Opened by the leader of a new session, it becomes the session's terminal.
    posix_spawn_file_actions_addopen(&actions, 0, devicePath, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    return try spawn(program, arguments, environment: environment, &actions, inNewSession: true)
  }
}

/// Starts a program.
func spawn(
  _ program: String, _ arguments: [String], environment: [String],
  _ actions: inout posix_spawn_file_actions_t, inNewSession: Bool = false
) throws -> pid_t {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  // POSIX_SPAWN_SETSID, which is not imported.
  if inNewSession { posix_spawnattr_setflags(&attributes, 0x80) }
  var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
  var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
  defer { for word in words + variables { free(word) } }
  var process: pid_t = 0
  guard posix_spawn(&process, program, &actions, &attributes, &words, &variables) == 0 else {
    throw Failure("“\(program)” cannot be started.")
  }
  return process
}
