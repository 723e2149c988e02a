import Testing

@testable import LiveStore

@Suite("SharingAFile.md and NotGuaranteed.md")
struct SharingArticleTests {
  private let library: Library
  private let test: TestStore
  private var store: Store { test.store }

  init() throws {
    library = try Library()
    test = try library.open()
  }

  @Test("Another program writes what the article shows")
  func statements() throws {
    let shelf = try #require(store.object(ofType: Shelf.self, forPrimaryKey: "Children"))
    sqlite3(
      library.file.path,
      """
      UPDATE Book SET readers = readers + 1 WHERE title = 'Momo';
      INSERT INTO Book (id, title) VALUES (8, 'Jim Knopf');
      INSERT INTO Shelf_books (owner, target) VALUES ('Children', 8);
      """)
    try store.refresh()
    #expect(shelf.books.map(\.title) == ["Atlas", "Momo", "Zettel", "Jim Knopf"])
    #expect(store.book(2).readers == 2)
    sqlite3(library.file.path, "DELETE FROM Book WHERE readers = 0;")
    try store.refresh()
    #expect(shelf.books.map(\.title) == ["Atlas", "Momo", "Zettel"])
  }

  @Test("A write that waits too long for another program is an error with a code of its own")
  func busy() throws {
    var configuration = library.configuration
    configuration.busyTimeout = 1
    let store = try TestStore(configuration).store
    let book = store.book(2)
    let other = try Connection(path: library.file.path, create: false)
    try other.execute("BEGIN IMMEDIATE")
    var message = ""
    do {
      try store.write { book.readers += 1 }
    } catch let error as StoreError where error.code == .busy {
      message = error.description
    }
    #expect(message.contains("Another program"))
    try other.execute("ROLLBACK")
  }

  @Test("A callback can tell that it runs inside a write")
  func writeUnderWay() throws {
    let books = store.objects(Book.self)
    var received = 0
    let token = books.observe { change in
      guard !store.isInWriteTransaction else { return }
      received += 1
    }
    try store.write {}
    #expect(received == 0)
    try store.write { store.book(1).readers += 1 }
    try store.refresh()
    #expect(received == 1)
    token.invalidate()
  }

  @Test("NaN cannot be stored where there has to be a number")
  func notANumber() throws {
    let book = store.book(1)
    var message = ""
    do {
      try store.write { book.score = .nan }
    } catch {
      message = "\(error)"
    }
    #expect(message.contains("score"))
    #expect(book.score == 0)
  }
}
