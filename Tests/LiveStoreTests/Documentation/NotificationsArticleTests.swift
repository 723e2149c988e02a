import Observation
import Synchronization
import Testing

@testable import LiveStore

@Suite("Notifications.md")
struct NotificationsArticleTests {
  private let library: Library
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    library = try Library()
    test = try library.open()
  }

  @Test("The three steps lead to the collection")
  func collection() throws {
    var titles: [String] = []
    let books = store.objects(Book.self).sorted(by: \.title)
    let token = books.observe { change in
      switch change {
      case .initial(let books):
        titles = books.map(\.title)
      case .update(let books, let changes):
        for index in changes.deletions.reversed() { titles.remove(at: index) }
        for index in changes.insertions { titles.insert(books[index].title, at: index) }
        for index in changes.modificationsInNew { titles[index] = books[index].title }
      case .error(let error):
        print(error)
      }
    }
    #expect(test.turns { titles == ["Atlas", "Momo", "Zettel"] })
    try store.write {
      store.book(1).title = "Xanadu"
      store.book(2).readers = 5
      store.delete(store.book(3))
      try store.create(Book.self, value: ["id": 4, "title": "Bauhaus"])
    }
    #expect(test.turns { titles == ["Bauhaus", "Momo", "Xanadu"] })
    token.invalidate()
  }

  @Test("Key paths say which modifications are wanted")
  func keyPaths() throws {
    let books = store.objects(Book.self)
    var modified: [[Int]] = []
    let token = books.observe(keyPaths: ["title", "author.name"]) { change in
      if case .update(_, let changes) = change { modified.append(changes.modifications) }
    }
    try store.refresh()
    try store.write { store.book(1).readers = 9 }
    try store.refresh()
    #expect(modified.isEmpty)
    try store.write { store.book(1).author?.name = "Michael Ende" }
    try store.refresh()
    #expect(modified == [[0, 1]])
    token.invalidate()
  }

  @Test("An object tells old and new values")
  func object() throws {
    let book = store.book(2)
    var lines: [String] = []
    let token = book.observe(keyPaths: [\.readers]) { change in
      switch change {
      case .change(_, let properties):
        for property in properties {
          lines.append("\(property.name): \(property.oldValue ?? 0) to \(property.newValue ?? 0)")
        }
      case .deleted: lines.append("deleted")
      case .error(let error): print(error)
      }
    }
    sqlite3(library.file.path, "UPDATE Book SET readers = 4, score = 2 WHERE id = 2")
    try store.refresh()
    try store.write { store.delete(book) }
    try store.refresh()
    #expect(lines == ["readers: 1 to 4", "deleted"])
    token.invalidate()
  }

  @Test("Sections follow")
  func sections() throws {
    var counts: [Int] = []
    let sections = store.objects(Book.self).sectioned(by: \.readers)
    let token = sections.observe { change in
      if case .update(let sections, _) = change { counts = sections.map(\.count) }
    }
    try store.refresh()
    try store.write { store.book(1).readers = 2 }
    try store.refresh()
    #expect(counts == [1, 2])
    token.invalidate()
  }

  @Test("The store tells that something changed")
  func storeNotification() throws {
    var isLit = false
    let token = store.observe { notification, store in
      if notification == .didChange { isLit = true }
    }
    sqlite3(library.file.path, "UPDATE Author SET name = 'E.'")
    #expect(test.turns { isLit })
    token.invalidate()
  }

  @Test("A stream goes from change to change")
  @MainActor
  func stream() async throws {
    let store = try Store(library.configuration)
    let books = store.objects(Book.self)
    let configuration = library.configuration
    Task.detached { try await Librarian(configuration).add(4) }
    var seen = 0
    for await change in books.changes {
      switch change {
      case .initial(let books), .update(let books, _): seen = books.count
      case .error(let error): print(error)
      }
      if seen == 4 { break }
    }
    #expect(seen == 4)
    store.close()
  }

  @Test("What was read is told of once, before it changes")
  func observation() throws {
    let book = store.book(2)
    var shown = ""
    let isOutdated = Atomic(false)
    withObservationTracking {
      shown = book.title
    } onChange: {
      isOutdated.store(true, ordering: .relaxed)
    }
    try store.write { book.readers = 7 }
    let isTooEarly = isOutdated.load(ordering: .relaxed)
    #expect(shown == "Momo" && !isTooEarly)
    try store.write { book.title = "Momo und die grauen Herren" }
    let isTold = isOutdated.load(ordering: .relaxed)
    #expect(isTold)
  }

  func countFirstReader(of books: Results<Book>, _ changes: ChangeSet) throws {
    let count = { for index in changes.insertions { books[index].readers = 1 } }
    if store.isInWriteTransaction { count() } else { try store.write(count) }
  }

  @Test("A callback writes in a turn, and as part of the write whose beginning calls it")
  func writing() throws {
    var isWriting: [Bool] = []
    let token = store.objects(Book.self).observe { change in
      guard case .update(let books, let changes) = change, !changes.insertions.isEmpty else { return }
      isWriting.append(store.isInWriteTransaction)
      #expect(throws: Never.self) { try countFirstReader(of: books, changes) }
    }
    try store.refresh()
    sqlite3(library.file.path, "INSERT INTO Book (id, title) VALUES (70, 'In a turn')")
    #expect(test.turns { isWriting == [false] })
    sqlite3(library.file.path, "INSERT INTO Book (id, title) VALUES (71, 'In a write')")
    try store.write { store.book(70).title = "Before" }
    #expect(isWriting == [false, true])
    #expect(store.book(70).readers == 1 && store.book(71).readers == 1)
    token.invalidate()
  }

  final class Screen {
    private var tokens = NotificationTokenSet()
    private(set) var changes = 0

    init(_ books: Results<Book>) {
      books.observe { [weak self] _ in self?.changes += 1 }.store(in: &tokens)
    }
  }

  @Test("Subscriptions end with the object that has them")
  func tokens() throws {
    var screen: Screen? = Screen(store.objects(Book.self))
    try store.refresh()
    #expect(screen?.changes == 1)
    #expect(store.coordinator.liveSubscriptions().count == 1)
    screen = nil
    #expect(store.coordinator.liveSubscriptions().allSatisfy { !$0.state.isLive })
  }
}
