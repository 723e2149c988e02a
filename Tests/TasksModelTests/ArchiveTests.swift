import FoundationEssentials
import LiveStore
import TestSupport
import Testing

@testable import TasksModel

@Suite("The archive, and what was done")
struct ArchiveTests {
  private let moment = Date(timeIntervalSince1970: 1_795_000_000)

  private func fixture(_ tasks: String) throws -> TasksStoreFixture {
    let rows = try TasksStoreFixture(tasks: tasks)
    rows.store.dates = DateReader(calendar: LocalCalendar(secondsFromGMT: 0), now: { [moment] in moment })
    return rows
  }

  private func archive(_ rows: TasksStoreFixture) -> [String] { rows.store.archive?.items.map(\.text) ?? [] }

  @Test("Completing keeps the moment, opening forgets it, and undo and redo have the one that was")
  func moments() throws {
    let rows = try fixture("a b")
    let scope = RowScope(rows.place)
    try rows.store.add("s", to: .subtasks(of: rows.id("a")))
    try rows.store.toggleCompleted([rows.id("a")], in: scope)
    #expect(rows.tasks.map(\.completedAt) == [nil, moment])
    #expect(try rows.store.task(rows.id("a"))?.subtasks.first?.completedAt == moment)
    rows.store.dates = DateReader(now: { [moment] in moment + 60 })
    _ = try rows.store.undo(showing: scope)
    #expect(rows.line == "a b" && rows.tasks.map(\.completedAt) == [nil, nil])
    _ = try rows.store.redo(showing: scope)
    #expect(rows.line == "b A" && rows.tasks.map(\.completedAt) == [nil, moment])
    try rows.store.toggleCompleted([rows.id("a")], in: scope)
    #expect(rows.line == "b a" && rows.tasks.map(\.completedAt) == [nil, nil])
    _ = try rows.store.undo(showing: scope)
    #expect(rows.line == "b A" && rows.tasks.map(\.completedAt) == [nil, moment])
    try rows.store.complete([rows.id("b")])
    #expect(try rows.store.doneTasks().map(\.text) == ["b", "a", "s"])
  }

  @Test("The next task of one that repeats, and its subtasks, have no moment")
  func repeating() throws {
    let rows = try fixture("a")
    let scope = RowScope(rows.place)
    try rows.store.add("s", to: .subtasks(of: rows.id("a")))
    let subtask = try #require(try rows.store.task(rows.id("a"))?.subtasks.first).id
    try rows.store.setRepetition([rows.id("a")], in: scope, to: rows.store.dates.readRepetition("every day"))
    try rows.store.toggleCompleted([subtask], in: RowScope(.subtasks(of: rows.id("a"))))
    try rows.store.toggleCompleted([rows.id("a")], in: scope)
    #expect(rows.tasks.map(\.completedAt) == [nil, moment])
    #expect(rows.tasks.map { $0.subtasks.first?.completedAt } == [nil, moment])
  }

  @Test("Clearing moves tasks to the top of the archive in their order, with all that they have")
  func clearing() throws {
    let rows = try fixture("a B C")
    let scope = RowScope(rows.place)
    let first = try rows.id("b")
    try rows.store.setNotes(first, to: "note")
    let edit = try rows.store.clearCompleted(in: scope)
    #expect(edit.changes.deletions == [1, 2] && edit.before.map(\.text) == ["B", "C"])
    try rows.store.toggleCompleted([rows.id("a")], in: scope)
    try rows.store.clearCompleted(in: scope)
    #expect(rows.line == "" && archive(rows) == ["a", "B", "C"])
    #expect(rows.store.task(first)?.notes == "note")
    #expect(rows.store.task(first)?.archivedFrom == TaskList.firstListID.description)
    #expect(try rows.store.clearCompleted(in: scope).noChange == .nothingCompleted)
    for (line, cleared) in [("A", ["B", "C"]), ("a", ["B", "C"]), ("a B C", [])] {
      _ = try rows.store.undo(showing: scope)
      #expect(rows.tasks.map(\.text).joined(separator: " ").lowercased() == line.lowercased())
      #expect(archive(rows) == cleared)
    }
    #expect(rows.store.task(first)?.archivedFrom == "")
    for _ in 0..<3 { _ = try rows.store.redo(showing: scope) }
    #expect(rows.line == "" && archive(rows) == ["a", "B", "C"])
    #expect(!rows.store.lists.contains { $0.id == TaskList.archiveID })
  }

  @Test("A cleared subtask, and the tasks of a cleared list, return to that list, or to the first one")
  func bringingBack() throws {
    let rows = try fixture("a")
    let archived = RowScope(.archive)
    let work = try #require(try rows.store.add("work", to: .lists).rowID)
    let task = try #require(try rows.store.add("w", to: .tasks(inList: work)).rowID)
    let subtask = try #require(try rows.store.add("s", to: .subtasks(of: task)).rowID)
    try rows.store.toggleCompleted([subtask], in: RowScope(.subtasks(of: task)))
    try rows.store.clearCompleted(in: RowScope(.subtasks(of: task)))
    #expect(archive(rows) == ["s"])
    try rows.store.toggleCompleted([subtask], in: archived)
    #expect(rows.store.list(work)?.items.map(\.text) == ["w", "s"] && archive(rows) == [])
    #expect(rows.store.task(subtask)?.completed == false && rows.store.task(subtask)?.completedAt == nil)
    try rows.store.toggleCompleted([work], in: RowScope(.lists))
    try rows.store.toggleCompleted([task, subtask], in: RowScope(.tasks(inList: work)))
    let edit = try rows.store.clearCompleted(in: RowScope(.lists))
    #expect(edit.before.map(\.text) == ["w", "s", "work"] && archive(rows) == ["w", "s"])
    guard case .done(let undone) = try rows.store.undo(showing: RowScope(.lists)) else {
      Issue.record("nothing to undo")
      return
    }
    #expect(undone.words == "clearing “work”" && rows.store.list(work)?.items.map(\.text) == ["w", "s"])
    _ = try rows.store.redo(showing: RowScope(.lists))
    #expect(rows.store.list(work) == nil && archive(rows) == ["w", "s"])
    try rows.store.toggleCompleted([task, subtask], in: archived)
    #expect(rows.line == "a w s")
    _ = try rows.store.undo(showing: archived)
    #expect(rows.line == "a" && archive(rows) == ["w", "s"])
    #expect(rows.store.task(task)?.archivedFrom == work.description)
    try rows.store.delete([TaskList.firstListID], in: RowScope(.lists))
    #expect(throws: Refusal.noListToReturnTo) { try rows.store.toggleCompleted([task], in: archived) }
  }

  @Test("Open tasks of a cleared list, and their subtasks, are completed in the archive, and open after undo")
  func openTasks() throws {
    let rows = try fixture("a b")
    try rows.store.add("s", to: .subtasks(of: rows.id("a")), date: moment)
    try rows.store.setDate([rows.id("b")], in: RowScope(rows.place), to: moment)
    try rows.store.toggleCompleted([TaskList.firstListID], in: RowScope(.lists))
    #expect(try rows.store.openTasks(dueBefore: moment + 1).count == 2)
    try rows.store.clearCompleted(in: RowScope(.lists))
    #expect(archive(rows) == ["a", "b"] && rows.store.allTasks.allSatisfy(\.completed))
    #expect(try rows.store.openTasks(dueBefore: moment + 1).isEmpty && rows.store.doneTasks().isEmpty)
    _ = try rows.store.undo(showing: RowScope(.lists))
    #expect(rows.line == "a b" && rows.store.allTasks.allSatisfy { !$0.completed })
    #expect(rows.tasks[0].subtasks.map(\.text) == ["s"] && archive(rows) == [])
  }

  @Test("Nothing is added to the archive; a task moved out of it, or deleted there, is as elsewhere")
  func otherOperations() throws {
    let rows = try fixture("A B C")
    try rows.store.clearCompleted(in: RowScope(rows.place))
    let archived = RowScope(.archive)
    let ids = try #require(rows.store.archive).items.map(\.id)
    #expect(throws: Refusal.openRowInArchive) { try rows.store.add("x", to: .archive) }
    #expect(throws: Refusal.openRowInArchive) { try rows.store.add(["x"], to: .archive) }
    try rows.store.move([ids[0]], in: archived, toList: TaskList.firstListID)
    #expect(rows.line == "A" && rows.tasks[0].archivedFrom == "")
    try rows.store.delete([ids[1]], in: archived)
    #expect(archive(rows) == ["C"] && rows.store.allTasks.count == 2)
    try rows.store.store.write { rows.store.task(ids[2])?.tags = " home " }
    #expect(try rows.store.tasks(withTag: "home").isEmpty)
  }

  @Test("Whatever is completed, cleared, brought back and undone, no task is lost, and a model agrees")
  func random() throws {
    var random = SeededGenerator()
    for _ in 0..<12 {
      let rows = try fixture("a b c d e f g h")
      let names = rows.tasks.map(\.text)
      let scopes = [RowScope(rows.place), RowScope(.archive)]
      // The open tasks, the completed ones and the archive, and those before each action.
      typealias State = [[String]]
      var model: State = [names, [], []]
      var (past, future): ([State], [State]) = ([], [])
      for _ in 0..<25 {
        let old = model
        var isAction = true
        func pick(_ part: Int) -> [String] {
          model[part].filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        }
        func ids(_ names: [String]) -> [Identifier] {
          Array(rows.store.allTasks).filter { names.contains($0.text) }.map(\.id)
        }
        func inOrder(_ names: [String], _ part: Int) -> [Identifier] {
          model[part].filter(names.contains).flatMap { ids([$0]) }
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          let names = pick(0)
          guard !names.isEmpty else { continue }
          try rows.store.toggleCompleted(inOrder(names, 0), in: scopes[0])
          model[0].removeAll(where: names.contains)
          model[1] += names
        case 2:
          guard !model[1].isEmpty else { continue }
          try rows.store.clearCompleted(in: scopes[0])
          (model[1], model[2]) = ([], model[1] + model[2])
        case 3:
          let names = pick(2)
          guard !names.isEmpty else { continue }
          let long = Bool.random(using: &random) ? LongAction() : nil
          try rows.store.toggleCompleted(inOrder(names, 2), in: scopes[1], partOf: long)
          model[2].removeAll(where: names.contains)
          model[0] += names
        case 4:
          guard let before = past.popLast() else { continue }
          _ = try rows.store.undo(showing: scopes[0])
          future.append(model)
          (model, isAction) = (before, false)
        default:
          guard let after = future.popLast() else { continue }
          _ = try rows.store.redo(showing: scopes[0])
          past.append(model)
          (model, isAction) = (after, false)
        }
        if isAction {
          past.append(old)
          future = []
        }
        #expect(rows.tasks.map(\.text) == model[0] + model[1], "\(random.comment)")
        #expect(archive(rows) == model[2], "\(random.comment)")
        #expect(rows.tasks.allSatisfy { $0.completed == ($0.completedAt != nil) }, "\(random.comment)")
        #expect(rows.store.allTasks.count == names.count, "\(random.comment)")
      }
    }
  }

  @Test(
    "A cleared task comes out of the archive, open, with the open subtask that another machine has put below it",
    arguments: ["a", "s"])
  func openSubtask(arrived: String) throws {
    let folder = TemporaryFolder()
    let store = try TasksStore(path: folder("tasks.db"), scheduler: .fileDescriptor(NotificationSource()))
    let place = Place.tasks(inList: TaskList.firstListID)
    let id = try #require(try store.add("a", to: place).rowID)
    try store.add("b", to: place)
    try store.add("t", to: .subtasks(of: id))
    try store.complete([id])
    try store.clearCompleted(in: RowScope(place))
    // As the agent does.
    try Connection(path: folder("tasks.db"), create: false).execute(
      """
      CREATE TABLE _livesync_author (number INTEGER PRIMARY KEY, type TEXT, key); BEGIN;
      INSERT INTO TaskItem (id, text) VALUES ('s', 's');
      INSERT INTO TaskItem_subtasks (owner, target) VALUES ('\(id)', 's');
      INSERT INTO _livesync_author (type, key) SELECT 'TaskItem', id FROM TaskItem WHERE text = '\(arrived)';
      COMMIT
      """)
    try store.store.refresh()
    try store.settleArrivals(after: 0)
    let task = try #require(store.task(id))
    #expect(store.archive?.items.isEmpty == true)
    #expect(store.list(TaskList.firstListID)?.items.map(\.text) == ["b", "a"])
    #expect(!task.completed && task.completedAt == nil && task.archivedFrom == "")
    #expect(Set(task.subtasks.map { "\($0.text) \($0.completed)" }) == ["t true", "s false"])
    let count = store.writeCount
    try store.settleArrivals(after: 0)
    #expect(store.writeCount == count)
  }

  @Test("An archive that holds nothing, as after the undo of clearing, is in no export")
  func emptyArchive() throws {
    let rows = try fixture("a B")
    func exported() throws -> String {
      var text = ""
      try rows.store.exportRecords(.jsonl) { text += $0 }
      return text
    }
    let before = try exported()
    try rows.store.clearCompleted(in: RowScope(rows.place))
    #expect(try exported() != before)
    _ = try rows.store.undo(showing: RowScope(rows.place))
    #expect(rows.line == "a B")
    #expect(try exported() == before)
  }

  @Test("JSON Lines have the moment; a file without an archive has none to search or doctor")
  func formats() throws {
    let (rows, copy) = (try fixture("a"), try fixture(""))
    try rows.store.toggleCompleted([rows.id("a")], in: RowScope(rows.place))
    var text = ""
    try rows.store.exportRecords(.jsonl) { text += $0 }
    #expect(text.contains("\"completedAt\":\"\(moment.formatted(.iso8601))\""))
    let values = try JSONDecoder().decode(
      RowValues.self, from: try JSONEncoder().encode(RowValues(rows.tasks[0])))
    #expect(values == RowValues(rows.tasks[0]) && values.details.completedAt == moment)
    #expect(copy.store.archive == nil && archive(copy) == [])
  }
}
