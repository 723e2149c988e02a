import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

/// Each test starts the real program.
@Suite("Waiting, sorted lists and old files, from the command line")
struct ListPropertyCommandTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  private var environment: [String: String] {
    ["TASKS_FILE": folder("tasks.db"), "HOME": folder.path, "TZ": ChildProcess.zoneOfNoon]
  }

  private func run(_ arguments: String...) throws -> ChildProcess.Outcome {
    try ChildProcess.run([tasks] + arguments, environment: environment)
  }

  @Test("A task that waits is not in its list, but in --waiting, in JSON and in show")
  func waiting() throws {
    #expect(try run("add", "--wait", "+3d", "later").status == 0)
    #expect(try run("add", "now").status == 0)
    #expect(try run("list").output == "[ ] now\n")
    #expect(try run("list", "--waiting").output.contains("later  (My Tasks)"))
    #expect(try run("list", "--json").output.contains("\"waitsUntil\":\"2"))
    #expect(try run("show", "later").output.contains("    waits until: "))
    #expect(try run("edit", "now", "--wait", "tomorrow").output == "“now” is now waiting until tomorrow.\n")
    #expect(try run("list").output == "")
    #expect(try run("edit", "now", "--wait", "none").output == "“now” is now not waiting.\n")
    #expect(try run("undo").output == "Undid: the waiting of “now”.\n")
  }

  @Test("A whole day is a moment elsewhere, of the day before west of there, and a whole day again at home")
  func zones() throws {
    func show(_ zone: String) throws -> String {
      try ChildProcess.run(
        [tasks, "show", "call"], environment: environment.merging(["TZ": zone]) { $1 }
      ).output
    }
    // Two hours ahead of Greenwich, as it was set; six hours ahead; and seven behind.
    let home = ["TZ": "HOME-2"]
    let outcome = try ChildProcess.run(
      [tasks, "add", "--due", "2036-12-05", "call"], environment: environment.merging(home) { $1 })
    #expect(outcome.status == 0)
    #expect(try show("HOME-2").contains("Friday 5 December 2036\n"))
    #expect(try show("EAST-6").contains("Friday 5 December 2036, 4:00"))
    #expect(try show("WEST7").contains("Thursday 4 December 2036, 15:00"))
    #expect(try show("HOME-2").contains("Friday 5 December 2036\n"))
  }

  @Test("A list that another program has put among the lists twice is named once")
  func repeatedList() throws {
    #expect(try run("add", "one").status == 0)
    #expect(try run("list-add", "Work").status == 0)
    #expect(try run("add", "--list", "Work", "two").status == 0)
    let once = try (run("lists", "--json").output, run("export", "--format", "jsonl").output)
    let repetition =
      "INSERT INTO TaskListList_items (owner, target) SELECT owner, target FROM TaskListList_items"
    try #require(ChildProcess.run(["sqlite3", folder("tasks.db"), repetition]).status == 0)
    #expect(try run("lists").output == "My Tasks\nWork\n")
    #expect(try run("lists", "--json").output == once.0)
    #expect(try run("export", "--format", "jsonl").output == once.1)
    #expect(try run("list", "--list", "Work").output == "[ ] two\n")
    let unknown = try run("list", "--list", "Home").errors
    #expect(unknown == "tasks: there is no list “Home”; there are “My Tasks” and “Work”.\n")
  }

  @Test("A note that is none is no note, as a date and a priority are")
  func noNote() throws {
    func notes() throws -> Bool { try run("list", "--json").output.contains("\"notes\":null") }
    #expect(try run("add", "--notes", "None", "one").status == 0)
    #expect(try notes())
    #expect(try run("edit", "one", "--notes", "none of these").output == "“one” is now with a note.\n")
    #expect(try run("edit", "one", "--notes", "others").output == "“one” is now with another note.\n")
    #expect(try !notes())
    #expect(try run("edit", "one", "--notes", "none").output == "“one” is now without a note.\n")
    #expect(try notes())
  }

  @Test("Nor is a subtask that waits in the list; nothing waits until a moment that has passed")
  func waitingSubtask() throws {
    #expect(try run("add", "party").status == 0)
    #expect(try run("add", "--under", "party", "cake").status == 0)
    #expect(try run("add", "--under", "party", "--wait", "+3d", "music").status == 0)
    #expect(try run("list").output == "[ ] party\n    [ ] cake\n")
    let edit = try run("edit", "party", "--wait", "yesterday")
    #expect(edit.status == 1 && edit.errors.contains("“yesterday” is not later than now"))
    #expect(try run("add", "--wait", "today", "never").status == 1)
    #expect(try run("list").output == "[ ] party\n    [ ] cake\n")
  }

  @Test("What a command adds to a list that is kept sorted gets its place")
  func sorted() throws {
    #expect(try run("add", "b").status == 0)
    let store = try TasksStore(path: folder("tasks.db"), scheduler: .fileDescriptor(NotificationSource()))
    try store.setOrder([TaskList.firstListID], to: .text, in: RowScope(.lists))
    store.close()
    #expect(try run("add", "c").status == 0)
    #expect(try run("add", "a").status == 0)
    #expect(try run("list").output == "[ ] a\n[ ] b\n[ ] c\n")
    #expect(try run("edit", "a", "d").status == 0)
    #expect(try run("list").output == "[ ] b\n[ ] c\n[ ] d\n")
  }

  @Test("What a command changes in a list that is kept sorted is one transaction with its new place")
  func sortedAtOnce() throws {
    #expect(try run("add", "b").status == 0)
    #expect(try run("add", "m").status == 0)
    let file = try ForeignDatabase(folder("tasks.db"))
    func transactions() throws -> Int {
      Int(try file.run("SELECT max(seq) FROM _livestore_log")[0][0]) ?? 0
    }
    try Data("{\"text\":\"f\"}\n{\"text\":\"e\"}\n".utf8).write(to: URL(filePath: folder("two.jsonl")))
    let commands: [([String], String)] = [
      (["list-sort", "My Tasks", "text"], "b m"), (["add", "a"], "a b m"), (["edit", "a", "z"], "b m z"),
      (["undo"], "a b m"), (["redo"], "b m z"), (["done", "b"], "m z"), (["undone", "b"], "b m z"),
      (["import", folder("two.jsonl")], "b e f m z"), (["undo"], "b m z"),
      (["edit", "z", "--due", "tomorrow"], "b m z"), (["list-sort", "My Tasks", "due"], "z b m"),
      (["undo"], "b m z"),
    ]
    for (arguments, expected) in commands {
      let before = try transactions()
      let outcome = try ChildProcess.run([tasks] + arguments, environment: environment)
      #expect(outcome.status == 0, "\(arguments): \(outcome)")
      #expect(try transactions() == before + 1, "\(arguments)")
      let open = try run("list").output.split(separator: "\n").filter { $0.hasPrefix("[ ]") }
      #expect(open.map { $0.dropFirst(4).prefix(1) }.joined(separator: " ") == expected, "\(arguments)")
    }
    // A command without effect is no transaction.
    let before = try transactions()
    #expect(try run("edit", "m", "m").status == 1)
    #expect(try transactions() == before)
  }

  @Test("On a terminal list-delete asks when tasks would go; --yes does not, nor a script")
  func deletingList() throws {
    #expect(try run("add", "one").status == 0)
    #expect(try run("list-add", "Empty").status == 0)
    let window = try TmuxWindow(width: 90, environment: environment)
    try window.enter("clear; \(tasks) list-delete 'My Tasks'; echo status=$?")
    _ = try window.wait(forText: "Delete the list “My Tasks” with 1 task? (y/n)")
    try window.enter("n")
    let screen = try window.wait(forText: "status=1")
    #expect(screen.contains("tasks: nothing was deleted."))
    try window.enter("clear; \(tasks) list-delete Empty; echo status=$?")
    #expect(try window.wait(forText: "status=0").contains("Deleted “Empty”"))
    try window.enter("clear; \(tasks) list-delete 'My Tasks'; echo status=$?")
    _ = try window.wait(forText: "(y/n)")
    try window.enter("y")
    #expect(try window.wait(forText: "status=0").contains("with 1 task; tasks undo brings them back."))
    #expect(try run("undo").status == 0)
    #expect(try run("list-delete", "My Tasks").status == 0)
    #expect(try run("undo").status == 0)
    try window.enter("clear; \(tasks) list-delete --yes 'My Tasks'; echo end=$?")
    // The command line itself is on the screen until it is cleared.
    let unasked = try window.wait(forText: "end=0")
    #expect(unasked.contains("tasks undo brings them back") && !unasked.contains("1 task? (y/n)"))
  }

  @Test("A command that reads does not bring an old file up to date; one that writes does")
  func oldFile() throws {
    #expect(try run("add", "one").status == 0)
    let file = try ForeignDatabase(folder("tasks.db"))
    try file.run("PRAGMA user_version = \(TasksStore.schemaVersion - 1)")
    try file.run("PRAGMA wal_checkpoint(TRUNCATE)")
    func version() throws -> Int32 { Int32(try file.run("PRAGMA user_version")[0][0]) ?? 0 }
    for arguments in [["list"], ["lists"], ["show", "one"], ["export"]] {
      let outcome = try ChildProcess.run([tasks] + arguments, environment: environment)
      #expect(outcome.status == 1, "\(arguments)")
      #expect(
        outcome.errors.contains("is of an older version of tasks; a window, or a command"), "\(outcome)")
    }
    #expect(try version() == TasksStore.schemaVersion - 1)
    #expect(try run("add", "two").status == 0)
    #expect(try version() == TasksStore.schemaVersion)
    #expect(try run("list").output == "[ ] one\n[ ] two\n")
  }

  @Test("A search with a name is printed by that, and is in an export")
  func savedSearch() throws {
    #expect(try run("add", "Buy milk #home").status == 0)
    let store = try TasksStore(path: folder("tasks.db"), scheduler: .fileDescriptor(NotificationSource()))
    try store.saveSearch("#home", as: "House")
    store.close()
    #expect(try run("search", "--saved", "house").output == "[ ] Buy milk #home  (My Tasks)\n")
    #expect(
      try run("search-save", "house", "#house").output
        == "tasks search --saved finds “#house” as “house” from now on. It was “#home”.\n")
    #expect(try run("search-save", "House", "#home").status == 0)
    #expect(try run("search", "--saved", "work").errors == "tasks: no search has the name “work”.\n")
    let text = try run("export").output
    #expect(text.hasSuffix("{\"type\":\"search\",\"name\":\"House\",\"text\":\"#home\"}\n"))
    let copy = folder("copy.db")
    try Data(text.utf8).write(to: URL(filePath: folder("all.jsonl")))
    #expect(try run("import", "--file", copy, folder("all.jsonl")).status == 0)
    #expect(try run("export", "--file", copy).output == text)
  }
}
