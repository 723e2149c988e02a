import FoundationEssentials
import LiveStore
import TestSupport
import Testing

@testable import TasksModel

/// The classes as they were in version 2 of the file.
private enum Version2 {
  final class TaskItem: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var text = ""
    @Persisted var date: Date?
    @Persisted var completed = false

    required init() { super.init() }
  }

  final class TaskList: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var text = ""
    @Persisted var date: Date?
    @Persisted var completed = false
    @Persisted var items: List<TaskItem>

    required init() { super.init() }
  }

  final class TaskListList: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var items: List<TaskList>

    required init() { super.init() }
  }

  final class UndoStep: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var author = ""
    @Persisted var action = ""
    @Persisted var rows = ""
    @Persisted(indexed: true) var isUndone = false

    required init() { super.init() }
  }

  static func open(_ path: String) throws -> Store {
    try Store(
      Store.Configuration(
        path: path, schemaVersion: 2, applicationID: TasksStore.applicationID,
        objectTypes: [TaskListList.self, TaskList.self, TaskItem.self, UndoStep.self]),
      scheduler: .fileDescriptor(NotificationSource()))
  }
}

@Suite("Versions of the file")
struct FileVersionTests {
  private func open(_ path: String) throws -> TasksStore {
    try TasksStore(path: path, scheduler: .fileDescriptor(NotificationSource()), author: "me")
  }

  @Test("A file of version 2 keeps what is in it, and what could be undone can be undone")
  func fromVersion2() throws {
    try withTemporaryFile { path in
      let date = Date(timeIntervalSince1970: 1_700_000_000)
      let id = UUID()
      let old = try Version2.open(path)
      try old.write {
        let lists = Version2.TaskListList()
        old.add(lists)
        let list = Version2.TaskList()
        (list.id, list.text) = (try #require(UUID(uuidString: TaskList.firstListID.description)), "Mine")
        lists.items.append(list)
        let task = Version2.TaskItem()
        (task.id, task.text, task.date) = (id, "Eat at 6pm", date)
        list.items.append(task)
        let plain = Version2.TaskItem()
        (plain.text, plain.completed) = ("Sleep at 10pm", true)
        list.items.append(plain)
        let step = Version2.UndoStep()
        (step.number, step.author, step.action) = (7, "me", "edit")
        let place = #"{"tasks":{"inList":"\#(TaskList.firstListID)"}}"#
        func state(_ text: String) -> String {
          #"{"place":\#(place),"index":0,"values":{"id":"\#(id.uuidString)","text":"\#(text)","#
            + #""date":\#(date.timeIntervalSinceReferenceDate),"completed":false,"tasks":[]}}"#
        }
        step.rows =
          "[{\"id\":\"\(id.uuidString)\",\"before\":\(state("Eat")),\"after\":\(state("Eat at 6pm"))}]"
        old.add(step)
      }
      old.close()

      let new = try open(path)
      let worker = try DateWorker(new)
      defer { worker.stop() }
      let tasks = try #require(new.list(TaskList.firstListID)).items
      #expect(tasks.map(\.text) == ["Eat at 6pm", "Sleep at 10pm"])
      #expect(tasks.map(\.date) == [date, nil] && tasks.map(\.completed) == [false, true])
      #expect(tasks.allSatisfy { $0.repetition.isEmpty && $0.repetitionOrigin == .unknown })
      // A text of long ago does not mean today.
      #expect(tasks.map(\.readText) == tasks.map(\.text) && tasks.map(\.dateOrigin) == [.unknown, .unknown])
      guard case .done = try new.undo(showing: RowScope(.tasks(inList: TaskList.firstListID))) else {
        Issue.record("what version 2 has kept could not be undone")
        return
      }
      #expect(tasks[0].text == "Eat" && tasks[0].date == date)
      new.close()
    }
  }

  @Test("An older program refuses a newer file with a sentence and leaves it as it is")
  func newerFile() throws {
    try withTemporaryFile { path in
      let new = try open(path)
      try new.add("a", to: .tasks(inList: TaskList.firstListID))
      new.close()
      do {
        _ = try Version2.open(path)
        Issue.record("it was opened")
      } catch let error as StoreError {
        #expect("\(error)".hasSuffix(".") && "\(error)".contains("newer"), "\(error)")
      }
      let again = try open(path)
      #expect(again.list(TaskList.firstListID)?.items.map(\.text) == ["a"])
      again.close()
    }
  }
}
