import FoundationEssentials
import LiveStore
import TasksModel
import Testing
import VisibleText

@testable import TasksTUI

/// Any text is an id, compared as it is: other programs make their own.
@Suite("Ids that other programs have made")
final class ForeignIdentifierTests {
  private static let texts = [
    "5d41402a-bc4b-4a76-b971-9d911017c592", "x", "", "1", "e\u{301}", "é", " a b ",
    "\u{1B}]0;HOSTILE\u{7}\n\t\u{202E}", String(repeating: "long ", count: 20_000),
  ]
  /// As SQL: bytes, and a text that is not UTF-8.
  private static let others = ["x'00FF'", "CAST(x'FF41' AS TEXT)"]

  private let folder = TemporaryFolder()
  private let file: String
  private let tasks = ChildProcess.tasks
  private let database: ForeignDatabase

  init() throws {
    file = folder("tasks.db")
    try TasksStore(path: file, scheduler: .fileDescriptor(NotificationSource())).close()
    database = try ForeignDatabase(file)
    for (number, id) in Self.texts.enumerated() {
      try database.run("INSERT INTO TaskItem (id, text) VALUES (?, 'text \(number)')", id)
      try database.run("INSERT INTO TaskList_items (owner, target) SELECT id, ? FROM TaskList", id)
    }
    for (number, id) in Self.others.enumerated() {
      try database.run("INSERT INTO TaskItem (id, text) VALUES (\(id), 'other \(number)')")
      try database.run("INSERT INTO TaskList_items (owner, target) SELECT id, \(id) FROM TaskList")
    }
  }

  /// Texts and whether they are completed, in the order of the list.
  private func rows() throws -> [[String]] {
    try database.run(
      """
      SELECT hex(task.id), task.text, task.completed FROM TaskList_items entry
      JOIN TaskItem task ON task.id = entry.target ORDER BY entry.position, entry.target
      """)
  }

  @Test("A row with any id is changed, moved and deleted, and all of it is taken back")
  func operations() throws {
    let store = try TasksStore(path: file, scheduler: .fileDescriptor(NotificationSource()))
    defer { store.close() }
    let place = Place.tasks(inList: TaskList.firstListID)
    let before = try rows()
    let ids = try #require(store.list(TaskList.firstListID)).items.map(\.id)
    #expect(ids.count == Self.texts.count + Self.others.count && Set(ids).count == ids.count)
    #expect(
      ids.compactMap(\.text).map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        == Self.texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    for (index, id) in ids.enumerated() {
      let text = try #require(store.task(id)?.text)
      func expect(_ change: [[String]], _ comment: Comment) throws {
        #expect(try rows() == change, comment)
        guard case .done = try store.undo(showing: RowScope(place)) else {
          Issue.record("it cannot be undone: \(comment)")
          return
        }
        #expect(try rows() == before, comment)
      }
      #expect(store.task(id)?.id == id && store.place(ofTask: id) == place)
      try store.edit(id, in: RowScope(place), text: "other text")
      var changed = before
      changed[index][1] = "other text"
      try expect(changed, "edit \(text)")
      try store.toggleCompleted([id], in: RowScope(place))
      changed = before
      changed.append(changed.remove(at: index))
      changed[changed.count - 1][2] = "1"
      try expect(changed, "complete \(text)")
      try store.delete([id], in: RowScope(place))
      changed = before
      changed.remove(at: index)
      try expect(changed, "delete \(text)")
      let offset = index == 0 ? 1 : -1
      try store.move([id], in: RowScope(place), by: offset)
      changed = before
      changed.swapAt(index, index + offset)
      try expect(changed, "move \(text)")
    }
  }

  @Test(
    "The command line completes a row by its id, adds below it, and prints it so that it can be read back")
  func commandLine() throws {
    func run(_ arguments: String...) throws -> ChildProcess.Outcome {
      try ChildProcess.run([tasks, "--file", file] + arguments)
    }
    struct Printed: Decodable {
      struct Row: Decodable { var id: String }
      var tasks: [Row]
    }
    let listed = try run("list", "--json")
    #expect(listed.status == 0)
    let ids = try JSONDecoder().decode(Printed.self, from: Data(listed.output.utf8)).tasks.map {
      Array($0.id.utf8)
    }
    #expect(Self.texts.allSatisfy { ids.contains(Array($0.utf8)) })
    // An empty operand is a mistake of who typed it, and an argument has an end.
    for id in Self.texts where (1..<1000).contains(id.utf8.count) {
      let added = try run("add", "--under", id, "below")
      #expect(added.status == 0, "\(id): \(added.errors)")
      #expect(
        try database.run("SELECT count(*) FROM TaskItem_subtasks WHERE owner = ?", id) == [["1"]], "\(id)")
      #expect(try run("done", id) == .init(status: 0, output: id.withControlsMadeVisible + "\n", errors: ""))
      #expect(try database.run("SELECT completed FROM TaskItem WHERE id = ?", id) == [["1"]], "\(id)")
    }
    try database.run("INSERT INTO TaskList (id, text) VALUES ('work', 'Work at home')")
    try database.run("INSERT INTO TaskListList_items (owner, target) VALUES (0, 'work')")
    #expect(try run("add", "--list", "work", "by id").status == 0)
    #expect(try run("list", "--list", "Work at home").output == "[ ] by id\n")
  }

  @Test("The app does so by keys, moves rows to such a list and opens it again at the next start")
  func app() throws {
    let app = try AppHarness(stateFile: true)
    let database = try ForeignDatabase(app.folder("tasks.db"))
    try database.run("INSERT INTO TaskItem (id, text) VALUES ('1', 'one'), ('b', 'two')")
    try database.run("INSERT INTO TaskList_items (owner, target) SELECT id, '1' FROM TaskList")
    try database.run("INSERT INTO TaskList_items (owner, target) SELECT id, 'b' FROM TaskList")
    // Its id is the text of another list.
    try database.run("INSERT INTO TaskList (id, text) VALUES ('My Tasks', 'Work')")
    try database.run("INSERT INTO TaskListList_items (owner, target) VALUES (0, 'My Tasks')")
    try app.settle()
    try app.press("g", "e")
    app.type("!")
    try app.press("Enter", "x")
    #expect(app.line == "two [one!]")
    try app.press("u", "u")
    #expect(app.line == "one two")
    try app.press("g", ">")
    app.type("Work")
    try app.press("Enter")
    #expect(app.line == "two")
    #expect(try database.run("SELECT owner FROM TaskList_items WHERE target = '1'") == [["My Tasks"]])
    let state = try #require(
      StateFile(database: app.folder("tasks.db"), environment: ["HOME": app.folder.path]))
    for text in Self.texts where text.utf8.count < 1000 {
      state.remember(list: Identifier(text))
      #expect(state.lastList == Identifier(text))
    }
  }

  @Test("A row whose id changes while its text is typed keeps the text, and gets it at Enter")
  func changedWhileEdited() throws {
    let app = try AppHarness(["one", "two"])
    let database = try ForeignDatabase(app.folder("tasks.db"))
    try app.press("g", "e")
    app.type(" and")
    try database.run("UPDATE TaskItem SET id = 'other' WHERE text = 'one'")
    try app.settle()
    app.type(" more")
    try app.press("Enter")
    #expect(app.line == "one and more two")
    #expect(try database.run("SELECT text FROM TaskItem WHERE id = 'other'") == [["one and more"]])
  }

  @Test("What an undo step keeps of an id is what it was")
  func coding() throws {
    let ids =
      Self.texts.map { Identifier($0) } + [
        Identifier(sqliteValue: .blob([0, 255])), Identifier(sqliteValue: .malformedText([255, 65])),
      ]
    let decoded = try JSONDecoder().decode([Identifier].self, from: JSONEncoder().encode(ids))
    #expect(decoded == ids)
  }

  @Test("Other windows are told of a row by any id that fits on a line", arguments: texts)
  func windows(text: String) {
    let state = WindowState(author: "anna", terminal: "", activity: .editing(Identifier(text)))
    let isTold = (1...64).contains(text.utf8.count) && !text.utf8.contains { $0 < 0x20 }
    #expect(
      WindowState(bytes: state.bytes)?.activity == (isTold ? .editing(Identifier(text)) : .looking))
    #expect(state.bytes.count == WindowState.size)
  }
}
