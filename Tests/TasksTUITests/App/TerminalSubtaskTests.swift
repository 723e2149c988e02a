import Foundation
import Testing

@testable import TasksTUI

/// Subtasks in real terminals: two windows of one person on one file.
@Suite("Subtasks, in tmux", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalSubtaskTests {
  private let folder = TemporaryFolder()
  private let one: TasksWindow
  private let two: TasksWindow

  init() throws {
    one = try TasksWindow(file: folder("tasks.db"), state: folder("state"))
    try one.add("Plan the party", "Buy milk")
    two = try TasksWindow(file: folder("tasks.db"), state: folder("state"), width: 60, height: 12)
    try two.expect(["Plan the party", "Buy milk"])
  }

  @Test("Unfolded in one window, written and done in the other, and by another program")
  func unfolded() throws {
    try one.strike("g", "l")
    try one.expect(text: "My Tasks › Plan the party")
    try one.add("Bake a cake", "Find music")
    try two.wait { $0.contains("0/2") }
    try two.strike("z")
    try two.wait { $0.contains("○ Bake a cake") && $0.contains("○ Find music") }
    try one.strike("x")
    try two.wait { $0.contains("1/2") && $0.contains("✓ Find music") }
    let outcome = try ChildProcess.run([
      "sqlite3", folder("tasks.db"), "update TaskItem set text = 'Bake two cakes' where text = 'Bake a cake'",
    ])
    #expect(outcome.status == 0)
    try two.wait { $0.contains("○ Bake two cakes") }
    try one.expect(["Bake two cakes", "Find music"])
    try two.strike("Z")
    try two.wait { !$0.contains("○") && $0.contains("1/2") }
    // A task is put below another one, and taken out again, with a command and with keys.
    try two.strike("j", "]")
    try one.expect(["Bake two cakes", "Buy milk", "Find music"])
    try one.strike("g", "j", "[")
    try one.expect(["Bake two cakes", "Find music"])
    try two.wait { $0.contains("Buy milk") && $0.contains("1/2") }
    try two.strike(":")
    try two.type("subtask Invite everybody")
    try two.strike("Enter")
    try one.expect(["Bake two cakes", "Invite everybody", "Find music"])
  }

  @Test("Whoever deletes the task sends the other window back to the list; undo brings all back")
  func deleted() throws {
    try one.strike("g", "S")
    try one.type("Bake a cake")
    try one.strike("Enter")
    try one.expect(["Bake a cake"])
    // The row looks the same while it is typed.
    try two.wait { $0.contains("0/1") }
    try two.strike("g", "d")
    try one.expect(text: "The task “Plan the party” was deleted.")
    try one.expect(["Buy milk"])
    try two.strike("u")
    try one.wait { $0.contains("Plan the party") && $0.contains("0/1") }
    try one.strike("g", "l")
    try one.expect(["Bake a cake"])
    try one.strike("h")
    try one.wait { $0.contains("0/1") }
    try one.strike("x")
    try two.wait { $0.contains("1/1") }
  }
}
