import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import TasksTUI

/// The whole program in real terminals. Nothing is waited for by time, except where nothing must happen.
@Suite("tasks, in tmux", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalSessionTests {
  private let folder = TemporaryFolder()
  private var file: String { folder("tasks.db") }

  /// A terminal in which the program runs on the file.
  private func open(
    width: Int = 80, height: Int = 24, environment: [String: String] = [:], options: String = ""
  ) throws -> (window: TmuxWindow, life: Life) {
    var environment = environment
    environment["XDG_STATE_HOME"] = folder("state")
    let window = try TmuxWindow(width: width, height: height, environment: environment)
    let life = try Life(window)
    let tasks = ChildProcess.tasks
    // The program's process id, and what the terminal is like before and after it.
    try window.write(
      """
      stty -a > before
      sh -c 'echo $$ > pid; exec \(tasks) --file \(file) \(options)' 9>alive
      echo status=$?
      stty -a > after
      echo finished
      """, to: "session.sh")
    try window.enter("clear; sh session.sh")
    try window.wait(forText: "quit")
    return (window, life)
  }

  private func sqlite(_ statement: String) throws {
    let outcome = try ChildProcess.run(["sqlite3", "-batch", "-bail", file, statement])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Waits until the window shows these rows, from top to bottom, and no others.
  private func expect(_ rows: [String], in window: TmuxWindow) throws {
    try window.wait(for: "the rows \(rows)") { Self.rows($0) == rows }
  }

  private static func rows(_ screen: String) -> [String] {
    let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.dropFirst().prefix { !$0.isEmpty }
      .map { String($0.dropFirst(2)).trimmingSpaces }
  }

  private func pid(_ window: TmuxWindow) throws -> pid_t {
    try #require(pid_t(window.file("pid").trimmingCharacters { $0.isWhitespace }))
  }

  @Test("What one terminal does shows in the other; what sqlite3 does, in both")
  func twoTerminals() throws {
    let (one, _) = try open()
    let (two, _) = try open()
    for text in ["Buy milk", "Call mother", "Plant a tree"] {
      try one.strike("a")
      try one.tmux("send-keys", "-l", text)
      try one.strike("Enter")
    }
    for window in [one, two] { try expect(["Buy milk", "Call mother", "Plant a tree"], in: window) }

    // The cursor of the second terminal has stayed on the first row; it edits that.
    try two.strike("e", "C-u")
    try two.tmux("send-keys", "-l", "Buy oat milk")
    try two.strike("Enter")
    for window in [one, two] { try expect(["Buy oat milk", "Call mother", "Plant a tree"], in: window) }

    // Reorder in the first, whose cursor is on the row it added last.
    try one.strike("K")
    for window in [one, two] { try expect(["Buy oat milk", "Plant a tree", "Call mother"], in: window) }

    try two.strike("Space")
    for window in [one, two] { try expect(["Plant a tree", "Call mother", "Buy oat milk"], in: window) }
    for window in [one, two] {
      try window.wait(for: "a struck row") { _ in try Self.isStruck("Buy oat milk", in: window) }
    }

    try one.strike("d")
    for window in [one, two] { try expect(["Call mother", "Buy oat milk"], in: window) }

    try sqlite("update TaskItem set completed = 1 where text = 'Call mother'")
    for window in [one, two] {
      try window.wait(for: "two struck rows") { _ in
        try Self.isStruck("Call mother", in: window) && Self.isStruck("Buy oat milk", in: window)
      }
      try window.wait(forText: "0 open")
    }
    try sqlite("delete from TaskItem where text = 'Buy oat milk'")
    for window in [one, two] { try expect(["Call mother"], in: window) }

    for window in [one, two] { try quit(window, "q", status: 0) }
  }

  private static func isStruck(_ text: String, in window: TmuxWindow) throws -> Bool {
    // By the terminal, whose attribute 9 it is, or by U+0336 after each character.
    let strike: Character = "\u{336}"
    let line = try window.cells().first { cells in
      String(cells.compactMap(\.first).filter { $0 != strike }).contains(text)
    }
    return line?.contains { $0.first == strike || $0.contains(" 9=") || $0.contains(",9=") } ?? false
  }

  /// Ends the program by a key and checks that the terminal is as it was.
  private func quit(_ window: TmuxWindow, _ key: String, status: Int) throws {
    try window.strike(key)
    try expectGivenBack(window, status: status)
  }

  private func expectGivenBack(_ window: TmuxWindow, status: Int) throws {
    let screen = try window.wait(forText: "finished")
    // Where a terminal has no alternate screen, the last frame is still behind it.
    #expect(screen.contains("status=\(status)"), "\(screen)")
    #expect(!window.file("before").isEmpty && window.file("before") == window.file("after"))
    #expect(try window.format("#{alternate_on} #{cursor_flag} #{wrap_flag} #{keypad_flag}") == "0 1 1 0")
  }

  @Test("One row after another is typed with Ctrl-O")
  func adding() throws {
    let (window, _) = try open()
    try window.strike("a")
    for text in ["Buy milk", "Call Anna"] {
      try window.tmux("send-keys", "-l", text)
      try window.strike("C-o")
    }
    try window.tmux("send-keys", "-l", "Pay the rent")
    try window.strike("Enter")
    try expect(["Buy milk", "Call Anna", "Pay the rent"], in: window)
    try quit(window, "q", status: 0)
  }

  @Test("A window that gets tiny and large again shows what it showed")
  func resize() throws {
    // Without movement, so that the first picture is the one at rest.
    let (window, _) = try open(options: "--no-animation")
    try window.strike("a")
    try window.tmux("send-keys", "-l", "Buy milk")
    try window.strike("Enter")
    try expect(["Buy milk"], in: window)
    // The message about the last key goes with the next.
    try window.strike("g")
    try window.wait(forText: "Space complete")
    let before = try window.cells()
    for (width, height) in [(1, 1), (3, 2), (200, 60), (20, 5)] {
      try window.resize(width: width, height: height)
      // Not j and k, which say at the ends of the list what there is beyond.
      try window.strike("G", "g")
    }
    try window.resize(width: 80, height: 24)
    try window.wait(for: "the screen as it was") { _ in try window.cells() == before }
    try quit(window, "q", status: 0)
  }

  @Test("Ctrl-Z gives the terminal back; fg shows what has changed meanwhile")
  func suspend() throws {
    let (window, _) = try open()
    // From the shell itself, so that it has job control.
    try window.strike("q")
    try window.wait(forText: "finished")
    try window.enter("clear; \(ChildProcess.tasks) --file \(file)")
    try window.wait(forText: "Nothing to do")
    try window.strike("C-z")
    try window.wait(forText: "Stopped")
    #expect(try window.format("#{alternate_on} #{cursor_flag}") == "0 1")
    let added = try ChildProcess.run([ChildProcess.tasks, "--file", file, "add", "Meanwhile"])
    #expect(added.status == 0)
    try window.enter("fg")
    try expect(["Meanwhile"], in: window)
    try window.strike("d")
    try window.wait(forText: "Nothing to do")
    try window.strike("q")
    try window.wait(for: "the shell") { _ in try window.format("#{alternate_on} #{cursor_flag}") == "0 1" }
  }

  @Test(
    "A signal to end, and a crash, give the terminal back", arguments: [SIGTERM, SIGHUP, SIGSEGV])
  func signals(signal: Int32) throws {
    let (window, _) = try open()
    try window.strike("a", "x")
    try window.wait(forText: "Esc cancel")
    kill(try pid(window), signal)
    try expectGivenBack(window, status: 128 + Int(signal))
  }

  @Test("A terminal that goes away ends the program")
  func hangUp() throws {
    let (window, life) = try open()
    try window.tmux("kill-server")
    #expect(life.waitForEnd(milliseconds: Patience.milliseconds))
  }

  @Test(
    "Any terminal will do, and tells the rows apart",
    arguments: [
      ["TERM": "vt100"], ["TERM": "linux"], ["TERM": "screen-256color"], ["NO_COLOR": "1"],
      ["COLORTERM": "truecolor"], ["TASKS_ANIMATION": "off"],
    ])
  func terminals(environment: [String: String]) throws {
    let (window, _) = try open(environment: environment)
    for text in ["one", "two"] {
      try window.strike("a")
      try window.tmux("send-keys", "-l", text)
      try window.strike("Enter")
    }
    try window.strike("Space")
    try window.wait(for: "rows") { $0.contains("one") && $0.contains("1 open") }
    try window.strike("h")
    try window.wait(forText: "Lists")
    try quit(window, "q", status: 0)
  }

  @Test("Idle, it neither computes nor wakes nor writes for ten seconds")
  func idle() throws {
    let (window, life) = try open()
    try window.strike("a")
    try window.tmux("send-keys", "-l", "Buy milk")
    try window.strike("Enter")
    try expect(["Buy milk"], in: window)
    let process = try pid(window)
    // At first the row fades back, and the threads that have read dates, or what was not in sight, end some
    // seconds later.
    var isIdle = false
    for _ in 0..<6 where !isIdle {
      let before = try Activity(process)
      #expect(!life.waitForEnd(milliseconds: 10_000))
      isIdle = try Activity(process) == before
    }
    #expect(isIdle)
    try quit(window, "q", status: 0)
  }

  /// Tells when the program in a window ends: then nobody has the FIFO open any more that it was started
  /// with.
  private final class Life {
    private let descriptor: Int32

    init(_ window: TmuxWindow) throws {
      try #require(mkfifo("\(window.folder)/alive", 0o600) == 0)
      descriptor = Glibc.open("\(window.folder)/alive", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      try #require(descriptor >= 0)
    }

    deinit { close(descriptor) }

    /// Whether it ended before so much time had passed.
    func waitForEnd(milliseconds: Int32) -> Bool {
      var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
      return poll(&waiting, 1, milliseconds) == 1
    }
  }

  /// The work of a process since it began.
  private struct Activity: Equatable {
    /// In clock ticks.
    var processorTime: [String]
    /// Read and write calls and their bytes.
    var transfers: String
    /// How often its threads have gone to sleep of their own accord: each wake-up is followed by one.
    var sleeps: [String]

    init(_ process: pid_t) throws {
      let fields = try Self.text("stat", of: process).split(separator: " ").map(String.init)
      processorTime = Array(fields[13...14])
      transfers = try Self.text("io", of: process)
      // A thread may end while they are counted.
      sleeps = Self.threads(of: process).compactMap { thread in
        (try? Self.text("task/\(thread)/status", of: process))?.split(separator: "\n")
          .first { $0.hasPrefix("voluntary_ctxt_switches") }.map(String.init)
      }
    }

    private struct Gone: Error {}

    private static func text(_ path: String, of process: pid_t) throws -> String {
      // Files of /proc have no size, which the usual ways to read a file go by.
      guard let file = fopen("/proc/\(process)/\(path)", "r") else { throw Gone() }
      defer { fclose(file) }
      var text = ""
      while let line = readLine(from: file) { text += line }
      return text
    }

    private static func threads(of process: pid_t) -> [String] {
      guard let folder = opendir("/proc/\(process)/task") else { return [] }
      defer { closedir(folder) }
      var names: [String] = []
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name.first != "." { names.append(name) }
      }
      return names.sorted()
    }

    private static func readLine(from file: UnsafeMutablePointer<FILE>) -> String? {
      var buffer = [CChar](repeating: 0, count: 4096)
      guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
      return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}

extension String {
  fileprivate func trimmingCharacters(where isTrimmed: (Character) -> Bool) -> String {
    String(drop(while: isTrimmed).reversed().drop(while: isTrimmed).reversed())
  }
}
