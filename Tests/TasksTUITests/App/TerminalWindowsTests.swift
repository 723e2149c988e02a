import FoundationEssentials
import Glibc
import Testing

@testable import TasksTUI

/// Several windows on one file, each in a real terminal, that see each other.
@Suite("Windows that see each other, in tmux", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalWindowsTests {
  private let folder = TemporaryFolder()

  private func window(options: String = "--no-animation") throws -> TasksWindow {
    try TasksWindow(file: folder("tasks.db"), state: folder("state"), options: options)
  }

  @Test("Who edits a row is seen in the other window, until it ends or its process is killed")
  func editing() throws {
    let one = try window()
    try one.add("Buy milk", "Call mother")
    try one.expect(["Buy milk", "Call mother"])
    #expect(try !one.window.screen().contains("window"))
    let two = try window()
    for window in [one, two] { try window.expect(text: "● 2 windows") }
    try two.strike("e")
    try one.expect(text: "● another window edits “Buy milk”")
    try one.expect(text: "✎")
    try two.strike("Escape")
    try one.expect(text: "● 2 windows")
    try one.wait { !$0.contains("✎") }
    try one.strike(":")
    try one.type("windows")
    try one.strike("Enter")
    try one.expect(text: "1 other window: yours on pts/")
    // In the middle of a word.
    try two.strike("e")
    try two.type("half a wo")
    try one.expect(text: "✎")
    let pid = try #require(pid_t(try two.window.format("#{pane_pid}")))
    kill(pid, SIGKILL)
    try one.wait { !$0.contains("✎") && !$0.contains("●") }
    try one.expect(["Buy milk", "Call mother"])
  }

  @Test("Two who edit one row are told, and whoever is second gets both texts")
  func meeting() throws {
    let one = try window()
    try one.add("Buy milk")
    let two = try window()
    try two.expect(["Buy milk"])
    try one.expect(text: "● 2 windows")
    try one.strike("e")
    try two.expect(text: "✎")
    try two.strike("e")
    for window in [one, two] { try window.expect(text: "Also being edited in another window.") }
    try one.type(" and bread")
    try two.type(" and butter")
    try one.expect(text: "Buy milk and bread")
    try two.expect(text: "Buy milk and butter")
    try one.strike("Enter")
    try two.expect(text: "Changed elsewhere to “Buy milk and bread”.")
    try two.strike("Escape")
    try two.expect(text: "Theirs is kept; Ctrl-Y in a row brings back what you wrote.")
    try two.expect(["Buy milk and bread"])
    try two.strike("a", "C-y", "Enter")
    for window in [one, two] { try window.expect(["Buy milk and bread", "Buy milk and butter"]) }
    // A long text has two lines, and the choice is not cut.
    for window in [one, two] { try window.strike("g", "e") }
    try one.type(String(repeating: " and more", count: 9))
    try one.strike("Enter")
    try two.wait {
      $0.contains("Changed elsewhere to “Buy milk and bread and more") && $0.contains("Esc theirs.")
    }
  }

  @Test("Lines of words tell of windows that come, edit and go")
  func plain() throws {
    let tasks = ChildProcess.tasks
    let environment = [
      "TASKS_FILE": folder("tasks.db"), "XDG_STATE_HOME": folder("state"), "XDG_CONFIG_HOME": folder("state"),
    ]
    let one = try window()
    try one.add("Buy milk")
    try one.expect(["Buy milk"])
    let plain = try ChildProcess([tasks, "--plain"], environment: environment)
    try expect("1 other window: yours on pts/", from: plain)
    try expect("Type help", from: plain)
    try one.expect(text: "● 2 windows")
    try one.strike("e")
    try expect("Another window is editing “Buy milk”.", from: plain)
    try one.strike("Escape")
    try expect("Another window has finished editing.", from: plain)
    let two = try window()
    try expect("Another window opened.", from: plain)
    try two.strike("q")
    try expect("Another window closed.", from: plain)
    plain.write(Array("quit\n".utf8))
    #expect(try plain.finish().status == 0)
    try one.wait { !$0.contains("●") }
  }

  /// Reads lines as far as one that begins so.
  private func expect(_ beginning: String, from process: ChildProcess) throws {
    while let line = try process.readLine() {
      if line.hasPrefix(beginning) { return }
    }
    Issue.record("the output ended before “\(beginning)”")
  }
}
