import Glibc
import TerminalEmulator
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// The program under the names that terminals go by. What the machine has a description of is used; a new
/// terminal's name, of which a machine reached by ssh knows nothing, is that of one like it.
@Suite("Terminal types", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalTypeTests {
  private let folder = TemporaryFolder()

  private func open(_ type: String?, columns: Int = 80, lines: Int = 24) throws -> PseudoWindow {
    var environment = [
      "LC_ALL": "C.UTF-8", "HOME": folder.path, "XDG_STATE_HOME": folder.path,
      "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "TASKS_ANIMATION": "off",
    ]
    if let type { environment["TERM"] = type }
    return try PseudoWindow(
      ChildProcess.tasks, ["--file", folder("tasks.db")], environment: environment, in: folder.path,
      columns: columns, lines: lines)
  }

  @Test(
    "It draws, takes keys and gives the terminal back",
    arguments: [
      "xterm", "xterm-256color", "screen", "screen-256color", "tmux-256color", "linux", "vt100", "vt220",
      "ansi",
      "rxvt", "xterm-kitty", "xterm-ghostty", "alacritty", "foot", "foot-extra", "wezterm",
      "konsole-256color",
      "contour", "tmux-direct", "screen.alacritty", "rxvt-unicode-256color", "st-256color", "xterm-direct",
    ])
  func types(type: String) throws {
    let window = try open(type)
    // The emulator knows what xterm knows; others place their cursor in the same way, and that is what counts
    // here.
    try window.wait(forText: "Nothing to do")
    window.send("abuy milk\r")
    try window.wait(forText: "1 open")
    window.send("acall Anna\r")
    try window.wait(forText: "2 open")
    window.send("gJd")
    try window.wait(for: "the row that is left") {
      $0.screen.text.contains("call Anna") && !$0.screen.text.contains(" buy milk")
    }
    window.send("q")
    #expect(try window.waitForEnd() == 0)
    #expect(window.screen.modes.subtracting([7, 25]).isEmpty, "modes are left: \(window.screen.modes)")
  }

  @Test(
    "Nothing of another screen is left, wherever the description has the cursor after the last column",
    arguments: ["ansi", "vt100", "linux", "xterm-256color"])
  func lastColumn(type: String) throws {
    let window = try open(type)
    try window.wait(forText: "Nothing to do")
    for number in 0..<4 { window.send("atask \(number)\r") }
    try window.wait(forText: "4 open")
    try window.waitForRest()
    let shown = window.screen.text
    window.send("?")
    try window.wait(for: "the keys") { !$0.screen.text.contains("4 open") }
    window.send("q")
    try window.wait(for: "the same picture") { $0.screen.text == shown }
  }

  @Test(
    "What cannot be used is refused with one sentence that says what to do, and exit code 1",
    arguments: [
      ("nosuch", "“nosuch” (TERM) is installed; TERM=xterm-256color does for most."),
      ("", "does not say what terminal this is; TERM=xterm-256color does for most."),
      (nil, "does not say what terminal this is; TERM=xterm-256color does for most."),
      ("dumb", "“dumb” (TERM) cannot place its cursor; tasks --plain does without that."),
    ])
  func refusals(type: String?, sentence: String) throws {
    let window = try open(type, columns: 200)
    #expect(try window.waitForEnd() == 1)
    let lines = window.screen.text.split(separator: "\n").filter { !$0.isEmpty }
    #expect(lines.count == 1 && lines[0].hasPrefix("tasks: ") && lines[0].hasSuffix(sentence), "\(lines)")
    #expect(access(folder("tasks.db"), F_OK) != 0)
  }

  @Test("Sizes down to one cell and back, while rows move and while one is being typed")
  func sizes() throws {
    let window = try PseudoWindow.resuming(ChildProcess.tasks, in: folder)
    try window.wait(forText: "Nothing to do")
    for number in 0..<8 { window.send("atask \(number)\r") }
    let sizes = [(40, 10), (1, 1), (2, 2), (1, 24), (80, 1), (3, 3), (200, 60), (80, 24)]
    for (columns, lines) in sizes + sizes.reversed() + [(80, 24)] {
      // A row is on its way to the other end of the list, and back.
      window.send("gx")
      window.resize(columns: columns, lines: lines)
      window.send("G ")
    }
    window.send("aa text that")
    for (columns, lines) in sizes {
      window.resize(columns: columns, lines: lines)
      window.send(" goes on")
    }
    window.send("\r")
    let text = "a text that" + String(repeating: " goes on", count: sizes.count)
    try window.wait(for: "all rows") { window in
      (0..<8).allSatisfy { window.screen.text.contains("task \($0)") }
        && window.screen.text.contains("9 open") && window.screen.text.contains(String(text.prefix(60)))
    }
    try window.waitForRest()
    let shown = window.screen.text
    let erasures = window.screen.erasures
    try window.strike("C-l")
    try window.wait(for: "the same picture") { $0.screen.erasures > erasures && $0.screen.text == shown }
  }
}
