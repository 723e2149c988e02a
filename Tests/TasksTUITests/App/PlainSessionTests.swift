import Foundation
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Lines of words")
final class PlainSessionTests {
  private let folder = TemporaryFolder()
  private let store: TasksStore
  private var told: [String] = []
  private var session: PlainSession!

  init() throws {
    let notifications = NotificationSource()
    store = try TasksStore(path: folder("tasks.db"), scheduler: .fileDescriptor(notifications))
    let app = App(store: store, appearance: Appearance(isAnimated: false), clock: { .zero })
    session = PlainSession(app: app, store: store, notifications: notifications) { [unowned self] in
      told.append($0)
    }
    try session.begin()
    #expect(
      take() == [
        "My Tasks", "No rows", "Type help for the commands, rows to read the rows, and quit to leave.",
      ])
  }

  private func take() -> [String] {
    defer { told = [] }
    return told
  }

  /// The lines that are printed after a line.
  private func say(_ line: String) throws -> [String] {
    try session.handle(line)
    return take()
  }

  private var tasks: [TaskItem] { store.list(TaskList.firstListID).map { Array($0.items) } ?? [] }

  @Test("Commands, counts and keys do what they do anywhere, and every change is said")
  func commands() throws {
    #expect(
      try say("add Buy milk") == ["Added: Buy milk, 1 of 1", "My Tasks, 1 open", "1 of 1: Buy milk"])
    #expect(
      try say("add Call mother")
        == ["Added: Call mother, 2 of 2", "My Tasks, 2 open", "2 of 2: Call mother"])
    #expect(try say("k") == ["1 of 2: Buy milk"])
    // Of two rows that change places either has moved.
    let moved = try say("move-down")
    #expect(moved.first?.hasPrefix("Moved: ") == true && moved.last == "2 of 2: Buy milk")
    let completed = try say("x")
    #expect(completed.contains("Completed: Buy milk") && completed.contains("My Tasks, 1 open"))
    #expect(try say("u").contains("Opened again: Buy milk"))
    #expect(try say(":edit Buy oat milk").contains("Changed: Buy milk, to: Buy oat milk"))
    let deleted = try say("1 first").isEmpty ? [] : try say("2d")
    #expect(deleted.contains("Deleted: Buy oat milk") && deleted.contains("Deleted: Call mother"))
    #expect(deleted.last == "No rows")
    _ = try say("add Plan the party")
    #expect(try say("l") == ["My Tasks › Plan the party", "No rows"])
    #expect(
      try say("add Cake") == ["Added: Cake, 1 of 1", "My Tasks › Plan the party, 1 open", "1 of 1: Cake"])
    #expect(
      try say("h") == ["My Tasks, 1 open", "1 of 1: Plan the party, 0 of 1 subtask completed"])
    #expect(
      try say(":subtask Music") == [
        "Changed: Plan the party, 0 of 2 subtasks completed", "Added below “Plan the party”.",
        "1 of 1: Plan the party, 0 of 2 subtasks completed",
      ])
    _ = try say("d")
    #expect(try say("nonsense") == ["There is no command “nonsense”.", "No rows"])
  }

  @Test("A text is asked for when it is missing; an empty line keeps it, Esc gives up")
  func typing() throws {
    #expect(try say("a") == ["Type the text of the row"])
    #expect(try say("quit smoking").contains("Added: quit smoking, 1 of 1"))
    #expect(try say("edit").last == "Type the new text of: quit smoking")
    #expect(try say("").last == "1 of 1: quit smoking")
    #expect(try say("e").last == "Type the new text of: quit smoking")
    #expect(try say("quit").contains("Changed: quit smoking, to: quit"))
    _ = try say("add")
    #expect(try say("Esc").last == "1 of 1: quit")
    #expect(tasks.map(\.text) == ["quit"])
  }

  @Test("Other lists, a move to one by its name, and a search")
  func places() throws {
    _ = try say("add Buy milk")
    #expect(try say("lists") == ["Lists", "1 of 1: My Tasks, 1 open"])
    _ = try say("add Work")
    #expect(try say("Enter") == ["Work", "No rows"])
    _ = try say("h")
    _ = try say("up")
    _ = try say("Enter")
    #expect(try say(">").last == "Move to list: One of: Work")
    #expect(try say("wo").contains("Moved “Buy milk” to “Work”."))
    // Not found in the list, it is searched for in all.
    let found = try say("search milk")
    #expect(found == ["All lists, 1 match", "Buy milk. An empty line goes to the first, Esc leaves"])
    #expect(try say("").contains("Work, 1 open"))
  }

  @Test("A search that finds nothing ends, and the next line is a command again")
  func vainSearch() throws {
    _ = try say("add Buy milk")
    #expect(try say("search xyzzy").contains("Nothing found."))
    #expect(try say("add Bread").contains("Added: Bread, 2 of 2"))
    _ = try say("/")
    #expect(try say("plugh").contains("Nothing found."))
    #expect(try say("d").contains("Deleted: Bread"))
  }

  @Test("rows reads all rows")
  func rows() throws {
    #expect(try say("rows") == ["No rows"])
    _ = try say("add Buy milk")
    _ = try say("add Bread")
    _ = try say("complete")
    #expect(try say("rows") == ["1 of 2: Buy milk", "2 of 2: Bread, completed"])
  }

  @Test("A row of tasks of several lists is said with its list; a tag is not asked for where there is none")
  func collected() throws {
    _ = try say("add Bread")
    _ = try say("due today")
    let today = try say("today")
    #expect(today.last == "1 of 1: Bread, due today, My Tasks")
    let tag = try say("tag")
    #expect(tag.contains("No task has a tag; a word with # before it in a text is one."))
    // There is no prompt that would take it.
    #expect(try say("rows") == today.suffix(1))
    #expect(try say("priority") == ["Priority: One of: A, B, C, none"])
    #expect(try say("high up") == ["Priority: A priority is A, B, C or none."])
    #expect(try say("A").contains("1 of 1: Bread, due today, My Tasks"))
  }

  @Test("Changes of tasks of several lists are said as those of tasks, and those that leave by what was done")
  func collectedChanges() throws {
    let place = Place.tasks(inList: TaskList.firstListID)
    let today = Calendar.current.startOfDay(for: Date())
    for text in ["Bread", "Milk", "Eggs"] { try store.add(text, to: place, date: today) }
    _ = try say("today")
    func id(_ text: String) throws -> Identifier { try #require(tasks.first { $0.text == text }).id }
    let other = try TasksStore(
      path: folder("tasks.db"), scheduler: .fileDescriptor(NotificationSource()), author: "another person")
    try other.edit(id("Bread"), in: RowScope(place), text: "Rye bread")
    #expect(try say("first").first == "Changed: Bread, to: Rye bread")
    try other.toggleCompleted([id("Milk")], in: RowScope(place))
    #expect(try say("first").first == "Completed: Milk")
    try other.setDate([id("Eggs")], in: RowScope(place), to: nil)
    #expect(try say("first").first == "Gone from here: Eggs")
    try other.delete([id("Rye bread")], in: RowScope(place))
    #expect(try say("first").first == "Deleted: Rye bread")
    #expect(try say("done").contains("Done, 1 task"))
    #expect(try say("x").first == "Opened again: Milk")
  }

  @Test("What others change is said too, and many changes are counted")
  func foreign() throws {
    let place = Place.tasks(inList: TaskList.firstListID)
    let other = try TasksStore(
      path: folder("tasks.db"), scheduler: .fileDescriptor(NotificationSource()), author: "another person")
    try other.add("theirs", to: place)
    #expect(try say("first").contains("Added: theirs, 1 of 1"))
    try other.add((0..<30).map { "row \($0)" }, to: place)
    #expect(try say("first").contains("Added 30 rows"))
    let id = try #require(other.list(TaskList.firstListID)?.items.first?.id)
    try other.delete([id], in: RowScope(place))
    #expect(try say("first").contains("Deleted: theirs"))
    try other.add("Work", to: .lists)
    let work = try #require(other.lists.first { $0.text == "Work" }).id
    try other.add("moved", to: place)
    #expect(try say("first").contains("Added: moved, 31 of 31"))
    let moved = try #require(other.list(TaskList.firstListID)?.items.last?.id)
    try other.move([moved], in: RowScope(place), toList: work)
    #expect(try say("first").contains("Gone from here: moved"))
    try other.delete([TaskList.firstListID], in: RowScope(.lists))
    let told = try say("first")
    #expect(told.contains { $0.contains("was deleted elsewhere") } && told.contains("Lists"))
  }

  @Test("Help tells every command and setting")
  func help() throws {
    let told = try say("help").joined(separator: "\n")
    for description in CommandTable.all { #expect(told.contains(description.help)) }
    for setting in SettingTable.all { #expect(told.contains(setting.help)) }
    #expect(try say("?").isEmpty == false)
  }

  @Test(
    "A saved configuration is taken over, and what is wrong in it is said; lines are typed by the usual keys all the same"
  )
  func configuration() throws {
    let state = folder("state")
    let environment = ["TASKS_FILE": folder("piped.db"), "XDG_STATE_HOME": state, "XDG_CONFIG_HOME": state]
    try FileManager.default.createDirectory(atPath: state + "/tasks", withIntermediateDirectories: true)
    func save(_ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: state + "/tasks/config.toml"), options: .atomic)
    }
    let session = try ChildProcess([ChildProcess.tasks, "--plain"], environment: environment)
    func expect(_ words: String) throws {
      while let line = try session.readLine() {
        if line == words { return }
      }
      Issue.record("never said: \(words)")
    }
    try expect("Type help for the commands, rows to read the rows, and quit to leave.")
    try save("[keys]\ndelete = \"F9\"\n[keys.editing]\nend = \"F2\"\ncut-to-start = \"F3\"\nkeep = \"F4\"\n")
    try expect("Reloaded config.toml.")
    session.write(Array("add Buy milk\nedit\nBuy oat milk\n".utf8))
    try expect("Changed: Buy milk, to: Buy oat milk")
    session.write(Array("F9\n".utf8))
    try expect("Deleted: Buy oat milk")
    try save("mouse = 5\n")
    try expect("config.toml:1: mouse is true or false. The settings stay as they were.")
    session.write(Array("quit\n".utf8))
    #expect(try session.finish().status == 0)
  }

  @Test("It works over a pipe: lines in, words out, and the status of quit")
  func pipe() throws {
    let tasks = ChildProcess.tasks
    let environment = [
      "TASKS_FILE": folder("piped.db"), "XDG_STATE_HOME": folder("state"), "XDG_CONFIG_HOME": folder("state"),
    ]
    let outcome = try ChildProcess.run(
      [tasks, "--plain"], input: "add Buy milk\r\nadd \u{1B}[31mred\nx\nquit\nadd never\n",
      environment: environment)
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output.contains("Added: Buy milk, 1 of 1\n") && !outcome.output.contains("\u{1B}"))
    #expect(!outcome.output.contains("never"))
    // The end of the input is an end too, also in the middle of a line.
    let second = try ChildProcess.run([tasks, "--plain"], input: "add last", environment: environment)
    #expect(second.status == 0 && second.output.contains("Added: last, "))
    let third = try ChildProcess.run(
      [tasks, "--plain", "--read-only"], input: "add no\n", environment: environment)
    #expect(third.output.contains("This window is read-only."))
    let list = try ChildProcess.run([tasks, "list"], environment: environment)
    #expect(list.output.contains("last") && !list.output.contains("no\n"))
    #expect(try ChildProcess.run([tasks, "--plain", "--script", "x"]).status == 2)
  }
}
