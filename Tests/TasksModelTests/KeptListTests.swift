import FoundationEssentials
import Glibc
import LiveStore
import Testing

@testable import TasksModel

@Suite("Lists that are kept sorted, beside other programs")
struct KeptListTests {
  /// Counts how often a file is opened.
  private final class OpeningCounter {
    private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))

    init(_ path: String) {
      inotify_add_watch(descriptor, path, UInt32(IN_OPEN))
    }

    deinit { close(descriptor) }

    /// The number since this was asked last.
    func take() -> Int {
      var bytes = [UInt8](repeating: 0, count: 4096)
      // Without a name, all events of a file have one size; those that follow one another may be one.
      return max(0, read(descriptor, &bytes, bytes.count)) / MemoryLayout<inotify_event>.size
    }
  }

  private func withFile(_ body: (String, TasksStore) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "tasks.db").path(percentEncoded: false)
    let store = try TasksStore(path: path, scheduler: .fileDescriptor(NotificationSource()))
    defer { store.close() }
    try store.setOrder([TaskList.firstListID], to: .text, in: RowScope(.lists))
    try body(path, store)
  }

  private func texts(_ store: TasksStore) -> [String] {
    store.list(TaskList.firstListID)?.items.map(\.text) ?? []
  }

  private func add(_ texts: String..., to store: TasksStore) throws {
    try store.add(texts, to: .tasks(inList: TaskList.firstListID))
  }

  /// Notes a right in a file as the agent of a joined one does.
  private func note(mayOnlyRead: Bool, in file: Connection) throws {
    try file.execute(
      """
      CREATE TABLE IF NOT EXISTS _livesync_state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
      INSERT OR REPLACE INTO _livesync_state VALUES ('mayOnlyRead', \(mayOnlyRead ? 1 : 0))
      """)
  }

  @Test("To sort a list no file is opened, whether it is joined or not")
  func openings() throws {
    try withFile { path, store in
      let file = try Connection(path: path, create: false)
      try add("b", "a", to: store)
      #expect(try store.keepSorted(TaskList.firstListID) != nil)
      for isJoined in [false, true] {
        if isJoined { try note(mayOnlyRead: false, in: file) }
        try add("B", "A", to: store)
        let counter = OpeningCounter(path)
        #expect(try store.keepSorted(TaskList.firstListID) != nil)
        #expect(counter.take() == 0)
      }
    }
  }

  @Test("Nobody sorts in a space that the person may only read, from the moment at which the agent notes it")
  func right() throws {
    try withFile { path, store in
      let file = try Connection(path: path, create: false)
      try add("b", "a", to: store)
      for _ in 0..<2 {
        try note(mayOnlyRead: true, in: file)
        #expect(try store.keepSorted(TaskList.firstListID) == nil)
        #expect(texts(store).first == "b")
        try note(mayOnlyRead: false, in: file)
        try file.execute("UPDATE TaskItem SET notes = 'changed' WHERE text = 'b'")
        try store.refresh()
        #expect(try store.keepSorted(TaskList.firstListID) != nil)
        #expect(texts(store).first == "a")
        try store.store.write {
          guard let items = store.list(TaskList.firstListID)?.items else { return }
          items.move(from: 1, to: 0)
        }
      }
    }
  }
}
