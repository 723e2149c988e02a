import FoundationEssentials
import Glibc
import Testing

@testable import TasksTUI

@Suite("Only looking", .enabled(if: !TerminalProbe.isRequested))
struct ReadOnlyTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  private var file: String { folder("tasks.db") }

  private var environment: [String: String] {
    ["TASKS_FILE": file, "XDG_STATE_HOME": folder("state"), "XDG_CONFIG_HOME": folder("state")]
  }

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try run(arguments, input: input)
  }

  private func run(_ arguments: [String], input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run([tasks] + arguments, input: input, environment: environment)
  }

  private func sqlite(_ statement: String) throws -> String {
    let outcome = try ChildProcess.run(["sqlite3", "-batch", "-bail", file, statement])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test("A file that is not there is not made, nor its folder", arguments: ["--plain", "--script"])
  func missing(way: String) throws {
    let path = folder("nowhere/tasks.db")
    let arguments = way == "--plain" ? ["--plain"] : ["--script", "-"]
    let outcome = try ChildProcess.run(
      [tasks, "--read-only", "--file", path] + arguments, environment: environment)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "tasks: “\(path)” is not there, and --read-only makes no file.\n")
    #expect(access(folder("nowhere"), F_OK) != 0)
  }

  @Test(
    "An empty file stays empty for commands that read",
    arguments: [
      ["list"], ["lists"], ["due"], ["search", "x"], ["export", "-", "--format", "csv"], ["done", "x"],
    ])
  func empty(arguments: [String]) throws {
    try Data().write(to: URL(filePath: file))
    let outcome = try ChildProcess.run([tasks] + arguments, environment: environment)
    #expect(outcome.status == 1 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors == "tasks: “\(file)” is empty; tasks add TEXT puts a first task into it.\n")
    #expect(try Data(contentsOf: URL(filePath: file)).isEmpty)
    #expect(try run("add", "x").status == 0 && run("list").output == "[ ] x\n")
  }

  @Test("A file of an older version, and one with nothing in it, is told in a sentence and left alone")
  func older() throws {
    #expect(try run("add", "Buy milk").status == 0)
    let version = try sqlite("pragma user_version")
    _ = try sqlite("pragma user_version = 2")
    let outcome = try run("--plain", "--read-only")
    #expect(outcome.status == 1 && outcome.errors.contains("is of an older version of tasks"), "\(outcome)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(try sqlite("pragma user_version") == "2\n")
    _ = try sqlite("pragma user_version = \(version)")
    #expect(try run("--plain", "--read-only").status == 0)
    _ = try sqlite("delete from TaskListList")
    let empty = try run("--plain", "--read-only")
    #expect(empty.status == 1 && empty.errors.contains("holds no lists yet"), "\(empty)")
  }

  @Test("What others write is followed; nothing can be written here; and other windows see this one")
  func following() throws {
    #expect(try run("add", "Buy milk").status == 0)
    let presence = try Presence(database: file, author: "somebody else", terminal: "")
    let window = try ChildProcess([tasks, "--plain", "--read-only"], environment: environment)
    while let line = try window.readLine(), !line.hasPrefix("Type help") {}
    #expect(presence.look() && presence.others.map(\.state.activity) == [.looking])
    #expect(try run("add", "Call mother").status == 0)
    while let line = try window.readLine(), line != "Added: Call mother, 2 of 2" {}
    _ = try sqlite("update TaskItem set text = 'Buy oat milk' where text = 'Buy milk'")
    while let line = try window.readLine(), line != "Changed: Buy milk, to: Buy oat milk" {}
    window.write(Array("add never\nundo\ndue fri\nquit\n".utf8))
    let outcome = try window.finish()
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.output.split(separator: "\n").filter { $0 == "This window is read-only." }.count == 3)
    #expect(try sqlite("select text from TaskItem order by text") == "Buy oat milk\nCall mother\n")
  }

  @Test(
    "In a folder that may not be written a file is read, in a copy, and with its user at it is followed",
    .enabled(if: getuid() != 0, "root may do everything"))
  func folderOfAnother() throws {
    #expect(try run("add", "--due", "today", "Buy milk").status == 0)
    mkdir(folder("others"), 0o700)
    let path = folder("others/tasks.db")
    rename(file, path)
    chmod(path, 0o400)
    chmod(folder("others"), 0o500)
    defer { chmod(folder("others"), 0o700) }
    for command in [
      ["list"], ["due"], ["lists"], ["search", "milk"], ["show", "milk"], ["doctor"], ["export"],
    ] {
      let outcome = try run(["--file", path] + command)
      #expect(
        outcome.status == 0 && outcome.errors.isEmpty && !outcome.output.isEmpty, "\(command): \(outcome)")
    }
    #expect(try run(["--file", path, "backup", folder("copy.db")]).status == 0)
    let plain = try run(["--file", path, "--plain"], input: "rows\nadd never\nquit\n")
    for words in ["a copy, to be read only", "Buy milk", "This window is read-only."] {
      #expect(plain.status == 0 && plain.output.contains(words), "\(words): \(plain)")
    }
    let add = try run(["--file", path, "add", "never"])
    #expect(add.status == 1 && add.errors.contains("change its permissions"), "\(add)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("others")) == ["tasks.db"])

    // Its user opens it; others share what SQLite then has beside it.
    chmod(folder("others"), 0o700)
    chmod(path, 0o600)
    let user = try ChildProcess([tasks, "--file", path, "--plain"], environment: environment)
    while let line = try user.readLine(), !line.hasPrefix("Type help") {}
    chmod(folder("others"), 0o500)
    let window = try ChildProcess(
      [tasks, "--file", path, "--plain", "--read-only"], environment: environment)
    while let line = try window.readLine(), !line.hasPrefix("Type help") {}
    user.write(Array("add Call mother\n".utf8))
    while let line = try window.readLine(), line != "Added: Call mother, 2 of 2" {}
    window.write(Array("quit\n".utf8))
    let outcome = try window.finish()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    user.write(Array("quit\n".utf8))
    #expect(try user.finish().status == 0)
  }

  @Test("In a terminal it follows too, and says what is wrong once the terminal is as it was")
  func terminal() throws {
    let window = try TmuxWindow(environment: environment)
    try window.enter("clear; \(tasks) --read-only; echo status=$?")
    let screen = try window.wait(forText: "status=1")
    // The terminal breaks the line wherever the path makes it too long.
    #expect(screen.filter { !$0.isWhitespace }.contains("isnotthere,and--read-onlymakesno"), "\(screen)")
    #expect(try run("add", "Buy milk").status == 0)
    try window.enter("clear; \(tasks) --read-only --no-animation")
    try window.wait(forText: "read-only  1 open")
    #expect(try run("add", "Call mother").status == 0)
    try window.wait(forText: "Call mother")
    try window.strike("x")
    try window.wait(forText: "This window is read-only.")
    try window.strike("q")
  }
}
