import BenchmarkRunner
import Glibc
import Programs
import TerminalEmulator

/// A program in a terminal, as a very attentive person sees it: `tasks`, or another to compare with.
final class Window {
  private(set) var screen: ScreenParser
  private(set) var bytesRead = 0
  /// The time at which the last bytes were read.
  private(set) var lastRead: Int64 = 0
  /// The time of the start.
  let started: Int64
  /// The bytes a second that the terminal reads; nil for no limit.
  var rate: Int?

  // Its folder is gone with its last window.
  private let subject: AnyObject
  private let terminal: PseudoTerminal
  private let process: RunningProgram
  private var clock = clockid_t()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// The time at which the line is free for further bytes, if it has a rate.
  private var lineIsFree: Int64 = 0

  convenience init(
    _ file: TasksFile, columns: Int = 80, lines: Int = 24, _ arguments: [String] = []
  ) throws {
    try self.init(
      file.program, ["--file", file.path] + arguments, environment: file.environment, keeping: file,
      columns: columns, lines: lines)
  }

  /// - Parameter subject: The owner of the files that the program works with.
  init(
    _ program: String, _ arguments: [String], environment: [String: String], keeping subject: AnyObject,
    columns: Int = 80, lines: Int = 24
  ) throws {
    self.subject = subject
    terminal = try PseudoTerminal(columns: columns, lines: lines)
    screen = ScreenParser(columns: columns, lines: lines)
    started = monotonicNanoseconds()
    process = try terminal.start(program, arguments, environment: environment)
    clock_getcpuclockid(process.id, &clock)
  }

  /// A window with the first list open, at rest: all of its order has been read, and its open tasks have been
  /// counted.
  static func settled(
    _ file: TasksFile, columns: Int = 80, lines: Int = 24, _ arguments: [String] = []
  ) throws -> Window {
    let window = try Window(file, columns: columns, lines: lines, arguments)
    try window.wait("the number of open tasks") { $0.screen.text(line: 0).contains(" open") }
    window.rest()
    return window
  }

  // MARK: Keys

  /// Types keys; returns the time.
  @discardableResult
  func type(_ keys: String) -> Int64 {
    let bytes = Array(keys.utf8)
    let time = monotonicNanoseconds()
    terminal.send(bytes)
    return time
  }

  static let pageDown = "\u{1B}[6~"
  static let pageUp = "\u{1B}[5~"
  static let home = "gg"

  // MARK: Reading

  /// Reads the output of the program until a text is on the screen; returns the time of the bytes that
  /// completed it.
  @discardableResult
  func wait(_ what: String, until isSeen: (Window) -> Bool) throws -> Int64 {
    let limit = monotonicNanoseconds() + 60_000_000_000
    while !isSeen(self) {
      guard monotonicNanoseconds() < limit, read(for: 60_000) else {
        let shown = (0..<screen.lines).map { screen.text(line: $0) }.joined(separator: "\n")
        throw Failure("The window does not show \(what):\n\(shown)")
      }
    }
    return lastRead
  }

  /// Waits for the end of a frame that begins after a number of others.
  @discardableResult
  func waitForFrame(after frames: Int) throws -> Int64 {
    try wait("a frame") { $0.screen.frames > frames }
  }

  /// Reads once, when there is something.
  func waitForOutput() throws {
    guard read(for: 10_000) else { throw Failure("A key has changed nothing on the screen.") }
  }

  /// Reads until nothing has come for some milliseconds.
  func rest(milliseconds: Int32 = 300) {
    while read(for: milliseconds) {}
  }

  /// Reads all output within some milliseconds.
  func read(throughout milliseconds: Int) {
    let end = monotonicNanoseconds() + Int64(milliseconds) * 1_000_000
    while true {
      let left = (end - monotonicNanoseconds()) / 1_000_000
      guard left > 0 else { return }
      _ = read(for: Int32(left))
    }
  }

  /// Reads once; returns whether there was output within a number of milliseconds.
  private func read(for milliseconds: Int32) -> Bool {
    if rate != nil {
      let wait = lineIsFree - monotonicNanoseconds()
      if wait > 0 { usleep(UInt32(wait / 1000)) }
    }
    var descriptor = pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0, descriptor.revents & Int16(POLLIN) != 0 else {
      return false
    }
    // The bytes that the line transmits in five milliseconds.
    let most = rate.map { max(1, $0 / 200) } ?? buffer.count
    let count = Glibc.read(terminal.descriptor, &buffer, most)
    guard count > 0 else { return false }
    lastRead = monotonicNanoseconds()
    if let rate { lineIsFree = lastRead + Int64(count) * 1_000_000_000 / Int64(rate) }
    bytesRead += count
    screen.feed(buffer[..<count])
    if !screen.answers.isEmpty {
      type(String(decoding: screen.answers, as: UTF8.self))
      screen.answers = []
    }
    return true
  }

  /// The number of the task on a line: the texts begin with `Task` and a number.
  func task(onLine line: Int) -> Int? {
    let words = screen.text(line: line).split { !$0.isLetter && !$0.isNumber }
    guard let place = words.firstIndex(of: "Task"), place + 1 < words.count else { return nil }
    return Int(words[place + 1])
  }

  // MARK: The process

  /// CPU time of all threads of the program, in nanoseconds.
  var processorTime: Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Bytes by the name of a line of `/proc/PID/status`, such as `VmRSS`.
  func memory(_ name: String) -> Int { TasksBenchmarks.memory(name, of: process.id) }
}

extension TasksBenchmarks {
  /// Bytes by the name of a line of the `/proc/PID/status` of a process; 0 once it has ended.
  static func memory(_ name: String, of process: pid_t) -> Int {
    let line = contents(of: "/proc/\(process)/status").split(separator: "\n").first {
      $0.hasPrefix(name + ":")
    }
    let number = line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }
    return (number ?? 0) * 1024
  }
}
