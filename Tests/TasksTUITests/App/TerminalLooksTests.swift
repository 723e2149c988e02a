import FoundationEssentials
import Testing

@testable import TasksTUI

/// How the program looks in real terminals: light ones, and those that show few colours or none.
@Suite("Looks, in tmux", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalLooksTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func window(_ environment: [String: String]) throws -> TasksWindow {
    try TasksWindow(file: folder("tasks.db"), state: folder("state"), environment: environment)
  }

  private func configure(_ text: String) throws {
    try FileManager.default.createDirectory(atPath: folder("state/tasks"), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder("state/tasks/config.toml")), options: .atomic)
  }

  @Test("A light terminal is asked, answers, and is drawn on in light colours, also after a suspension")
  func light() throws {
    let window = try window(["COLORTERM": "truecolor"])
    try window.add("Buy milk")
    try window.window.wait(for: "black ground") { _ in
      try window.window.styledScreen().contains("48;2;0;0;0m")
    }
    // tmux answers from the colour of its window.
    try window.window.tmux("set-option", "-w", "window-style", "bg=#fdf6e3")
    let pid = try window.window.format("#{pane_pid}")
    _ = try ChildProcess.run(["kill", "-CONT", pid])
    try window.window.wait(for: "white ground") { _ in
      let screen = try window.window.styledScreen()
      return screen.contains("48;2;255;255;255m") && !screen.contains("48;2;0;0;0m")
    }
    try window.expect(["Buy milk"])
  }

  @Test(
    "No colour is sent where none is wanted or known, and attributes say what colours would",
    arguments: [["NO_COLOR": "1"], ["TERM": "vt100"]])
  func colorless(environment: [String: String]) throws {
    let window = try window(environment)
    try window.add("Buy milk", "Call mother")
    try window.strike("k", "x")
    try window.expect(["Call mother", "Buy milk"])
    try window.strike("v")
    try window.expect(text: "1 marked")
    let screen = try window.window.styledScreen()
    #expect(
      !screen.contains("[3") && !screen.contains(";3") && !screen.contains("[4") && !screen.contains(";4"))
    #expect(screen.contains("[7m") || screen.contains(";7m"))
    if environment["TERM"] != nil { #expect(try window.window.screen().allSatisfy(\.isASCII) as Bool) }
  }

  @Test(
    "A saved configuration is taken over while the program runs; a mistake in it is told and changes nothing")
  func configuration() throws {
    let window = try window(["COLORTERM": "truecolor"])
    try window.add("Buy milk")
    try configure("background = \"light\"\n[keys]\ndelete = \"D\"\n")
    try window.expect(text: "config.toml was read anew.")
    try window.window.wait(for: "white ground") { _ in
      try window.window.styledScreen().contains("48;2;255;255;255m")
    }
    try configure("background = \"dark\"\n[keys]\ndelete = \"D\"\nadd = \"D\"\n")
    try window.expect(text: "config.toml:4: D is the key of delete already, on line 3.")
    #expect(try window.window.styledScreen().contains("48;2;255;255;255m"))
    try window.strike("d", "D")
    try window.expect(text: "Nothing to do")
    try window.strike(":")
    try window.type("theme solarized-dark")
    try window.strike("Enter")
    try window.expect(text: "theme is solarized-dark now.")
    #expect(try window.window.styledScreen().contains("48;2;0;43;54m"))
  }

  @Test("A mistake in the configuration does not keep the program from starting, and is told")
  func mistake() throws {
    try configure("background = \"light\"\nmouse = 5\n")
    let window = try TmuxWindow(
      width: 80, height: 24,
      environment: ["XDG_CONFIG_HOME": folder("state"), "XDG_STATE_HOME": folder("state")])
    try window.enter("clear; exec \(ChildProcess.tasks()) --file \(folder("tasks.db"))")
    try window.wait(forText: "config.toml:2: mouse is true or false.")
  }
}
