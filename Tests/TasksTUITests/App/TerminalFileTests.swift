import FoundationEssentials
import Glibc
import Testing

@testable import TasksTUI

/// What happens to the file while a window is open on it.
@Suite("tasks, while its file is taken away, in tmux", .enabled(if: !TerminalProbe.isRequested), .serialized)
struct TerminalFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder("tasks.db") }

  init() throws { folder = try TemporaryFolder() }

  private func window() throws -> TasksWindow { try TasksWindow(file: path, state: folder("state")) }

  private func shell(_ command: String) throws {
    let outcome = try ChildProcess.run(["sh", "-c", "cd '\(folder.path)' && " + command])
    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
  }

  @Test("A file that is restored by SQLite from a copy that went another way is shown as it is")
  func restored() throws {
    let window = try window()
    try window.add("Buy milk")
    try window.expect(["Buy milk"])
    try shell("sqlite3 tasks.db '.backup copy.db'")
    try shell("sqlite3 copy.db \"update TaskItem set text = 'Bread'\"")
    try window.add("Call mother")
    try window.expect(["Buy milk", "Call mother"])
    try shell("sqlite3 tasks.db '.restore copy.db'")
    try window.expect(["Bread"])
  }

  @Test("tasks watch ends with a sentence and status 1 when its file is taken away")
  func watch() throws {
    let tasks = try ChildProcess.tasks()
    #expect(try ChildProcess.run([tasks, "--file", path, "add", "Buy milk"]).status == 0)
    let watch = try ChildProcess([tasks, "--file", path, "watch"])
    _ = try watch.readLine()
    try shell("rm tasks.db")
    let outcome = try watch.finish()
    #expect(outcome.status == 1 && outcome.errors.contains("The file was deleted or moved"), "\(outcome)")
  }
}
