import Foundation
import Glibc
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

/// Each test starts the real program.
@Suite("The command line")
struct CommandLineTests {
  let folder: TemporaryFolder
  let file: String
  let tasks: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder("tasks.db")
    tasks = try ChildProcess.tasks()
  }

  private func run(_ arguments: String..., input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run([tasks] + arguments, input: input, environment: environment)
  }

  private var environment: [String: String] { ["TASKS_FILE": file, "TZ": ChildProcess.zoneOfNoon] }

  private func sqlite(_ file: String, _ statements: String) throws {
    let outcome = try ChildProcess.run(["sqlite3", "-batch", "-bail", file, statements])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Opens the file here, for what the command line cannot do.
  private func withStore(_ body: (TasksStore) throws -> Void) throws {
    let store = try TasksStore(path: file, scheduler: .fileDescriptor(NotificationSource()))
    defer { store.close() }
    try body(store)
  }

  /// Of a task that has no more than a text.
  private let noDetails = #""date":null,"repeat":null,"priority":null,"tags":[],"notes":null"#

  // MARK: Add and list

  @Test("add prints the new task's id, list prints the tasks")
  func addAndList() throws {
    let added = try run("add", "Buy", "milk")
    #expect(added.status == 0 && added.errors == "")
    let id = try #require(UUID(uuidString: String(added.output.dropLast())))
    try withStore { store in
      #expect(store.task(id)?.text == "Buy milk")
      try store.add("Done", to: .tasks(inList: TaskList.firstListID))
      let done = try #require(store.lists.first?.items.last)
      try store.toggleCompleted(done.id, in: .tasks(inList: TaskList.firstListID))
    }
    #expect(try run("list") == .init(status: 0, output: "[ ] Buy milk\n[x] Done\n", errors: ""))
  }

  @Test("A script is played into the app; what it says that cannot be done is told by its line")
  func script() throws {
    let played = try run("--script", "-", input: "size 40x6\n:add Buy milk\nsave -\n")
    #expect(played.status == 0 && played.errors == "" && played.output.contains("Buy milk"))
    #expect(try run("list").output == "[ ] Buy milk\n")
    let wrong = try run("--script", "-", input: "keys j\ndance\n")
    #expect(wrong.status == 1 && wrong.errors.hasPrefix("tasks: -:2: "), "\(wrong.errors)")
    #expect(try run("--script", folder("nothing")).status == 1)
  }

  @Test("done completes a task by its text or its id and prints its id")
  func done() throws {
    let id = try run("add", "Buy", "milk").output
    #expect(try run("add", "-", input: "Call\nCall\nWater the plants\n").status == 0)
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
    for wrong in [["add", "--due", "30 feb", "x"], ["add", "--due", "nonsense", "x"]] {
      let refused = try ChildProcess.run([tasks] + wrong, environment: ["TASKS_FILE": file])
      #expect(refused.status == 1 && refused.errors.contains("is no date"), "\(refused.errors)")
    }
    #expect(try run("list", "--today", "--list", "Work").status == 2)
    #expect(try !run("list").output.contains("x"))
  }

  @Test("A task that repeats is added with its first date; done makes the next one, which --json tells")
  func repeating() throws {
    let id = String(
      try run("add", "--repeat", "every week", "--due", "today", "Water plants #home").output.dropLast())
    #expect(try run("add", "Pay rent every 31st").status == 0)
    #expect(try run("done", "Water plants #home").output == id + "\n")
    #expect(
      try run("list").output == "[ ] Water plants #home\n[ ] Pay rent every 31st\n[x] Water plants #home\n")
    let rows = try JSONDecoder().decode([JSONRow].self, from: Data(run("list", "--json").output.utf8))
    #expect(rows.map(\.repeat) == ["every week", "every 31st", nil])
    #expect(rows[2].id.uuidString == id && rows[0].id != rows[2].id && rows[0].tags == ["home"])
    let dates = try rows.map { try Date(#require($0.date), strategy: .iso8601) }
    #expect(dates[0].timeIntervalSince(dates[2]) == 7 * 86_400)
    try withStore { store in
      _ = try store.undo(showing: .lists)
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
    let rows = try JSONDecoder().decode([JSONRow].self, from: Data(run("list", "--json").output.utf8))
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
    #expect(access(file, F_OK) != 0)
  }

  @Test("--list names the list by its text or its id")
  func listNames() throws {
    var id = UUID()
    try withStore { store in
      id = try #require(try store.add("Work", to: .lists).rowID)
      try store.add("Work", to: .lists)
    }
    #expect(try run("add", "--list", "Work", "by text").status == 0)
    #expect(try run("add", "--list", id.uuidString.lowercased(), "by id").status == 0)
    #expect(try run("list", "--list=Work").output == "[ ] by text\n[ ] by id\n")
    #expect(try run("list").output == "")
  }

  @Test("An unknown list is refused, and those that there are are named")
  func unknownList() throws {
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
      for list in Array(store.lists) { try store.delete(list.id, in: .lists) }
    }
    #expect(try run("add", "x").errors == "tasks: there is no list; make one in the app first.\n")
  }

  @Test("list --json prints an array with every value")
  func listJSON() throws {
    #expect(try run("list", "--json").output == "[\n]\n")
    try withStore { store in
      try store.add(["a\"\u{1B}", "b"], to: .tasks(inList: TaskList.firstListID))
      let task = try #require(store.lists.first?.items.first)
      try store.store.write { task.date = Date(timeIntervalSince1970: 0) }
    }
    let output = try run("list", "--json").output
    let rows = try JSONDecoder().decode([JSONRow].self, from: Data(output.utf8))
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
        == .init(status: 2, output: "", errors: "tasks: there is no command lisp; see tasks --help.\n"))
    #expect(access(file, F_OK) != 0)
    #expect(try run("--help") == .init(status: 0, output: HelpText.text, errors: ""))
    #expect(try run("--version").output == "tasks \(TasksProgram.version)\n")
  }

  @Test("A full disk is told")
  func fullDisk() throws {
    _ = try run("add", "x")
    let outcome = try ChildProcess.run(["sh", "-c", "exec \"$0\" --file \"$1\" list >/dev/full", tasks, file])
    #expect(outcome.status == 1)
    #expect(outcome.errors == "tasks: cannot write to standard output: No space left on device.\n")
  }

  // MARK: Watch

  @Test("watch prints each change set as a line, whoever made the change", .timeLimit(.minutes(2)))
  func watch() throws {
    let first = String(try run("add", "one").output.dropLast())
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    #expect(
      try watcher.readLine()
        == #"{"event":"initial","items":[{"id":"\#(first)","text":"one","completed":false,\#(noDetails),"subtasks":[]}]}"#
    )

    let second = String(try run("add", "two").output.dropLast())
    #expect(
      try watcher.readLine()
        == #"{"event":"update","deletions":[],"insertions":[1],"modifications":[],"moves":[],"items":"#
        + #"{"1":{"id":"\#(second)","text":"two","completed":false,\#(noDetails),"subtasks":[]}}}"#)

    try sqlite(file, "update TaskItem set completed = 1 where text = 'one'")
    #expect(
      try watcher.readLine()
        == #"{"event":"update","deletions":[],"insertions":[],"modifications":[0],"moves":[],"items":"#
        + #"{"0":{"id":"\#(first)","text":"one","completed":true,\#(noDetails),"subtasks":[]}}}"#)

    let place = Place.tasks(inList: TaskList.firstListID)
    try withStore { store in
      let id = try #require(UUID(uuidString: second))
      try store.toggleCompleted(#require(UUID(uuidString: first)), in: place)
      #expect(
        try store.move(id, in: place, to: .offset(1)).change == .moved(from: 0, to: 1, modified: false))
      try store.delete(id, in: place)
    }
    // The three may come as one change set or as several.
    var rows = try [#require(UUID(uuidString: first)), #require(UUID(uuidString: second))]
    while rows.count > 1 {
      let update = try #require(try watcher.readLine())
      rows = try JSONDecoder().decode(JSONUpdate.self, from: Data(update.utf8)).applied(to: rows)
    }
    #expect(rows.map(\.uuidString) == [first])

    watcher.send(SIGINT)
    #expect(try watcher.finish() == .init(status: 0, output: "", errors: ""))
  }

  @Test("watch ends well by any signal that asks for it", arguments: [SIGINT, SIGTERM, SIGHUP])
  func watchSignals(signal: Int32) throws {
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    #expect(try watcher.readLine() == #"{"event":"initial","items":[]}"#)
    watcher.send(signal)
    #expect(try watcher.finish() == .init(status: 0, output: "", errors: ""))
  }

  @Test("watch ends when its reader has gone, without waiting for a change")
  func watchClosedPipe() throws {
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    _ = try watcher.readLine()
    watcher.closeOutput()
    #expect(try watcher.finish() == .init(status: 0, output: "", errors: ""))
  }

  @Test("watch can be interrupted while nobody takes what it prints")
  func watchFullPipe() throws {
    let texts = (0..<3000).map { "a task with a number, so that they take more than a pipe holds: \($0)" }
    try withStore { try $0.add(texts, to: .tasks(inList: TaskList.firstListID)) }
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    try watcher.waitForOutput()
    watcher.send(SIGTERM)
    #expect(try watcher.finish().status == 0)
  }

  @Test("watch ends with a sentence when its list is deleted")
  func watchDeletedList() throws {
    let watcher = try ChildProcess([tasks, "watch"], environment: ["TASKS_FILE": file])
    _ = try watcher.readLine()
    try withStore { _ = try $0.delete(TaskList.firstListID, in: .lists) }
    let outcome = try watcher.finish()
    #expect(outcome.status == 1)
    #expect(outcome.errors == "tasks: the list “My Tasks” has been deleted.\n")
  }

  // MARK: The file

  @Test("The file is found by option, variables and home, and made for its owner alone")
  func places() throws {
    let home = folder("home")
    let data = folder("data")
    for (arguments, environment, path) in [
      (["--file", folder("a/b/option.db")], ["TASKS_FILE": folder("unused.db")], folder("a/b/option.db")),
      ([], ["TASKS_FILE": folder("variable.db"), "XDG_DATA_HOME": data], folder("variable.db")),
      ([], ["TASKS_FILE": "", "XDG_DATA_HOME": data, "HOME": home], data + "/tasks/tasks.db"),
      ([], ["XDG_DATA_HOME": "relative", "HOME": home], home + "/.local/share/tasks/tasks.db"),
    ] {
      let outcome = try ChildProcess.run([tasks] + arguments + ["add", "x"], environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(mode(path) == 0o600)
      for beside in ["-wal", "-shm", "-live"] {
        #expect([nil, 0o600].contains(mode(path + beside)))
      }
    }
    #expect(access(folder("unused.db"), F_OK) != 0)
    #expect(mode(folder("a")) == 0o700 && mode(folder("a/b")) == 0o700 && mode(home + "/.local") == 0o700)
    let homeless = try ChildProcess.run([tasks, "list"])
    #expect(
      homeless
        == .init(
          status: 1, output: "", errors: "tasks: HOME is not set; say with --file which file to use.\n"))
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test("Processes that start at once on a new file end with one list", .timeLimit(.minutes(2)))
  func startingAtOnce() throws {
    for _ in 0..<5 {
      let fresh = try TemporaryFolder()
      let children = try (0..<8).map { number in
        try ChildProcess([tasks, "--file", fresh("new/tasks.db"), "add", "task \(number)"])
      }
      for child in children {
        let outcome = try child.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let store = try TasksStore(
        path: fresh("new/tasks.db"), scheduler: .fileDescriptor(NotificationSource()))
      defer { store.close() }
      #expect(store.store.objects(TaskListList.self).map(\.id) == [0])
      #expect(store.store.objects(TaskList.self).map(\.id) == [TaskList.firstListID])
      #expect(store.lists.map(\.text) == ["My Tasks"])
      #expect(store.lists.first?.id.uuidString == "80EB1620-165B-4600-A1B1-D97032FDD9A0")
      #expect(Set(store.lists.first?.items.map(\.text) ?? []) == Set((0..<8).map { "task \($0)" }))
    }
  }

  @Test("A folder is no file to open, nor is a device")
  func folderAsFile() throws {
    try expectRefusal(of: folder.path, "tasks: “\(folder.path)” is a folder; name a file instead.\n")
    try expectRefusal(of: folder.path + "/", "tasks: “\(folder.path)/” is a folder; name a file instead.\n")
    try expectRefusal(of: "/dev/null", "tasks: “/dev/null” is not a regular file; name one instead.\n")
  }

  @Test("A file or folder that cannot be written is refused with a sentence")
  func unwritable() throws {
    _ = try run("add", "x")
    chmod(file, 0o400)
    try expectRefusal(of: file)
    try expectRefusal(
      of: file + "/tasks.db", "tasks: “\(file)/tasks.db” cannot be created: Not a directory.\n")
    try expectRefusal(
      of: file + "/new/tasks.db", "tasks: The folder “\(file)/new” cannot be made: Not a directory.\n")
    let locked = folder("locked")
    mkdir(locked, 0o500)
    try expectRefusal(
      of: locked + "/tasks.db", "tasks: “\(locked)/tasks.db” cannot be created: Permission denied.\n")
    try expectRefusal(
      of: locked + "/new/tasks.db",
      "tasks: The folder “\(locked)/new” cannot be made: Permission denied.\n")
  }

  @Test("A file that is no database is refused and left as it is")
  func noDatabase() throws {
    let text = folder("letter.txt")
    try Data(
      "Dear reader, this is a letter, and it is longer than a header. ".utf8
        + Array(repeating: 46, count: 4096)
    )
    .write(to: URL(filePath: text))
    try expectRefusal(of: text)
    let short = folder("short.txt")
    try Data("x".utf8).write(to: URL(filePath: short))
    try expectRefusal(of: short)
  }

  @Test("Another application's database is refused and left as it is")
  func otherApplication() throws {
    let other = folder("other.db")
    try sqlite(
      other, "pragma application_id = 1234; create table Letter (text); insert into Letter values ('x')")
    try expectRefusal(of: other)
    let unmarked = folder("unmarked.db")
    try sqlite(unmarked, "create table Letter (text); insert into Letter values ('x')")
    try expectRefusal(of: unmarked)
  }

  @Test("A file of a newer version is refused and left as it is")
  func newerVersion() throws {
    _ = try run("add", "x")
    try sqlite(file, "pragma user_version = 1000; pragma wal_checkpoint(truncate)")
    try expectRefusal(of: file)
  }

  /// Every way to open the file says one sentence, ends with status 1 and changes nothing.
  private func expectRefusal(of path: String, _ sentence: String? = nil) throws {
    let before = try? Data(contentsOf: URL(filePath: path))
    let neighboursBefore = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for arguments in [["add", "y"], ["list"], ["watch"]] {
      // Root may write anything, unless it is without the capability that lets it.
      let command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
      let outcome = try ChildProcess.run(
        (geteuid() == 0 ? command : []) + [tasks, "--file", path] + arguments)
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      #expect(outcome.errors.hasPrefix("tasks: ") && outcome.errors.hasSuffix(".\n"), "\(outcome.errors)")
      #expect(outcome.errors.filter { $0 == "\n" }.count == 1, "\(outcome.errors)")
      if let sentence { #expect(outcome.errors == sentence) }
    }
    #expect((try? Data(contentsOf: URL(filePath: path))) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == neighboursBefore)
  }
}

private struct JSONRow: Decodable {
  var id: UUID
  var text: String
  var completed: Bool
  var date: String?
  var `repeat`: String?
  var priority: String?
  var tags: [String]
  var notes: String?
}

/// A line of `tasks watch`, read as its reader would.
private struct JSONUpdate: Decodable {
  var deletions: [Int]
  var insertions: [Int]
  var items: [String: JSONRow]

  func applied(to rows: [UUID]) throws -> [UUID] {
    var rows = rows
    for index in deletions.reversed() { rows.remove(at: index) }
    for index in insertions { rows.insert(try #require(items[String(index)]).id, at: index) }
    return rows
  }
}
