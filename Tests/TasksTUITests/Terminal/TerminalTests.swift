import Foundation
import TestSupport
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Terminal, in tmux", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalTests {
  static func window(
    width: Int = 80, height: Int = 24, environment: [String: String] = [:]
  ) throws -> TmuxWindow {
    // The probe is the child of a process with threads, and may find a lock taken that none of its own gives
    // back: it is started again then.
    for _ in 0..<3 {
      let window = try TmuxWindow(width: width, height: height, environment: environment)
      try window.write(TerminalProbe.script(), to: "probe.sh")
      try window.enter("clear; sh probe.sh")
      let isThere = try? window.wait(for: "the probe", atMost: Patience.duration / 4) {
        $0.contains("events 0.")
      }
      if isThere != nil { return window }
    }
    throw TmuxWindow.Failure(description: "the probe did not start, three times")
  }

  /// The output of stty, except for its first line, which has the size.
  static func settings(_ window: TmuxWindow, _ name: String) -> String {
    window.file(name).split(separator: "\n").dropFirst().joined(separator: "\n")
  }

  /// Waits for the end and checks that the terminal is as it was.
  static func expectGivenBack(_ window: TmuxWindow, status: Int) throws {
    try window.wait(forText: "finished")
    #expect(try window.screen().contains("status=\(status)\n"), "\(window.file("probe.err"))")
    #expect(!settings(window, "before").isEmpty && settings(window, "before") == settings(window, "after"))
    #expect(try window.format("#{alternate_on} #{cursor_flag} #{wrap_flag} #{keypad_flag}") == "0 1 1 0")
  }

  @Test("Keys, with their modifiers, and a paste of several lines arrive")
  func input() throws {
    let window = try Self.window()
    try window.strike("Up", "C-Right", "M-x", "S-Down", "M-Up", "Escape")
    try window.wait(forText: "events 6.")
    try window.strike("F5", "é", "会", "PPage", "BSpace", "C-_", "BTab", "C-Space", "C-s", "Enter")
    try window.paste("one\ntwo\tthree")
    let screen = try window.wait(forText: "events 17.")
    let shown = screen.split(separator: "\n").filter { $0.hasPrefix("key") || $0.hasPrefix("paste") }
    #expect(
      shown == [
        "key Up", "key C-Right", "key M-x", "key S-Down", "key M-Up", "key Esc", "key F5", "key é", "key 会",
        "key PgUp", "key Backspace", "key C-_", "key S-Tab", "key C-Space", "key C-s", "key Enter",
        "paste \"one\\ntwo\\tthree\"",
      ])
    try window.strike("q")
    try Self.expectGivenBack(window, status: 0)
  }

  @Test("Text of every kind stands where the canvas says")
  func text() throws {
    let window = try Self.window()
    let samples = DisplayText(TerminalProbe.samples).string
    try window.wait(forText: "\n\(samples)\n")
    #expect(try window.format("#{alternate_on} #{cursor_x} #{cursor_y} #{cursor_flag}") == "1 3 0 1")
  }

  @Test("The size follows the window, down to one cell and back")
  func resize() throws {
    let window = try Self.window()
    try window.resize(width: 1, height: 1)
    try window.wait(for: "one cell") { _ in window.file("log").contains("resize 1x1") }
    try window.resize(width: 200, height: 50)
    let samples = DisplayText(TerminalProbe.samples).string
    try window.wait(for: "the new size") { $0.hasPrefix("size 200x50") && $0.contains(samples) }
    try window.strike("x")
    try window.wait(forText: "key x")
    try window.strike("q")
    try Self.expectGivenBack(window, status: 0)
  }

  @Test("Ctrl-Z gives the terminal back and stops; fg brings everything back")
  func suspend() throws {
    let window = try Self.window()
    try window.strike("C-z")
    try window.wait(forText: "Stopped")
    #expect(try window.format("#{alternate_on} #{cursor_flag}") == "0 1")
    try window.enter("clear; stty -a > stopped; echo noted")
    try window.wait(for: "noted") { $0.hasPrefix("noted") }
    #expect(try !window.format("#{alternate_on}").contains("1"))
    try window.resize(width: 60, height: 20)
    try window.enter("fg")
    let screen = try window.wait(forText: "suspended")
    #expect(screen.hasPrefix("size 60x20"))
    try window.strike("x")
    try window.wait(forText: "key x")
    #expect(try window.format("#{alternate_on}") == "1")
    try window.strike("q")
    try window.wait(forText: "finished")
    #expect(try window.format("#{alternate_on} #{cursor_flag}") == "0 1")
    #expect(Self.settings(window, "before") == Self.settings(window, "stopped"))
    #expect(Self.settings(window, "before") == Self.settings(window, "after"))
  }

  @Test("Stopped and continued from outside, it takes the terminal again")
  func stoppedFromOutside() throws {
    let window = try Self.window()
    let pid = try #require(pid_t(window.file("pid")))
    kill(pid, SIGSTOP)
    try window.waitForState("T", of: pid)
    kill(pid, SIGCONT)
    try window.wait(forText: "resumed")
    try window.strike("q")
    try Self.expectGivenBack(window, status: 0)
  }

  @Test("Exit from anywhere gives the terminal back")
  func exit() throws {
    let window = try Self.window()
    try window.strike("E")
    try Self.expectGivenBack(window, status: 3)
  }

  @Test("A signal to end gives the terminal back", arguments: [SIGTERM, SIGHUP, SIGINT])
  func signals(signal: Int32) throws {
    let window = try Self.window()
    kill(try #require(pid_t(window.file("pid"))), signal)
    try Self.expectGivenBack(window, status: 128 + Int(signal))
  }

  @Test("Ctrl-C arrives as SIGINT")
  func interrupt() throws {
    let window = try Self.window()
    try window.strike("C-c")
    try Self.expectGivenBack(window, status: 130)
  }

  @Test(
    "A crash gives the terminal back and is still seen as that crash",
    arguments: [("S", SIGSEGV), ("A", SIGABRT), ("T", SIGILL), ("O", SIGSEGV), ("C-\\", SIGQUIT)])
  func crashes(key: String, signal: Int32) throws {
    let window = try Self.window()
    try window.strike(key)
    try window.wait(forText: "finished")
    // Swift's traps are SIGTRAP on some processors.
    let status = key == "T" ? try window.screen().contains("status=133") ? SIGTRAP : signal : signal
    try Self.expectGivenBack(window, status: 128 + Int(status))
  }

  @Test("A crash signal from outside gives the terminal back", arguments: [SIGBUS, SIGFPE, SIGTRAP])
  func crashSignals(signal: Int32) throws {
    let window = try Self.window()
    kill(try #require(pid_t(window.file("pid"))), signal)
    try Self.expectGivenBack(window, status: 128 + Int(signal))
  }

  @Test(
    "After any sequence of frames the screen is that of the last canvas, and of a repaint",
    arguments: [
      ["COLORTERM": ""], ["COLORTERM": "truecolor"], ["TERM": "screen-256color"], ["TERM": "linux"],
      ["TERM": "vt100"],
      // Flags and two narrow clusters, which are the same blanks to ncurses.
      ["COLORTERM": "", "TEST_SEED": "18078988811820658927"],
    ], ["R", "M"])
  func frames(environment: [String: String], change: String) throws {
    let window = try Self.window(width: 30, height: change == "M" ? 20 : 8, environment: environment)
    try window.strike(change)
    try window.wait(for: "the last frame") { _ in try window.format("#{pane_title}") == "last" }
    let comment = Comment(rawValue: "\(change) \(environment) \(window.file("seed"))")
    let screen = try window.screen()
    let cells = try window.cells()
    if environment["TERM"] == nil {
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let trimmed = lines.map { $0.reversed().drop { $0 == " " }.reversed() }.map { String($0) }
      #expect(trimmed.joined(separator: "\n") == window.file("expected"), comment)
    }
    try window.strike("c")
    try window.wait(for: "the repaint") { _ in try window.format("#{pane_title}") == "repaint" }
    #expect(try window.screen() == screen, comment)
    let repainted = try window.cells()
    for (line, (a, b)) in zip(cells, repainted).enumerated() where a != b {
      let column = zip(a, b).prefix { $0 == $1 }.count
      let (shown, repaint) = (a.dropFirst(column).first, b.dropFirst(column).first)
      Issue.record(
        "line \(line) column \(column): \(shown ?? "nothing"), repainted \(repaint ?? "nothing"), \(comment)")
    }
    try window.strike("d")
    try window.wait(forText: "events 1.")
    try window.strike("q")
    try Self.expectGivenBack(window, status: 0)
  }

  @Test(
    "Colours and strikethrough are what the terminal has",
    arguments: [
      (["TERM": "tmux-256color"], "colors twoHundredFiftySix strike attribute"),
      (["TERM": "tmux-256color", "COLORTERM": "truecolor"], "colors direct strike attribute"),
      (["TERM": "tmux-256color", "NO_COLOR": "1", "COLORTERM": "truecolor"], "colors none strike attribute"),
      (["TERM": "screen-256color"], "colors twoHundredFiftySix strike combining"),
      (["TERM": "linux"], "colors eight strike unavailable"),
      (["TERM": "vt100"], "colors none strike unavailable"),
      (["LC_ALL": "POSIX"], "colors twoHundredFiftySix strike attribute"),
    ])
  func capabilities(environment: [String: String], shown: String) throws {
    let window = try Self.window(environment: environment)
    let screen = try window.wait(forText: "events 0.")
    #expect(screen.contains(shown))
    #expect(screen.contains("会|🚀|"))
    let styled = try window.styledScreen()
    if shown.contains("direct") { #expect(styled.contains("48;2;230;120;40m")) }
    if shown.contains("attribute") { #expect(styled.contains("9m") && styled.contains("struck")) }
    if shown.contains("combining") { #expect(styled.contains("s\u{336}t\u{336}")) }
    if shown.contains("none") { #expect(!styled.contains("[48;") && !styled.contains("[41m")) }
    try window.strike("q")
    try Self.expectGivenBack(window, status: 0)
  }

  @Test(
    "What is no usable terminal is refused with a sentence, and nothing is changed",
    arguments: [
      ("TERM=nosuch", "", "no description of the terminal “nosuch” (TERM) is installed"),
      ("TERM=", "", "the environment variable TERM does not say what terminal this is"),
      ("TERM=dumb", "", "the terminal “dumb” (TERM) cannot place its cursor"),
      ("TERM='a/../\u{1B}[31m'", "", "no description of the terminal “a/../␛[31m” (TERM) is installed"),
      ("", "< /dev/null", "standard input is not a terminal"),
      ("", "| cat", "standard output is not a terminal"),
    ])
  func refusals(assignment: String, redirection: String, sentence: String) throws {
    let window = try TmuxWindow()
    try window.write(
      TerminalProbe.script().replacingOccurrences(of: "2>probe.err", with: "2>probe.err \(redirection)")
        .replacingOccurrences(of: "TASKS_TERMINAL_PROBE", with: "\(assignment) TASKS_TERMINAL_PROBE"),
      to: "probe.sh")
    try window.enter("clear; sh probe.sh")
    let screen = try window.wait(forText: "finished")
    #expect(screen.replacing("\n", with: "").contains("probe: \(sentence); "))
    #expect(!Self.settings(window, "before").isEmpty)
    #expect(Self.settings(window, "before") == Self.settings(window, "after"))
    #expect(try window.format("#{alternate_on}") == "0")
  }
}
