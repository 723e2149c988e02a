import FoundationEssentials
import Testing

@testable import TasksTUI

/// How the program looks in real terminals: light ones, and those that show few colours or none.
@Suite("Looks, in tmux", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalLooksTests {
  private let folder = TemporaryFolder()

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
    let cells = try window.window.cells().joined()
    #expect(!cells.contains { $0.contains("foreground=") || $0.contains("background=") })
    #expect(screen.contains("[7m") || screen.contains(";7m"))
    if environment["TERM"] != nil { #expect(try window.window.screen().allSatisfy(\.isASCII) as Bool) }
  }

  @Test(
    "A saved configuration is taken over while the program runs; a mistake in it is told and changes nothing")
  func configuration() throws {
    let window = try window(["COLORTERM": "truecolor"])
    try window.add("Buy milk")
    // A key that comes later takes the message away.
    try window.expect(text: "1 open")
    try configure("background = \"light\"\n[keys]\ndelete = \"D\"\n")
    try window.expect(text: "Reloaded config.toml.")
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

  @Test("Text from right to left is put in order, to the right edge, and edited there")
  func rightToLeft() throws {
    let window = try window(["COLORTERM": "truecolor"])
    try window.add("אבג דה")
    try window.expect(text: "1 open")
    // tmux leaves every letter where it is put.
    try window.window.wait(for: "the text at the right edge") {
      $0.split(separator: "\n").contains { $0.hasPrefix("›") && $0.hasSuffix("הד גבא") }
    }
    try window.strike("e")
    try window.type("ו")
    try window.strike("Enter")
    try window.window.wait(for: "the longer text") {
      $0.split(separator: "\n").contains { $0.hasPrefix("›") && $0.hasSuffix("והד גבא") }
    }
  }

  @Test("A mistake in the configuration does not keep the program from starting, and is told")
  func mistake() throws {
    try configure("background = \"light\"\nmouse = 5\n")
    let window = try TmuxWindow(
      width: 80, height: 24,
      environment: ["XDG_CONFIG_HOME": folder("state"), "XDG_STATE_HOME": folder("state")])
    try window.enter("clear; exec \(ChildProcess.tasks) --file \(folder("tasks.db"))")
    try window.wait(forText: "config.toml:2: mouse is true or false.")
  }

  /// The bytes that a terminal sends for the mouse, on a cell counted from 1.
  private func mouse(_ window: TasksWindow, _ sequence: String) throws {
    try window.window.tmux("send-keys", "-l", "\u{1B}[<\(sequence)")
  }

  @Test(
    "The mouse selects, completes, edits and drags rows in a real terminal, as long as it is not switched off"
  )
  func mouse() throws {
    let window = try window([:])
    try window.add("one", "two", "three")
    // A click means what is seen: the last row has to be seen as one first.
    try window.expect(text: "3 open")
    #expect(try window.window.format("#{mouse_button_flag}#{mouse_sgr_flag}") == "11")
    try mouse(window, "0;10;3M")
    try mouse(window, "0;10;3m")
    try window.expect(text: "› two")
    try mouse(window, "0;10;2M")
    try mouse(window, "32;10;3M")
    try window.expect(["two", "one", "three"])
    try mouse(window, "32;10;4M")
    try mouse(window, "0;10;4m")
    try window.expect(["two", "three", "one"])
    try window.expect(text: "› one")
    try mouse(window, "0;1;2M")
    try window.expect(["three", "one", "two"])
    // The row slides to the right, and is completed; then one to the left, which is deleted.
    try mouse(window, "0;10;2M")
    try mouse(window, "32;26;2M")
    try window.expect(text: " ✓")
    try mouse(window, "0;26;2m")
    try window.expect(["one", "two", "three"])
    try mouse(window, "0;30;2M")
    try mouse(window, "32;12;2M")
    try window.expect(text: "✗")
    try mouse(window, "0;12;2m")
    try window.expect(["two", "three"])
    // The first key of the bottom line adds a row.
    try window.strike("j")
    try window.expect(text: "a add")
    try mouse(window, "0;3;24M")
    try window.expect(text: "Enter save")
    try window.strike("Escape")
    try window.expect(text: "a add")
    try window.strike(":")
    try window.type("set mouse off")
    try window.strike("Enter")
    try window.expect(text: "mouse is off now.")
    #expect(try window.window.format("#{mouse_any_flag}#{mouse_sgr_flag}") == "00")
  }

  @Test("On a wide terminal the lists stand beside their tasks, and go when it becomes narrow")
  func listsBeside() throws {
    let window = try window([:])
    try window.add("Buy milk", "Call Anna")
    try window.window.resize(width: 120, height: 24)
    try window.wait { screen in
      let lines = screen.split(separator: "\n")
      return lines.count > 2 && lines[0].contains("  Lists") && lines[0].contains("My Tasks")
        && lines[1].hasPrefix("› My Tasks") && lines[1].contains("2") && lines[1].contains("Buy milk")
    }
    try window.strike("h")
    try window.add("Work")
    try window.wait { $0.contains("Nothing to do") && $0.contains("› Work") }
    try window.strike("k")
    try window.wait { $0.contains("› My Tasks") && $0.contains("Buy milk") }
    try window.strike("Enter", "d")
    try window.wait { !$0.contains("Buy milk  ") && $0.contains("› Call Anna") }
    try window.window.resize(width: 100, height: 24)
    try window.wait { !$0.contains("Lists ") && $0.contains("› Call Anna") }
  }

  @Test(
    "The terminal has its mouse back when the program is suspended, leaves, or crashes",
    arguments: ["suspend", "quit", "crash"])
  func mouseGivenBack(way: String) throws {
    let window = try TmuxWindow(
      width: 80, height: 24,
      environment: ["XDG_CONFIG_HOME": folder("state"), "XDG_STATE_HOME": folder("state")])
    try window.enter("ulimit -c 0; \(ChildProcess.tasks) --file \(folder("tasks.db")); echo ended")
    try window.wait(forText: "Nothing to do")
    #expect(try window.format("#{mouse_button_flag}") == "1")
    switch way {
    case "suspend":
      try window.strike("C-z")
      try window.wait(forText: "Stopped")
    case "quit":
      try window.strike("q")
      try window.wait(forText: "ended")
    default:
      let shell = try window.format("#{pane_pid}")
      let pid = try ChildProcess.run(["pgrep", "-P", shell]).output.split(separator: "\n").first.map(
        String.init)
      _ = try ChildProcess.run(["kill", "-SEGV", #require(pid)])
      try window.wait(forText: "ended")
    }
    #expect(try window.format("#{mouse_any_flag}#{mouse_sgr_flag}") == "00")
    if way == "suspend" {
      try window.enter("fg")
      try window.wait(forText: "Nothing to do")
      try window.wait(for: "the mouse") { _ in try window.format("#{mouse_button_flag}") == "1" }
      try window.strike("q")
    }
  }
}
