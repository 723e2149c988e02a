import Glibc
import TerminalEmulator
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// However the program ends, the terminal is as it was found.
@Suite("The end of the program, in a terminal")
struct TerminalEndingTests {
  /// The program in a terminal whose settings stay known after it has gone.
  private struct Session {
    let folder: TemporaryFolder
    let window: PseudoWindow

    init() throws {
      folder = TemporaryFolder()
      let tasks = ChildProcess.tasks
      let filled = try ChildProcess.run(
        [tasks, "--file", folder("tasks.db"), "add", "-"], input: "one\ntwo\n")
      try #require(filled.status == 0, "\(filled.errors)")
      window = try PseudoWindow(
        tasks, ["--file", folder("tasks.db"), "--no-animation"],
        environment: [
          "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": folder.path, "SWIFT_BACKTRACE": "enable=no",
        ], in: folder.path)
    }

    func expectGivenBack() {
      let end = String(decoding: window.output.suffix(300), as: UTF8.self).debugDescription
      #expect(window.screen.modes == ScreenParser.initialModes, "its last bytes: \(end)")
      #expect(window.hasInitialSettings)
    }
  }

  /// All that end a process by default and that a process can do something about; the realtime ones are 34 to
  /// 64.
  private static let signals: [Int32] = [
    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2, SIGALRM,
    SIGTERM,
    16, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS, 34, 50, 64,
  ]

  @Test("Every signal that ends it gives the terminal back, and is seen as that signal", arguments: signals)
  func everySignal(signal: Int32) throws {
    let session = try Session()
    try session.window.wait(forText: "two")
    kill(session.window.process, signal)
    #expect(try session.window.waitForEnd() == 128 + signal)
    session.expectGivenBack()
  }

  @Test("Wherever its output is cut off, within a sequence or a character, the terminal is given back")
  func everyByte() throws {
    let session = try Session()
    try session.window.wait(forText: "two")
    // Help is scrolled by the terminal.
    for key in ["?", "C-d", "C-u"] {
      try session.window.strike(key)
      try session.window.waitForRest()
    }
    #expect(session.window.output.firstRange(of: Array("\u{1B}[2;23r".utf8)) != nil)
    let description = try TerminalDescription(type: "xterm-256color", descriptor: STDOUT_FILENO)
    let restore = Terminal.restoreSequence(description).map(UInt8.init(bitPattern:))
    var screen = ScreenParser(columns: 80, lines: 24)
    var failures: [Int] = []
    for (place, byte) in session.window.output.enumerated() {
      screen.feed(CollectionOfOne(byte))
      var ended = screen
      ended.feed(restore)
      if ended.modes != ScreenParser.initialModes || ended.region != 0...23 { failures.append(place) }
    }
    #expect(failures.isEmpty && session.window.output.count > 1_000)
  }

  @Test("A terminal that nobody reads does not keep a signal from ending it", arguments: [SIGTERM, SIGUSR1])
  func unread(signal: Int32) throws {
    let session = try Session()
    // One that has never answered is never waited for.
    session.window.answers = false
    try session.window.wait(forText: "two")
    session.window.resize(columns: 400, lines: 100)
    try session.window.fillQueue()
    kill(session.window.process, signal)
    #expect(try session.window.waitForEnd(isReading: false) == 128 + signal)
    session.expectGivenBack()
  }

  @Test("A terminal that nobody reads does not keep Ctrl-C from ending it")
  func unreadInterrupt() throws {
    let session = try Session()
    session.window.answers = false
    try session.window.wait(forText: "two")
    session.window.resize(columns: 400, lines: 100)
    try session.window.fillQueue()
    session.window.send([3])
    #expect(try session.window.waitForEnd(isReading: false) == 128 + SIGINT)
    session.expectGivenBack()
  }

  @Test("A terminal that is closed ends it")
  func closed() throws {
    let folder = TemporaryFolder()
    var terminal: PseudoTerminal? = try PseudoTerminal(columns: 80, lines: 24)
    let process = try #require(
      try terminal?.start(
        ChildProcess.tasks, ["--file", folder("tasks.db")],
        environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": folder.path]))
    var shown = [UInt8](repeating: 0, count: 4096)
    #expect(terminal.map { read($0.descriptor, &shown, shown.count) } ?? 0 > 0)
    terminal = nil
    let status = process.waitForEnd()
    #expect(status == -SIGHUP || status == 128 + SIGHUP, "\(status)")
    let listed = try ChildProcess.run([ChildProcess.tasks, "--file", folder("tasks.db"), "lists"])
    #expect(listed == .init(status: 0, output: "My Tasks\n", errors: ""))
  }
}
