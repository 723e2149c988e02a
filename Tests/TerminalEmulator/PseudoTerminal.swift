import Glibc
import TestSupport

/// A terminal of which this process is the other side: what a program writes to it is read here, and its keys
/// are struck here.
package final class PseudoTerminal {
  /// Readable when the program has written something.
  package let descriptor: Int32
  /// The program's side.
  package let devicePath: String

  /// Why there is no terminal, or no program in it: a sentence.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package init(columns: Int, lines: Int) throws(Failure) {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(description: "There are no pseudo-terminals.") }
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(descriptor, Self.setLock, &unlocked) == 0, ioctl(descriptor, Self.getNumber, &number) == 0
    else { throw Failure(description: "A pseudo-terminal cannot be set up.") }
    devicePath = "/dev/pts/\(number)"
    resize(columns: columns, lines: lines)
  }

  /// Gives the terminal another size, which the program is told by a signal.
  package func resize(columns: Int, lines: Int) {
    var size = winsize(ws_row: UInt16(lines), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Strikes keys: whatever a keyboard would send for them.
  ///
  /// - Returns: How many bytes were taken, where the descriptor does not block; 0 when none were.
  @discardableResult
  package func send(_ bytes: some Collection<UInt8>) -> Int {
    let bytes = Array(bytes)
    return max(0, bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) })
  }

  deinit {
    close(descriptor)
  }

  // TIOCSPTLCK and TIOCGPTN: macros with arguments, which are not imported.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Starts a program that has the terminal as its own, with no signal blocked or ignored.
  package func start(
    _ program: String, _ arguments: [String], environment: [String]
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Opened by the leader of a new session, it becomes the session's terminal.
    posix_spawn_file_actions_addopen(&actions, 0, devicePath, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, flags)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    // The caller's variables win, such as another library to preload.
    let given = Set(environment.map { $0.prefix { $0 != "=" } })
    let options = SanitizerOptions.environment.filter { !given.contains($0.key[...]) }
    let environment = environment + options.map { "\($0)=\($1)" }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    guard posix_spawn(&process, program, &actions, &attributes, &words, &variables) == 0 else {
      throw Failure(description: "“\(program)” cannot be started.")
    }
    return process
  }

  // POSIX_SPAWN_SETSID, which is not imported.
  private static let newSession: Int16 = 0x80
}
