import FoundationEssentials
import Testing

@testable import TasksTUI

/// Each test starts the real program.
@Suite("Changes from the command line")
struct ChangeCommandTests {
  private let folder = TemporaryFolder()
  private let tasks = ChildProcess.tasks

  init() throws {
    _ = try run(["add", "-"], input: "Buy milk\nBuy bread\nCall Anna\n")
  }

  private func run(_ arguments: [String], input: String = "") throws -> ChildProcess.Outcome {
    let environment = [
      "TASKS_FILE": folder("tasks.db"), "HOME": folder.path, "TZ": ChildProcess.zoneOfNoon,
    ]
    return try ChildProcess.run([tasks] + arguments, input: input, environment: environment)
  }

  /// The output of a command that succeeds without a complaint.
  private func said(_ arguments: String...) throws -> String {
    let outcome = try run(arguments)
    #expect(outcome.status == 0 && outcome.errors == "", "\(arguments): \(outcome)")
    return outcome.output
  }

  /// The complaint of a command that fails.
  private func problem(_ arguments: String..., status: Int32 = 1) throws -> String {
    let outcome = try run(arguments)
    #expect(outcome.status == status && outcome.output == "", "\(arguments): \(outcome)")
    #expect(outcome.errors.hasPrefix("tasks: ") && outcome.errors.hasSuffix(".\n"), "\(outcome)")
    return String(outcome.errors.dropFirst(7).dropLast(2))
  }

  @Test("What cannot make sense in a new file makes none; what changes nothing says so")
  func nothingToDo() throws {
    #expect(try said("edit", "Call", "--due", "none", "--repeat", "none") == "“Call Anna” is as it was.\n")
    try Data("- [ ] one\n".utf8).write(to: URL(filePath: folder("one.md")))
    let file = folder("new.db")
    for arguments in [
      ["done", "one"], ["edit", "one", "two"], ["undo"], ["redo"], ["delete", "one"], ["clear"],
      ["move", "one", "--to", "Work"], ["list-delete", "Work"],
    ] {
      let outcome = try run(arguments + ["--file", file])
      #expect(outcome.status == 1 && outcome.output == "", "\(arguments): \(outcome)")
      #expect(outcome.errors == "tasks: there is no file “\(file)”; tasks add TEXT makes it.\n")
      #expect(!FileManager.default.fileExists(atPath: file), "\(arguments)")
    }
    let trial = try run(["import", "--dry-run", folder("one.md"), "--file", file])
    #expect(trial == .init(status: 0, output: "Would import 1 task; nothing was changed.\n", errors: ""))
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(
      try problem("export", folder("tasks.db"), "--format", "csv", "--force")
        == "“\(folder("tasks.db"))” is a database, which is never replaced; choose another name")
    #expect(try said("list").hasPrefix("[ ] Buy milk\n"))
  }

  @Test("Dates and repetitions in texts are read in a session of lines, and before a task is completed")
  func unreadTexts() throws {
    #expect(try run(["--plain"], input: "add call bob tomorrow\n").status == 0)
    #expect(try said("list", "--upcoming").contains("call bob tomorrow"))
    try Data(#"{"text":"Pay every month"}"#.utf8).write(to: URL(filePath: folder("pay.jsonl")))
    _ = try said("import", folder("pay.jsonl"))
    _ = try said("done", "Pay")
    let rows = try said("list").split(separator: "\n").filter { $0.contains("Pay every month") }
    #expect(rows.count == 2 && rows[0].hasPrefix("[ ]") && rows[1].hasPrefix("[x]"), "\(rows)")
  }

  @Test("A task is added without the date, or the repetition, that its text says, and none is read later")
  func absentValues() throws {
    _ = try said("add", "--due", "none", "--wait", "none", "Sing “Tomorrow” every monday")
    _ = try said("add", "--repeat", "none", "Recite “Every Day” tomorrow")
    // A window, and a session of lines, read what is unread.
    #expect(try run(["--plain"], input: "add other\n").status == 0)
    let sung = try said("show", "Sing", "--json")
    #expect(sung.contains(#""date":null"#) && sung.contains(#""repeat":null"#), "\(sung)")
    let read = try said("show", "Recite", "--json")
    #expect(!read.contains(#""date":null"#) && read.contains(#""repeat":null"#), "\(read)")
    #expect(
      try problem("add", "--due", "none", "--repeat", "every day", "x")
        == "a task that repeats needs a date: leave out --due none, or --repeat")
    #expect(try !said("list").contains("[ ] x\n"))
  }

  @Test("A list gets a colour, is kept sorted, and a search gets a name, each of which can be taken away")
  func listsAndSearches() throws {
    #expect(try said("list-add", "Work") == "Added the list “Work”.\n")
    #expect(try said("list-color", "Work", "teal") == "“Work” is teal now.\n")
    #expect(try problem("list-color", "Work", "Teal") == "nothing was changed: it is so already")
    #expect(try said("list-color", "Work", "#012345") == "“Work” is #012345 now.\n")
    #expect(try said("undo") == "Undid: the colour of “Work”.\n")
    #expect(try said("list-color", "Work", "none") == "“Work” has the colour of its place.\n")
    #expect(
      try problem("list-color", "Work", "loud")
        == "“loud” is no colour: red, orange, yellow, green, teal, blue, purple, pink, brown, grey, none or "
        + "#rrggbb")
    #expect(try problem("list-color", "Play", "red").hasPrefix("there is no list “Play”"))

    for (text, priority) in [("c", "B"), ("a", "C"), ("b", "A")] {
      _ = try said("add", text, "--priority", priority, "--list", "Work")
    }
    #expect(try said("list-sort", "Work", "text") == "“Work” is kept sorted by text from now on.\n")
    #expect(try said("list", "--list", "Work") == "[ ] a\n[ ] b\n[ ] c\n")
    #expect(try said("list-sort", "Work", "priority") == "“Work” is kept sorted by priority from now on.\n")
    _ = try said("add", "d", "--priority", "A", "--list", "Work")
    #expect(try said("list", "--list", "Work") == "[ ] b\n[ ] d\n[ ] c\n[ ] a\n")
    #expect(try said("list-sort", "Work", "off") == "“Work” keeps the order that you give it.\n")
    #expect(try problem("list-sort", "Work", "size") == "“size” is no order: due, priority, text, off")

    #expect(
      try said("search-save", "dairy", "milk")
        == "tasks search --saved finds “milk” as “dairy” from now on.\n")
    #expect(try said("search", "--saved", "dairy").contains("Buy milk"))
    #expect(try said("search-save", "dairy") == "“dairy” is no longer a search; it was “milk”.\n")
    #expect(try problem("search-save", "dairy") == "no search has the name “dairy”")
  }

  @Test("A name has one line, and no white space around it, so that there is no second list of that name")
  func names() throws {
    #expect(try said("list-add", " Work\n") == "Added the list “Work”.\n")
    #expect(try problem("list-add", "Work ") == "there is a list “Work” already")
    #expect(try problem("list-rename", "My Tasks", " Work") == "there is a list “Work” already")
    #expect(try said("search-save", " a\nb ", "milk").hasSuffix("as “a b” from now on.\n"))
    #expect(try said("search", "--saved", "a b").contains("Buy milk"))
    let long = String(repeating: "x", count: 1_001)
    #expect(try problem("search-save", long, "milk") == "The name of a search has at most 1,000 bytes")
  }

  @Test("A cleared task is opened again in its list, or in the first one where that was deleted")
  func clearedTask() throws {
    #expect(try run(["list-add", "Work"]).status == 0)
    for text in ["plan", "write"] {
      #expect(try run(["add", "--list", "Work", text]).status == 0)
      #expect(try run(["done", text]).status == 0)
    }
    #expect(try run(["clear", "--list", "Work"]).status == 0)
    #expect(try said("undone", "plan") == "Opened “plan” again in “Work”.\n")
    #expect(try run(["list-delete", "Work"]).status == 0)
    #expect(try said("undone", "write") == "Opened “write” again in “My Tasks”.\n")
  }

  @Test("A repetition is shown in the words that were typed, whatever the month of its next date has")
  func repetitionWords() throws {
    #expect(try said("edit", "milk", "--repeat", "every month from 31 january").contains("every month."))
    #expect(try run(["done", "milk"]).status == 0)
    #expect(try !said("list", "--details").contains("31st"))
  }

  @Test("A task is meant by words of its text or the beginning of its id, if no other has them")
  func choosing() throws {
    #expect(try run(["done", "milk"]).status == 0)
    #expect(try said("ls") == "[ ] Buy bread\n[ ] Call Anna\n[x] Buy milk\n")
    #expect(try said("undone", "MILK") == "Opened “Buy milk” again.\n")
    #expect(
      try problem("undone", "milk") == "there is no completed task “milk”; give a part of its text, or its id"
    )
    let ambiguous = try problem("done", "buy")
    #expect(ambiguous.hasPrefix("more than one open task has “buy”: “Buy "), "\(ambiguous)")
    #expect(ambiguous.contains("“Buy milk”") && ambiguous.contains("“Buy bread”"), "\(ambiguous)")
    // What it offers instead works.
    let id = try #require(ambiguous.split(separator: " ").last)
    #expect(id.count == 8)
    #expect(try run(["done", String(id)]).status == 0)
    #expect(try said("undo").hasPrefix("Undid: completing “Buy "))
    #expect(
      try problem("delete", "cheese") == "there is no task “cheese”; give a part of its text, or its id")
    #expect(try run(["add", "Buy"]).status == 0)
    #expect(try said("delete", "Buy") == "Deleted “Buy”; tasks undo brings it back.\n")
    #expect(try run(["add", "-"], input: "Twice\nTwice\n").status == 0)
    let twice = try problem("rm", "Twice")
    let ids = twice.split(separator: ": ").last?.split(separator: ", ").map(String.init) ?? []
    #expect(twice.hasPrefix("more than one open task is called “Twice”; say which by its id: "))
    #expect(ids.count == 2)
    for id in ids { #expect(try run(["rm", id]).status == 0) }
    #expect(try said("list").split(separator: "\n").count == 3)
  }

  @Test("Each change is undone and done again from the command line")
  func undo() throws {
    let before = try said("list", "--json")
    let changes: [([String], String)] = [
      (["edit", "milk", "Buy", "oat milk"], "“Buy milk” is “Buy oat milk” now.\n"),
      (["edit", "milk", "--due", "tomorrow"], "“Buy milk” is now due tomorrow.\n"),
      (
        ["edit", "milk", "--priority", "A", "--notes", "2 l", "Buy milk today"],
        "“Buy milk” is “Buy milk today” now, due today, priority A, with a note.\n"
      ),
      (["delete", "bread"], "Deleted “Buy bread”; tasks undo brings it back.\n"),
      (["list-add", "Work"], "Added the list “Work”.\n"),
      (["list-rename", "My Tasks", "Home"], "Renamed the list “My Tasks” to “Home”.\n"),
      (["list-delete", "My Tasks"], "Deleted “My Tasks” with 3 tasks; tasks undo brings them back.\n"),
    ]
    for (arguments, sentence) in changes {
      #expect(try run(arguments) == .init(status: 0, output: sentence, errors: ""))
      #expect(try said("undo").hasPrefix("Undid: "))
      #expect(try said("redo").hasPrefix("Redid: "))
      #expect(try said("undo").hasPrefix("Undid: "))
      #expect(try said("list", "--json") == before && said("lists") == "My Tasks\n", "\(arguments)")
    }
    #expect(try said("undo") == "Undid: adding 3 rows.\n")
    #expect(try problem("undo") == "There is nothing to undo")
    #expect(try said("redo") == "Redid: adding 3 rows.\n")
    #expect(try said("redo") == "Redid: deleting “My Tasks”.\n")
    #expect(try problem("redo") == "There is nothing to redo")
  }

  @Test("A window undoes what the command line did")
  func undoInWindow() throws {
    #expect(try said("edit", "milk", "Buy oat milk").contains("Buy oat milk"))
    #expect(try run(["--plain"], input: "undo\nquit\n").status == 0)
    #expect(try said("list").hasPrefix("[ ] Buy milk\n"))
  }

  @Test("What edit removes is gone, what is so already is told, and what is no value changes nothing")
  func editing() throws {
    #expect(
      try run(["add", "--due", "today", "--repeat", "every week", "--notes", "n", "Water"]).status == 0)
    #expect(
      try said("edit", "water", "--repeat", "none", "--notes", "")
        == "“Water” is now not repeated, without a note.\n")
    #expect(try said("edit", "water", "--due", "none") == "“Water” is now without a date.\n")
    #expect(try problem("edit", "water", "--due", "none") == "nothing was changed: it is so already")
    #expect(
      try problem("edit", "water", "--due", "none", "--repeat", "weekly")
        == "a task that repeats needs a date: leave out --due none, or --repeat")
    #expect(try problem("edit", "water", "Water") == "nothing was changed: it is so already")
    // A date that is said is that of the task, also where a repetition has a first one.
    let friday = "every friday from 1 march"
    _ = try said("add", "--due", "2031-03-14 9:00", "--repeat", friday, "Bins")
    #expect(try said("show", "bins").contains("due: Friday 14 March 2031, 9:00"))
    _ = try said("edit", "bins", "--due", "2031-03-21", "--repeat", friday)
    #expect(try said("show", "bins").contains("due: Friday 21 March 2031"))
    for option in ["--due", "--repeat", "--priority"] {
      #expect(try problem("edit", "water", option, "nonsense", "Never").contains("nonsense"))
    }
    #expect(try said("show", "water").hasPrefix("[ ] Water\n    list: My Tasks\n    id: "))
    #expect(try run(["done", "water"]).status == 0)
    #expect(try problem("edit", "water", "x").hasPrefix("there is no open task “water”"))
  }

  @Test("A task is moved to another list; completed ones are cleared; words are searched for")
  func moving() throws {
    #expect(try said("list-add", "Work") == "Added the list “Work”.\n")
    #expect(try problem("list-add", "Work") == "there is a list “Work” already")
    #expect(try said("list-add", "At\nhome") == "Added the list “At home”.\n")
    #expect(
      try said("list-rename", "At home", "On\nthe road") == "Renamed the list “At home” to “On the road”.\n")
    #expect(try problem("list-rename", "Work", "My Tasks") == "there is a list “My Tasks” already")
    #expect(try said("mv", "anna", "--to", "Work") == "Moved “Call Anna” to “Work”.\n")
    #expect(try problem("mv", "anna", "--to", "Work") == "nothing was changed: it is so already")
    #expect(try problem("mv", "anna", "--to", "Play").hasPrefix("there is no list “Play”"))
    #expect(try said("search", "anna", "call") == "[ ] Call Anna  (Work)\n")
    #expect(try problem("search", "--list", "My Tasks", "anna") == "no task has “anna”")
    #expect(try said("search", "nothing", "--json") == "{\"version\":1,\"tasks\":[\n]}\n")
    #expect(try said("list", "--list", "Work") == "[ ] Call Anna\n")
    #expect(try problem("delete", "--list", "Work", "milk").hasPrefix("there is no task “milk”"))
    #expect(try run(["done", "milk"]).status == 0)
    #expect(try said("clear") == "Cleared “Buy milk”; tasks undo brings it back.\n")
    #expect(try problem("clear") == "there is no completed task in the list")
    #expect(try said("undo") == "Undid: clearing “Buy milk”.\n")
    #expect(try run(["add", "--under", "bread", "Find the basket"]).status == 0)
    #expect(
      try said("show", "bread").split(separator: "\n").filter { !$0.contains("id:") }
        == ["[ ] Buy bread", "    list: My Tasks", "    [ ] Find the basket"])
    #expect(
      try said("rm", "bread") == "Deleted “Buy bread” with 1 subtask; tasks undo brings them back.\n")
    #expect(try said("list-delete", "Work") == "Deleted “Work” with 1 task; tasks undo brings them back.\n")
  }

  @Test("Without a terminal, tasks prints the list")
  func withoutTerminal() throws {
    #expect(
      try run([]) == .init(status: 0, output: "[ ] Buy milk\n[ ] Buy bread\n[ ] Call Anna\n", errors: ""))
  }

  @Test("Each command has its help, by itself and by its option, in lines that a terminal has room for")
  func help() throws {
    for command in Subcommand.allCases {
      let text = try said("help", command.rawValue)
      #expect(text.hasPrefix("Usage: tasks \(command.rawValue)"), "\(text)")
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
      for name in command.names { #expect(try said(name, "--help") == text) }
    }
    #expect(try problem("dance", status: 2) == "there is no command “dance”; see tasks --help")
  }
}
