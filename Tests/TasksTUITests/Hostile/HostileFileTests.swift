import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import TestSupport
import Testing
import VisibleText

@testable import TasksTUI

/// The files beside the database and in the person's folders, with something else in them or in their place.
@Suite("Hostile files")
final class HostileFileTests {
  private let folder = TemporaryFolder()
  private let file: String
  private let tasks = ChildProcess.tasks
  private let victim: String

  init() throws {
    file = folder("tasks.db")
    victim = folder("victim")
    try #require(try run("add", "one").status == 0)
    try Data("precious".utf8).write(to: URL(filePath: victim))
  }

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run([tasks] + arguments, input: input, environment: environment)
  }

  private var environment: [String: String] { ["TASKS_FILE": file, "HOME": folder.path] }

  private func plant(_ what: String, at path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    switch what {
    case "hard link": try #require(link(victim, path) == 0)
    case "hard link to the database": try #require(link(file, path) == 0)
    case "symbolic link": try #require(symlink(victim, path) == 0)
    case "FIFO": try #require(mkfifo(path, 0o600) == 0)
    case "folder": try #require(mkdir(path, 0o700) == 0)
    case "unreadable":
      try Data().write(to: URL(filePath: path))
      chmod(path, 0)
    case "endless": try #require(symlink("/dev/zero", path) == 0)
    default: try Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
    }
  }

  private static let plants = [
    "hard link", "hard link to the database", "symbolic link", "FIFO", "folder", "unreadable", "endless",
    "noise",
  ]

  @Test(
    "What stands in the place of -live and -windows is neither followed, written to nor waited for",
    arguments: plants)
  func beside(what: String) throws {
    for suffix in ["-live", "-windows"] {
      try plant(what, at: file + suffix)
      #expect(try run("add", "two").status == 0)
      #expect(try run("--plain", input: "add three\nx\nquit\n").status == 0)
      #expect(try run("list").output.hasPrefix("[ ] one\n"))
      #expect(try Data(contentsOf: URL(filePath: victim)) == Data("precious".utf8), "\(suffix)")
      let checked = try ChildProcess.run(["sqlite3", file, "PRAGMA integrity_check"])
      #expect(checked.output == "ok\n")
      try? FileManager.default.removeItem(atPath: file + suffix)
    }
  }

  @Test(
    "What stands in the place of the configuration and of what is remembered is told or passed over",
    arguments: plants)
  func own(what: String) throws {
    let configuration = folder(".config/tasks/config.toml")
    try FileManager.default.createDirectory(
      atPath: folder(".config/tasks"), withIntermediateDirectories: true)
    try plant(what, at: configuration)
    let checked = try run("config", "--check")
    #expect([0, 1].contains(checked.status), "\(checked)")
    #expect([0, 1].contains(try run("--plain", input: "quit\n").status))
    try? FileManager.default.removeItem(atPath: configuration)
    // Its name is known after the first time.
    _ = try run("--plain", input: "back\nj\nl\nquit\n")
    let state = folder(".local/state/tasks")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: state).first)
    try plant(what, at: state + "/" + name)
    #expect(try run("--plain", input: "back\nl\nquit\n").status == 0)
    #expect(try Data(contentsOf: URL(filePath: victim)) == Data("precious".utf8))
  }

  @Test("What is remembered is for nobody else, whatever the umask is")
  func remembered() async {
    // In a process of its own, which alone has this umask.
    await #expect(processExitsWith: .success) {
      umask(0)
      let test = try HostileFileTests()
      let state = try #require(StateFile(database: test.file, environment: test.environment))
      state.remember(list: TaskList.firstListID)
      #expect(state.lastList == TaskList.firstListID)
      let path = test.folder(".local/state/tasks")
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(!names.isEmpty)
      for name in names { #expect(fileStatus(path + "/" + name)?.permissions == 0o600) }
    }
  }

  @Test(
    "A configuration as nobody writes it gives sentences",
    arguments: [
      "theme = " + String(repeating: "[", count: 50_000),
      "theme = " + String(repeating: "[\n", count: 50_000),
      String(repeating: "a.", count: 100_000) + "b = 1",
      "[" + String(repeating: "a.", count: 100_000) + "b]\nc = 1\n",
      String(repeating: "[t]\n", count: 50_000), "theme = \"" + String(repeating: "x", count: 500_000),
      "theme = \"\u{1B}]0;HOSTILE\u{7}\"", "\u{1B}[2J = 1", "[themes.\"\u{1B}c\"]\nbackground = \"\u{202E}\"",
      "keys = {",
      "\u{FEFF}theme = \"dark\"", "theme = 1e999999", "\0",
    ])
  func configuration(text: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder(".config/tasks"), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder(".config/tasks/config.toml")))
    for outcome in [try run("config", "--check"), try run("--plain", input: "set\nquit\n")] {
      #expect([0, 1].contains(outcome.status), "\(outcome.errors.prefix(200))")
      for line in (outcome.output + outcome.errors).split(separator: "\n") {
        #expect(
          String(line).withControlsMadeVisible.utf8.elementsEqual(line.utf8), "\(line.debugDescription)")
      }
    }
  }

  @Test("Names of files with anything in them are told so that they can be seen")
  func names() throws {
    for name in ["\u{1B}]0;HOSTILE\u{7}", "\u{202E}HOSTILE", "a\nHOSTILE", "\u{9B}2JHOSTILE"] {
      for arguments in [
        ["--file", folder(name) + "/x/", "list"], ["--file", folder(""), "--script", folder(name)],
        ["config", "--check", folder(name)],
        ["--read-only", "--file", folder(name)], [name], ["--\(name)"], ["add", "--list", name, "x"],
      ] {
        let outcome = try ChildProcess.run([tasks] + arguments, environment: environment)
        for line in (outcome.output + outcome.errors).split(separator: "\n") {
          #expect(
            String(line).withControlsMadeVisible.utf8.elementsEqual(line.utf8), "\(line.debugDescription)")
        }
      }
    }
  }

  @Test(
    "Undo steps that another program has written are dropped with a sentence",
    arguments: [
      "", "null", "[]", "[{}]", "{", "[1]", String(repeating: "[", count: 100_000), #"[{"id":"x"}]"#,
      #"[{"id":{"blob":"!"}}]"#,
      #"[{"id":"x","before":{"place":{"lists":{}},"index":0,"values":{"id":"x","completed":false,"#
        + #""text":"\u001b]0;HOSTILE\u0007","details":{},"tasks":[]}}}]"#,
    ])
  func undoSteps(rows: String) throws {
    let author = Author.current
    let database = try ForeignDatabase(file)
    try database.run("DELETE FROM UndoStep")
    try database.run(
      "INSERT INTO UndoStep (number, author, action, rows) VALUES (1, ?, ?, ?)", author, "\u{1B}cHOSTILE",
      rows)
    let outcome = try run("--plain", input: "u\nu\nadd two\nu\nquit\n")
    #expect(outcome.status == 0)
    for line in (outcome.output + outcome.errors).split(separator: "\n") {
      #expect(String(line).withControlsMadeVisible.utf8.elementsEqual(line.utf8), "\(line.debugDescription)")
    }
    // One that says that a list was there can be undone; it may be the first one then.
    #expect(try run("list", "--list", "My Tasks").output.hasPrefix("[ ] one\n"))
  }

  @Test(
    "With anything in our own tables the program says a sentence or goes on",
    arguments: [
      "DELETE FROM _livestore_log", "UPDATE _livestore_log SET entries = x'FFFFFFFFFFFFFFFF'",
      "UPDATE _livestore_log SET entries = 'text'", "UPDATE _livestore_log SET entries = zeroblob(100000)",
      "UPDATE _livestore_log SET entries = NULL", "UPDATE _livestore_log SET \"table\" = 'none', key = x'00'",
      "UPDATE _livestore_log SET columns = -1, origin = 'x', mark = NULL",
      "DELETE FROM _livestore_meta", "UPDATE _livestore_meta SET value = x'FF'",
      "UPDATE _livestore_meta SET name = name || 'x'",
      "DROP TABLE _livestore_meta",
      "UPDATE TaskList_items SET position = ''", "UPDATE TaskList_items SET position = x'00'",
      "UPDATE TaskList_items SET position = 'a'",
      "UPDATE TaskItem SET completed = 'yes', date = 'never', text = x'FF00'",
      "UPDATE TaskListList SET id = 7",
    ])
  func ownTables(statement: String) throws {
    let change = try ChildProcess.run(["sqlite3", file, "\(statement); SELECT total_changes()"])
    try #require(change.status == 0 && change.output != "0\n" || statement.hasPrefix("DROP"), "\(change)")
    for outcome in [
      try run("list"), try run("add", "two"), try run("done", "one"), try run("lists"),
      try run("--plain", input: "add three\nx\nu\nJ\nd\nu\nquit\n"),
    ] {
      #expect([0, 1].contains(outcome.status), "\(outcome)")
      for line in (outcome.output + outcome.errors).split(separator: "\n") {
        #expect(
          String(line).withControlsMadeVisible.utf8.elementsEqual(line.utf8), "\(line.debugDescription)")
      }
    }
  }

  @Test(
    "A trigger of another program that takes away or keeps what is being written is named, nothing written",
    arguments: [
      "AFTER UPDATE OF completed ON TaskItem BEGIN DELETE FROM TaskItem WHERE id = NEW.id; END",
      "AFTER UPDATE OF completed ON TaskItem BEGIN DELETE FROM TaskList_items; END",
      "AFTER UPDATE OF completed ON TaskItem BEGIN DELETE FROM TaskList; END",
      "AFTER INSERT ON UndoStep BEGIN DELETE FROM UndoStep; END",
      "BEFORE UPDATE OF completed ON TaskItem BEGIN SELECT RAISE(IGNORE); END",
      "BEFORE INSERT ON UndoStep BEGIN SELECT RAISE(IGNORE); END",
    ])
  func trigger(trigger: String) throws {
    let before = try run("list", "--json").output
    try #require(ChildProcess.run(["sqlite3", file, "CREATE TRIGGER tidy \(trigger)"]).status == 0)
    let done = try run("done", "one")
    #expect(done.status == 1 && done.errors.contains("The trigger “tidy” on "), "\(done)")
    #expect(try run("--plain", input: "x\nquit\n").output.contains("The trigger “tidy” on "))
    #expect(try run("list", "--json").output == before)
  }
}
