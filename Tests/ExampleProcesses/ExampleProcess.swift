import Glibc
import Programs
import TestSupport

/// One of the example programs at a terminal, as a reader runs it.
public final class ExampleProcess {
  private let process: RunningProgram
  private let terminal: Int32
  private var output: OutputReader

  /// Starts a program that the package builds beside the tests.
  public init(_ name: String, _ arguments: String...) throws {
    let path = try Program.built(name)
    var (near, far): (Int32, Int32) = (-1, -1)
    guard openpty(&near, &far, nil, nil, nil) == 0 else { throw Program.Failure("There is no terminal.") }
    // A pipe that another program inherits would never come to its end.
    for descriptor in [near, far] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    terminal = near
    output = OutputReader(near)
    defer { close(far) }
    // Lines come as they were printed, and what is typed is not printed; but it is handed over a line at a
    // time.
    var attributes = termios()
    tcgetattr(far, &attributes)
    attributes.c_oflag &= ~tcflag_t(OPOST)
    attributes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(far, TCSANOW, &attributes)
    let streams: [Int32: Program.Stream] = [0: .descriptor(far), 1: .same(as: 0), 2: .same(as: 0)]
    process = try Program([path] + arguments, streams: streams).start()
  }

  deinit {
    process.kill()
    close(terminal)
  }

  /// The next line that the program prints; `nil` at its end.
  public func line() throws -> String? { try output.nextLine() }

  /// The next lines that the program prints.
  public func lines(_ count: Int) throws -> [String] {
    try (0..<count).compactMap { _ in try line() }
  }

  /// All lines that the program prints until its end.
  public func rest() throws -> [String] {
    var lines: [String] = []
    while let line = try line() { lines.append(line) }
    return lines
  }

  /// Types a line.
  public func type(_ line: String) {
    var bytes = Array((line + "\n").utf8)
    precondition(write(terminal, &bytes, bytes.count) == bytes.count)
  }

  /// Kills the program in the middle of whatever it does, and waits for its end.
  public func kill() { process.kill() }

  /// Waits for the program's end and returns what it exited with; a negative number when it was killed.
  public func waitForEnd() -> Int32 { process.waitForEnd() }
}
