import Glibc
import Programs
import TestSupport

/// A terminal of which this process is the other side: what a program writes to it is read here, and its keys
/// are struck here.
package final class PseudoTerminal {
  /// Readable when the program has written something.
  package let descriptor: Int32
  /// The program's side.
  package let devicePath: String

  package init(columns: Int, lines: Int) throws(Program.Failure) {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Program.Failure("There are no pseudo-terminals.") }
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(descriptor, Self.setLock, &unlocked) == 0, ioctl(descriptor, Self.getNumber, &number) == 0
    else { throw Program.Failure("A pseudo-terminal cannot be set up.") }
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
    _ program: String, _ arguments: [String], environment: [String: String]
  ) throws(Program.Failure) -> RunningProgram {
    // The caller's variables win, such as another library to preload.
    let environment = environment.merging(SanitizerOptions.environment) { own, _ in own }
    return try Program(
      [program] + arguments, environment: environment,
      streams: [0: .device(devicePath), 1: .same(as: 0), 2: .same(as: 0)], hasDefaultSignals: true,
      leadsSession: true
    ).start()
  }
}
