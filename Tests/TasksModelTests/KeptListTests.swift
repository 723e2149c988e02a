import FoundationEssentials
import Glibc
import LiveStore
import TestSupport
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
    try withTemporaryFile { path in
      let store = try TasksStore(path: path, scheduler: .fileDescriptor(NotificationSource()))
      defer { store.close() }
      try store.setOrder([TaskList.firstListID], to: .text, in: RowScope(.lists))
      try body(path, store)
    }
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
      for round in 0..<2 {
        try note(mayOnlyRead: true, in: file)
        #expect(try store.keepSorted(TaskList.firstListID) == nil)
        #expect(texts(store).first == "b")
        // Nor does a command, for which the list is changed as well.
        store.sortsInTransactions = true
        let task = try #require(store.list(TaskList.firstListID)?.items.first)
        try store.setNotes(task.id, to: "note \(round)")
        #expect(texts(store).first == "b")
        store.sortsInTransactions = false
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

  @Test("A store of a command sorts the lists that a transaction changes in it, and no others")
  func inTransactions() throws {
    let fixture = try TasksStoreFixture(tasks: "c a b")
    let (store, first) = (fixture.store, TaskList.firstListID)
    let lists = RowScope(.lists)
    let work = try #require(try store.add("Work", to: .lists).rowID)
    try store.add(["z", "y"], to: .tasks(inList: work))
    try store.store.write { for list in store.lists { list.sorting = RowOrder.text.rawValue } }
    store.sortsInTransactions = true
    func texts(_ list: Identifier) -> String {
      store.list(list)?.items.map(\.text).joined(separator: " ") ?? ""
    }
    func check(_ expected: String, _ other: String = "z y", _ body: () throws -> Void) throws {
      let before = store.writeCount
      try body()
      #expect(store.writeCount == before + 1)
      #expect(texts(first) == expected && texts(work) == other)
    }
    let scope = RowScope(fixture.place)
    try check("c a b") { try store.setColor([work, first], to: "", in: lists) }
    try check("a b c d") { try store.add(["d"], to: fixture.place) }
    try check("a b c e") { try store.edit(fixture.id("d"), in: scope, text: "e") }
    try check("a b c d") { _ = try store.undo(showing: scope) }
    try check("b c d a") { try store.complete([fixture.id("a")]) }
    try check("a b c d") { _ = try store.undo(showing: scope) }
    try check("a b d", "c y z") { try store.move([fixture.id("c")], in: scope, toList: work) }
    try check("a b d", "c y z") { try store.setOrder([first], to: nil, in: lists) }
    try check("z a b d", "c y z") { try store.add("z", to: fixture.place, at: .top) }
    try check("a b d z", "c y z") { try store.setOrder([first], to: .text, in: lists) }
  }

  @Test("A list in which tasks stand several times is in order when it has been sorted")
  func repeatedTasks() throws {
    var random = SeededGenerator()
    for round in 0..<80 {
      let fixture = try TasksStoreFixture(tasks: "d b C a E f")
      let (store, id) = (fixture.store, TaskList.firstListID)
      let items = try #require(store.list(id)?.items)
      try store.setOrder([id], to: .text, in: RowScope(.lists))
      func putSomeAgain(_ count: Int) throws {
        try store.store.write {
          for _ in 0..<count {
            let index = Int.random(in: 0...items.count, using: &random)
            items.insert(items.randomElement(using: &random)!, at: index)
          }
        }
      }
      func check(after changed: Set<Identifier>?) throws {
        let before = items.map(\.id).sorted { $0.description < $1.description }
        let completed = items.filter(\.completed).map(\.id)
        _ = try store.keepSorted(id, after: changed, in: RowScope(fixture.place))
        let open = items.filter { !$0.completed }.map(\.text)
        #expect(open == open.sorted(), "round \(round), \(random.comment)")
        #expect(items.filter(\.completed).map(\.id) == completed)
        let after = items.map(\.id).sorted { $0.description < $1.description }
        #expect(after == before)
        let order = items.map(\.id)
        #expect(try store.keepSorted(id) == nil && items.map(\.id) == order)
      }
      try putSomeAgain(.random(in: 1...4, using: &random))
      try check(after: nil)
      // From then on all are in order but those that change, where the completed ones are at the end.
      try store.store.write { items.removeAll(where: \.completed) }
      for _ in 0..<3 {
        let task = items.randomElement(using: &random)!
        let text = String("abcdefg".randomElement(using: &random)!)
        try store.edit(task.id, in: RowScope(fixture.place), text: text)
        try check(after: [task.id])
      }
    }
  }
}
