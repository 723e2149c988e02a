import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI

/// Each test starts the real program.
@Suite("Subtasks on the command line")
struct SubtaskCommandTests {
  private var file: String { folder("tasks.db") }
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      [tasks] + arguments, input: input, environment: ["TASKS_FILE": file, "TZ": ChildProcess.zoneOfNoon])
  }

  private func add(_ arguments: String...) throws -> String {
    let outcome = try ChildProcess.run([tasks, "add"] + arguments, environment: ["TASKS_FILE": file])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return String(outcome.output.dropLast())
  }

  private struct Row: Decodable, Equatable {
    var text: String
    var completed: Bool
    var subtasks: [Row]?
    var list: String?
    var parent: String?
  }

  private func rows(_ output: String) throws -> [Row] {
    struct Printed: Decodable { var tasks: [Row] }
    return try JSONDecoder().decode(Printed.self, from: Data(output.utf8)).tasks
  }

  @Test("add --under adds below a task, list shows it there, done completes it")
  func addUnder() throws {
    let party = try add("Plan the party")
    _ = try add("Buy milk")
    let cake = try add("--under", "Plan the party", "Bake", "a cake")
    #expect(try run("add", "--under", party, "-", input: "Find music\n\nInvite\n").status == 0)
    let open = "[ ] Plan the party\n    [ ] Bake a cake\n    [ ] Find music\n    [ ] Invite\n[ ] Buy milk\n"
    #expect(try run("list").output == open)
    #expect(try run("done", "Bake a cake") == .init(status: 0, output: cake + "\n", errors: ""))
    #expect(
      try run("list").output
        == "[ ] Plan the party\n    [ ] Find music\n    [ ] Invite\n    [x] Bake a cake\n[ ] Buy milk\n")
    let subtasks = [("Find music", false), ("Invite", false), ("Bake a cake", true)]
      .map { Row(text: $0.0, completed: $0.1) }
    #expect(
      try rows(run("list", "--json").output) == [
        Row(text: "Plan the party", completed: false, subtasks: subtasks, list: "My Tasks"),
        Row(text: "Buy milk", completed: false, subtasks: [], list: "My Tasks"),
      ])
    #expect(try run("done", "Plan the party").status == 0)
    #expect(
      try run("list").output
        == "[ ] Buy milk\n[x] Plan the party\n    [x] Bake a cake\n    [x] Find music\n    [x] Invite\n")
  }

  @Test("list shows the subtasks of a few tasks of many, and of many", arguments: [1, 2, 5])
  func fewOwners(owners: Int) throws {
    let names = (1...12).map { "task \($0)" }
    #expect(try run("add", "-", input: names.joined(separator: "\n")).status == 0)
    var expected = names.map { ["[ ] \($0)\n"] }
    for owner in 0..<owners {
      for subtask in ["first", "second"] {
        _ = try add("--under", names[2 * owner + 1], subtask)
        expected[2 * owner + 1].append("    [ ] \(subtask)\n")
      }
    }
    #expect(try run("list").output == expected.joined().joined())
    let subtasks = try rows(run("list", "--json").output).map { $0.subtasks?.count }
    #expect(subtasks == expected.map { $0.count - 1 })
  }

  @Test("What is no open task, more than one, or a subtask takes no subtask: one sentence, status 1")
  func refused() throws {
    for text in ["Party", "Twice", "Twice", "Finished"] { _ = try add(text) }
    _ = try add("--under", "Party", "Cake")
    #expect(try run("done", "Finished").status == 0)
    let store = try TasksStore(path: file, scheduler: .fileDescriptor(NotificationSource()))
    try store.add("Work", to: .lists)
    let list = try #require(store.list(TaskList.firstListID))
    let finished = try #require(list.items.first { $0.completed }).id
    store.close()
    func errors(_ under: String, _ more: String...) throws -> String {
      let outcome = try ChildProcess.run([tasks, "--file", file, "add", "--under", under] + more + ["x"])
      #expect(outcome.status == 1 && outcome.output == "")
      return outcome.errors
    }
    #expect(
      try errors("Nothing") == "tasks: there is no open task “Nothing”; give a part of its text, or its id.\n"
    )
    #expect(try errors("Twice").hasPrefix("tasks: more than one open task is called “Twice”"))
    #expect(try errors("Cake") == "tasks: “Cake” is a subtask, and a subtask has none of its own.\n")
    #expect(try errors(finished.description) == "tasks: “Finished” is completed already.\n")
    #expect(try errors("Party", "--list", "Work").hasPrefix("tasks: there is no open task “Party”"))
    #expect(try errors("Party", "--list", "None").hasPrefix("tasks: there is no list “None”"))
    #expect(try run("add", "--under", "", "x").status == 2)
    for text in ["x", "-"] {
      let new = try ChildProcess.run([tasks, "--file", file + "-new", "add", "--under", "Party", text])
      #expect(new.status == 1 && new.errors.hasPrefix("tasks: there is no file “"), "\(new)")
    }
    #expect(try run("list").output.filter { $0 == "\n" }.count == 5)
    // In its list a subtask is found like a task.
    #expect(try run("done", "--list", "Work", "Cake").status == 1)
    #expect(try run("done", "--list", "My Tasks", "Cake").status == 0)
  }

  @Test("What is due today tells where subtasks are")
  func today() throws {
    _ = try add("Party")
    _ = try add("--under", "Party", "--due", "2001-01-01", "Cake")
    #expect(try run("list", "--today").output.hasSuffix("  Cake  (My Tasks › Party)\n"))
    let due = Row(text: "Cake", completed: false, subtasks: [], list: "My Tasks", parent: "Party")
    #expect(try rows(run("list", "--today", "--json").output) == [due])
  }

  @Test("watch tells a task whose subtasks change, whoever changes them")
  func watch() throws {
    let id = try add("Party")
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    _ = try watcher.readLine()
    let cake = try add("--under", "Party", "Cake")
    let rest =
      #""date":null,"repeat":null,"priority":null,"tags":[],"notes":null,"completedAt":null,"waitsUntil":null"#
    func line(_ completed: Bool) -> String {
      #"{"event":"update","deletions":[],"insertions":[],"modifications":[0],"moves":[],"items":"#
        + #"{"0":{"id":"\#(id)","text":"Party","completed":false,\#(rest),"subtasks":"#
        + #"[{"id":"\#(cake)","text":"Cake","completed":\#(completed),\#(rest)}]}}}"#
    }
    #expect(try watcher.readLine() == line(false))
    let outcome = try ChildProcess.run(
      ["sqlite3", file, "update TaskItem set completed = 1 where text = 'Cake'"])
    #expect(outcome.status == 0)
    #expect(try watcher.readLine() == line(true))
    watcher.send(SIGTERM)
    #expect(try watcher.finish().status == 0)
  }
}
