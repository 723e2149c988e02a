import LiveStore
import Testing

@testable import TasksModel

@Suite("Versions of the file")
struct FileVersionTests {
  private func open(_ path: String) throws -> TasksStore {
    try TasksStore(path: path, scheduler: .fileDescriptor(NotificationSource()), author: "me")
  }

  /// Opens a file as a program of the next version does.
  private func openAsNext(_ path: String) throws -> Store {
    var configuration = TasksStore.configuration(path)
    configuration.schemaVersion += 1
    return try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
  }

  @Test("An older program refuses a newer file with a sentence and leaves it as it is")
  func newerFile() throws {
    try withTemporaryFile { path in
      let old = try open(path)
      try old.add("a", to: .tasks(inList: TaskList.firstListID))
      old.close()
      try openAsNext(path).close()
      do {
        _ = try open(path)
        Issue.record("it was opened")
      } catch let error as StoreError {
        #expect(error.code == .newerVersion)
        #expect("\(error)".hasSuffix(".") && "\(error)".contains("newer"), "\(error)")
      }
      let next = try openAsNext(path)
      #expect(Array(next.objects(TaskItem.self)).map(\.text) == ["a"])
      next.close()
    }
  }
}
