import BenchmarkRunner
import Glibc
import LiveStore
import LiveStoreSync

/// A list of tasks.
final class SyncedList: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var items: List<SyncedTask>
}

/// A task with as many properties as one of `tasks` has.
final class SyncedTask: Object {
  @Persisted(primaryKey: true) var id: String = ""
  @Persisted var text: String = ""
  @Persisted var date: Double?
  @Persisted var completed: Bool = false
  @Persisted var dateOrigin: String = ""
  @Persisted var readText: String = ""
  @Persisted var tags: String = ""
  @Persisted var notes: String = ""
  @Persisted var priority: String = ""
  @Persisted var repetition: String = ""
  @Persisted var repetitionOrigin: String = ""

  /// The cells of a task: its properties, its list and its place in that.
  static let cells = 12
}

/// A machine with a file in a folder of its own, and a program that uses it on this thread.
final class BenchmarkMachine {
  static let classes = SyncedFile.Classes(places: ["SyncedList_items"])
  static let types: [Object.Type] = [SyncedList.self, SyncedTask.self]

  let path: String
  let source = NotificationSource()
  let store: Store
  private let folder: ScratchFolder
  private(set) var agent: BackgroundAgent?
  var synced: SyncedFile { SyncedFile(path: path) }

  init() throws {
    folder = try ScratchFolder("livestore-sync-benchmark")
    path = folder.path + "/tasks.db"
    store = try Store(
      Store.Configuration(path: path, objectTypes: Self.types), scheduler: .fileDescriptor(source))
  }

  /// Adds tasks to the only list.
  func add(_ numbers: Range<Int>) throws {
    try store.write {
      var list = store.object(ofType: SyncedList.self, forPrimaryKey: "list")
      if list == nil {
        let new = SyncedList()
        new.id = "list"
        store.add(new)
        list = new
      }
      for number in numbers {
        let task = SyncedTask()
        task.id = "8d6ec6a2-31f5-4d23-8a4e-\(100_000_000_000 + number)"
        task.text = "Buy milk and bread for the weekend, \(number)"
        task.readText = task.text
        list!.items.append(task)
      }
    }
  }

  /// Takes turns until something holds.
  func wait(until condition: () -> Bool) {
    var descriptor = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while !condition() {
      _ = poll(&descriptor, 1, -1)
      store.processNotifications()
    }
  }

  func startAgent() throws { agent = try BackgroundAgent(path) }

  func close() {
    agent?.stop()
    agent = nil
    store.close()
  }
}

/// An agent on a thread of its own.
final class BackgroundAgent: @unchecked Sendable {
  // The agent is used on its thread only, but for its end, which any thread may ask for.
  private let agent: SyncAgent
  private var thread = pthread_t()

  init(_ path: String) throws {
    agent = try SyncAgent(path: path)
    let context = Unmanaged.passRetained(agent)
    let status = pthread_create(
      &thread, nil,
      { context in
        let agent = Unmanaged<SyncAgent>.fromOpaque(context!).takeRetainedValue()
        try? agent.run()
        return nil
      }, context.toOpaque())
    guard status == 0 else { throw Failure("There is no thread for an agent.") }
  }

  func stop() {
    agent.stop()
    pthread_join(thread, nil)
  }
}
