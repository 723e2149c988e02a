import Foundation
import Glibc
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

/// Each test starts the real program.
@Suite("The command line")
struct CommandLineTests {
  let folder = TemporaryFolder()
  var file: String { folder("tasks.db") }
  let tasks = ChildProcess.tasks

  func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run([tasks] + arguments, input: input, environment: environment)
  }

  var environment: [String: String] { ["TASKS_FILE": file, "TZ": ChildProcess.zoneOfNoon] }

  func sqlite(_ file: String, _ statements: String) throws {
    let outcome = try ChildProcess.run(["sqlite3", "-batch", "-bail", file, statements])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Opens the file here, for what the command line cannot do.
  func withStore(_ body: (TasksStore) throws -> Void) throws {
    let store = try TasksStore(path: file, scheduler: .fileDescriptor(NotificationSource()))
    defer { store.close() }
    try body(store)
  }

  /// Of a task that has no more than a text.
  let noDetails =
    #""date":null,"repeat":null,"priority":null,"tags":[],"notes":null,"completedAt":null,"waitsUntil":null"#

  // MARK: Add and list

  @Test("add prints the new task's id, list prints the tasks")
  func addAndList() throws {
    let added = try run("add", "Buy", "milk")
    #expect(added.status == 0 && added.errors == "")
    let id = Identifier(String(added.output.dropLast()))
    try withStore { store in
      #expect(store.task(id)?.text == "Buy milk")
      try store.add("Done", to: .tasks(inList: TaskList.firstListID))
      let done = try #require(store.lists.first?.items.last)
      try store.toggleCompleted([done.id], in: RowScope(.tasks(inList: TaskList.firstListID)))
    }
    #expect(try run("list") == .init(status: 0, output: "[ ] Buy milk\n[x] Done\n", errors: ""))
  }

  @Test("A script is played into the app; what it says that cannot be done is told by its line")
  func script() throws {
    let played = try run("--script", "-", input: "size 40x6\n:add Buy milk\nsave -\n")
    #expect(played.status == 0 && played.errors == "" && played.output.contains("Buy milk"))
    #expect(try run("list").output == "[ ] Buy milk\n")
    for (line, sentence) in [
      (":frobnicate", "There is no command “frobnicate”."), (":down there", "“down” stands alone"),
    ] {
      let unknown = try run("--script", "-", input: "keys j\n\(line)\n:delete\n")
      #expect(unknown.status == 1 && unknown.errors.hasPrefix("tasks: -:2: \(sentence)"), "\(unknown.errors)")
    }
    #expect(try run("list").output == "[ ] Buy milk\n")
    let wrong = try run("--script", "-", input: "keys j\ndance\n")
    #expect(wrong.status == 1 && wrong.errors.hasPrefix("tasks: -:2: "), "\(wrong.errors)")
    let missing = try run("--script", folder("nothing"))
    #expect(missing.status == 1)
    #expect(missing.errors == "tasks: “\(folder("nothing"))” cannot be read: No such file or directory.\n")
    // As from `<(…)` in a shell, a pipe that has a name.
    let pipe = "echo expect Buy milk | \(tasks) --script /dev/stdin"
    let piped = try ChildProcess.run(["sh", "-c", pipe], environment: environment)
    #expect(piped == .init(status: 0, output: "", errors: ""))
  }

  @Test("done completes a task by its text or its id and prints its id")
  func done() throws {
    let id = try run("add", "Buy", "milk").output
    #expect(try run("add", "-", input: "Call\nCall\nWater\tthe plants\n").status == 0)
    #expect(try run("done", "Buy", "milk") == .init(status: 0, output: id, errors: ""))
    let again = try run("done", String(id.dropLast()))
    #expect(again.status == 1 && again.errors == "tasks: “Buy milk” is completed already.\n")
    let plants = try run("done", "--list", "My Tasks", "Water the plants")
    #expect(plants.status == 0)
    #expect(try run("list").output == "[ ] Call\n[ ] Call\n[x] Buy milk\n[x] Water the plants\n")

    let twice = try run("done", "Call")
    #expect(twice.status == 1 && twice.errors.contains("more than one open task is called “Call”"))
    let missing = try run("done", "Buy")
    #expect(missing.status == 1 && missing.errors.contains("there is no open task “Buy”"))
    let nowhere = try run("done", "--list", "Nowhere", "Call")
    #expect(nowhere.status == 1 && nowhere.errors.contains("Nowhere"))
    let nothing = try run("done")
    #expect(nothing.status == 2 && nothing.errors.contains("done needs the text or the id of a task"))
  }

  @Test("A date is given beside the text or read out of it; list --today tells what is due, of all lists")
  func due() throws {
    #expect(try run("add", "--due", "yesterday 9:00", "Pay rent").status == 0)
    #expect(try run("add", "Eat dinner today at 11:59pm").status == 0)
    #expect(try run("add", "--due=+2d", "Later").status == 0)
    #expect(try run("add", "Buy 3 eggs").status == 0)
    try withStore { _ = try $0.add("Work", to: .lists) }
    #expect(try run("add", "--list", "Work", "--due", "today", "Call").status == 0)
    let outcome = try run("list", "--today")
    #expect(
      outcome.output
        == "overdue, yesterday 9:00  Pay rent  (My Tasks)\ntoday  Call  (Work)\n"
        + "today 23:59  Eat dinner today at 11:59pm  (My Tasks)\n")
    let json = try run("list", "--today", "--json").output
    #expect(
      json.contains("\"text\":\"Call\"") && json.contains("\"list\":\"Work\"") && !json.contains("Later"))
    for (words, sentence) in [
      ("30 feb", "“30 feb” is no date: There is no such day."),
      (
        "nonsense",
        "I don't understand “nonsense” as a date. Try fri, +3d, tomorrow 9:00, 1 dec or 2026-12-01."
      ),
    ] {
      let refused = try ChildProcess.run(
        [tasks, "add", "--due", words, "x"], environment: ["TASKS_FILE": file])
      #expect(refused == .init(status: 1, output: "", errors: "tasks: \(sentence)\n"))
    }
    #expect(try run("list", "--today", "--list", "Work").status == 2)
    #expect(try !run("list").output.contains("x"))
  }

  @Test("A task that repeats is added with its first date; done takes it to the next and prints another id")
  func repeating() throws {
    let id = String(
      try run("add", "--repeat", "every week", "--due", "today", "Water plants #home").output.dropLast())
    #expect(try run("add", "Pay rent every 31st").status == 0)
    let finished = String(try run("done", "Water plants #home").output.dropLast())
    #expect(
      try run("list").output == "[ ] Water plants #home\n[ ] Pay rent every 31st\n[x] Water plants #home\n")
    let rows = try JSONTasks(run("list", "--json").output).tasks
    #expect(rows.map(\.repeat) == ["every week", "every 31st", nil])
    #expect(rows[0].id.description == id && rows[2].id.description == finished && finished != id)
    #expect(rows[0].tags == ["home"])
    let dates = try rows.map { try Date(#require($0.date), strategy: .iso8601) }
    #expect(dates[0].timeIntervalSince(dates[2]) == 7 * 86_400)
    try withStore { store in
      _ = try store.undo(showing: RowScope(.lists))
      #expect(store.lists.first?.items.map(\.repetition) == ["every week", "every 31st"])
    }
    for wrong in ["now and then", "every 0 days", "fri 9:00 foo"] {
      let refused = try run("add", "--repeat", wrong, "x")
      #expect(
        refused.status == 1 && refused.errors.contains("“\(wrong)”: That is no repetition; write every week"))
    }
    #expect(try run("add", "--repeat=", "x").status == 2)
    #expect(try !run("list").output.contains("x\n"))
    // Written by somebody else: shown as it is, and done like any other.
    try sqlite(file, "update TaskItem set repetition = 'FREQ=DAILY' where text like 'Pay%'")
    #expect(try run("list", "--json").output.contains(#""repeat":"FREQ=DAILY""#))
    #expect(try run("done", "Pay rent every 31st").status == 0)
    #expect(try run("list").output == "[ ] Water plants #home\n[x] Pay rent every 31st\n")
  }

  @Test("Priority and note are given beside the text, and told with the tags")
  func details() throws {
    #expect(
      try run("add", "--priority", "high", "--notes", "two cans\n of it \n", "Water #Home #b").status == 0)
    #expect(try run("add", "--priority=none", "-", input: "one\ntwo").status == 0)
    let rows = try JSONTasks(run("list", "--json").output).tasks
    #expect(rows.map(\.priority) == ["A", nil, nil] && rows.map(\.notes) == ["two cans\n of it", nil, nil])
    #expect(rows.map(\.tags) == [["home", "b"], [], []])
    let refused = try run("add", "--priority", "urgent", "x")
    #expect(
      refused == .init(status: 1, output: "", errors: "tasks: “urgent” is no priority: A, B, C or none.\n"))
    #expect(try run("add", "--priority=", "x").status == 2)
  }

  @Test(
    "done puts a task where the configuration says; one that cannot be understood says so to the app alone")
  func completedRows() throws {
    #expect(try run("add", "-", input: "a\nb\nc").status == 0)
    #expect(try run("done", "a").status == 0 && run("done", "b").status == 0)
    #expect(try run("list").output == "[ ] c\n[x] a\n[x] b\n")
    try FileManager.default.createDirectory(atPath: folder("tasks"), withIntermediateDirectories: true)
    var environment = environment
    environment["XDG_CONFIG_HOME"] = folder.path
    for (configuration, expected) in [
      ("completed = \"top\"\n", "[x] c\n[x] a\n[x] b\n"),
      ("completed = \"middle\"\n[[", "[x] c\n[x] a\n[x] b\n[x] d\n"),
    ] {
      try configuration.write(toFile: folder("tasks/config.toml"), atomically: true, encoding: .utf8)
      let name = expected.contains("d") ? "d" : "c"
      if name == "d" { #expect(try run("add", "d").status == 0) }
      #expect(try ChildProcess.run([tasks, "done", name], environment: environment).status == 0)
      #expect(try run("list").output == expected)
    }
  }

  @Test("A configuration that cannot be read is told, and stops no command")
  func unreadableConfiguration() throws {
    #expect(try run("add", "a").status == 0)
    try FileManager.default.createDirectory(atPath: folder("tasks"), withIntermediateDirectories: true)
    try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: folder("tasks/config.toml")))
    var environment = environment
    environment["XDG_CONFIG_HOME"] = folder.path
    for words in [["done", "a"], ["undo"], ["redo"]] {
      let outcome = try ChildProcess.run([tasks] + words, environment: environment)
      #expect(
        outcome.status == 0 && outcome.errors.hasSuffix("is not in UTF-8; its settings are not used.\n"))
    }
    #expect(try run("list").output == "[x] a\n")
  }

  @Test("add - adds a task for each line, in order, and prints their ids")
  func addLines() throws {
    let added = try run("add", "-", input: "one\n  two \r\n\n \nthree\u{2028}four")
    #expect(added.status == 0)
    #expect(added.output.split(separator: "\n").allSatisfy { UUID(uuidString: String($0)) != nil })
    #expect(added.output.split(separator: "\n").count == 4)
    #expect(try run("list").output == "[ ] one\n[ ] two\n[ ] three\n[ ] four\n")
    #expect(try run("add", "-") == .init(status: 0, output: "", errors: ""))
  }

  @Test("add - takes nothing that is not text")
  func addBytes() throws {
    let child = try ChildProcess([tasks, "add", "-"], environment: ["TASKS_FILE": file])
    child.write([0x61, 0x0A, 0xFF, 0xFE])
    let outcome = try child.finish()
    #expect(outcome == .init(status: 1, output: "", errors: "tasks: standard input is not UTF-8 text.\n"))
    let binary = try run("add", "-", input: "fine\n\u{0}bad\n")
    let sentence = "tasks: standard input has a NUL character, as no text has.\n"
    #expect(binary == .init(status: 1, output: "", errors: sentence))
    #expect(access(file, F_OK) != 0)
  }

  @Test("--list names the list by its text or its id")
  func listNames() throws {
    var id = Identifier()
    try withStore { store in
      id = try #require(try store.add("Work", to: .lists).rowID)
    }
    #expect(try run("add", "--list", "Work", "by text").status == 0)
    #expect(try run("add", "--list", id.description, "by id").status == 0)
    #expect(try run("list", "--list=Work").output == "[ ] by text\n[ ] by id\n")
    #expect(try run("list").output == "")
  }

  @Test("The name of a list is found whatever its case, but not if that is the name of two")
  func listsInAnyCase() throws {
    #expect(try run("list-add", "Work").status == 0)
    #expect(try run("add", "--list", "work", "Send").status == 0)
    #expect(try run("list", "--list", "WORK").output.contains("Send"))
    #expect(try run("list-add", "WORK").status == 0)
    #expect(try run("list", "--list", "WORK").output == "")
    let both = try run("list", "--list", "work")
    #expect(both.status == 1)
    #expect(both.errors.hasPrefix("tasks: more than one list is called “work”; say which"))
  }

  @Test("Of two lists with one name the id says which")
  func listsOfOneName() throws {
    #expect(try run("add", "x").status == 0)
    try withStore { _ = try $0.add("My Tasks", to: .lists) }
    let ids = try run("lists", "--json").output.matches(of: /"id":"([^"]+)"/).map { String($0.1) }
    for arguments in [["add", "--list", "My Tasks", "y"], ["list", "--list", "My Tasks"]] {
      let outcome = try ChildProcess.run([tasks] + arguments, environment: environment)
      #expect(
        outcome.errors
          == "tasks: more than one list is called “My Tasks”; say which by its id: "
          + ids.joined(separator: ", ") + ".\n")
    }
    #expect(try run("add", "--list", ids[1], "y").status == 0)
    #expect(try run("list", "--list", ids[1]).output == "[ ] y\n")
  }

  @Test("An unknown list is refused, and those that there are are named")
  func unknownList() throws {
    try withStore { _ in }
    let sentence = "tasks: there is no list “Home”; there is only “My Tasks”.\n"
    for arguments in [
      ["add", "--list", "Home", "x"], ["list", "--list", "Home"], ["watch", "--list", "Home"],
    ] {
      let outcome = try ChildProcess.run([tasks, "--file", file] + arguments)
      #expect(outcome == .init(status: 1, output: "", errors: sentence))
    }
    try withStore { try $0.add("A\u{1B}c", to: .lists) }
    #expect(
      try run("list", "--list", "").errors
        == "tasks: there is no list “”; there are “My Tasks” and “A\\u{1B}c”.\n")
    try withStore { store in
      for list in Array(store.lists) { try store.delete([list.id], in: RowScope(.lists)) }
    }
    #expect(try run("add", "x").errors == "tasks: there is no list; tasks list-add NAME makes one.\n")
  }

  @Test("list --json prints an array with every value")
  func listJSON() throws {
    try withStore { _ in }
    #expect(try run("list", "--json").output == "{\"version\":1,\"tasks\":[\n]}\n")
    try withStore { store in
      try store.add(["a\"\u{1B}", "b"], to: .tasks(inList: TaskList.firstListID))
      let task = try #require(store.lists.first?.items.first)
      try store.store.write { task.date = Date(timeIntervalSince1970: 0) }
    }
    let output = try run("list", "--json").output
    let rows = try JSONTasks(output).tasks
    #expect(rows.map(\.text) == ["a\"\u{1B}", "b"])
    #expect(rows.map(\.date) == ["1970-01-01T00:00:00Z", nil])
    #expect(!output.contains("\u{1B}"))
  }

  @Test("What a terminal would act on never reaches it")
  func controls() throws {
    #expect(try run("add", "\u{1B}]0;title\u{7}").status == 0)
    #expect(try run("list").output == "[ ] \\u{1B}]0;title\\u{7}\n")
    let refused = try run("list", "--list", "\u{1B}[2J")
    #expect(!refused.errors.contains("\u{1B}"))
  }

  @Test("A wrong command line is refused with status 2, help and version come with 0")
  func usage() throws {
    #expect(
      try run("lisp")
        == .init(status: 2, output: "", errors: "tasks: there is no command “lisp”; see tasks --help.\n"))
    #expect(access(file, F_OK) != 0)
    #expect(try run("--help") == .init(status: 0, output: HelpText.text, errors: ""))
    #expect(try run("--version").output == "tasks \(TasksProgram.version)\n")
    // Swift would make another text of it.
    let shell = ["/bin/sh", "-c", #"exec "$0" add "$(printf 'caf\351')""#, tasks]
    #expect(
      try ChildProcess.run(shell, environment: environment)
        == .init(
          status: 2, output: "", errors: "tasks: an argument is no text in UTF-8; see tasks --help.\n"))
    #expect(access(file, F_OK) != 0)
  }

  @Test("A full disk is told")
  func fullDisk() throws {
    _ = try run("add", "x")
    let outcome = try ChildProcess.run(["sh", "-c", "exec \"$0\" --file \"$1\" list >/dev/full", tasks, file])
    #expect(outcome.status == 1)
    #expect(outcome.errors == "tasks: cannot write to standard output: No space left on device.\n")
  }

  @Test(
    "What is printed where the output was closed goes into no file",
    arguments: [">&-", ">&- 2>&-", "<&- >&-"])
  func closedOutput(closing: String) throws {
    _ = try run("add", "x")
    let live = try Data(contentsOf: URL(filePath: file + "-live"))
    for command in ["list", "add y", "--plain"] {
      let words = "exec \"$0\" --file \"$1\" \(command) \(closing)"
      let outcome = try ChildProcess.run(["sh", "-c", words, tasks, file])
      #expect(outcome.status == 1 && outcome.output == "")
      if !closing.contains("2>") {
        #expect(outcome.errors.hasSuffix("Bad file descriptor.\n"), "\(outcome)")
      }
    }
    #expect(try Data(contentsOf: URL(filePath: file + "-live")).count == live.count)
    #expect(try run("list").output == "[ ] x\n[ ] y\n")
  }
}

/// The output of `--json`, as its reader would read it.
struct JSONTasks: Decodable {
  var version: Int
  var tasks: [JSONRow]

  init(_ output: String) throws {
    self = try JSONDecoder().decode(JSONTasks.self, from: Data(output.utf8))
    #expect(version == 1)
  }
}

struct JSONRow: Decodable {
  var id: Identifier
  var text: String
  var completed: Bool
  var date: String?
  var `repeat`: String?
  var priority: String?
  var tags: [String]
  var notes: String?
}
