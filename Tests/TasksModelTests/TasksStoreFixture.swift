import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

/// A store in memory with one list, whose rows the tests write as a line of text: `a b C` are two open rows
/// and a completed one.
struct TasksStoreFixture {
  let store: TasksStore
  let place: Place

  init(tasks: String = "") throws {
    store = try TasksStore(
      inMemory: UUID().uuidString, scheduler: .fileDescriptor(NotificationSource()))
    place = .tasks(inList: TaskList.firstListID)
    let list = try #require(store.list(TaskList.firstListID))
    try store.store.write {
      for name in tasks.split(separator: " ") {
        let task = TaskItem()
        task.text = String(name)
        task.completed = name.first?.isUppercase == true
        store.store.add(task)
        list.items.append(task)
      }
    }
  }

  var tasks: [TaskItem] { store.list(TaskList.firstListID).map { Array($0.items) } ?? [] }

  /// The rows in order; an upper-case row is completed, whatever case its text has.
  var line: String { TasksStoreFixture.line(tasks) }

  var lists: String { TasksStoreFixture.line(Array(store.lists)) }

  private static func line(_ rows: [some Row]) -> String {
    rows.map { $0.completed ? $0.text.uppercased() : $0.text.lowercased() }.joined(separator: " ")
  }

  func id(_ text: String) throws -> Identifier {
    try #require(tasks.first { $0.text.lowercased() == text.lowercased() }).id
  }

  func listID(_ text: String) throws -> Identifier {
    try #require(store.lists.first { $0.text == text }).id
  }
}
