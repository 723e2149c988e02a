import FoundationEssentials
import Observation
import Testing

@testable import LiveStore

@Suite("Values of many elements, read at once")
struct ValuesTests {
  private let file = TestFile()
  private let test: TestStore

  init() throws {
    test = try file.openLibrary()
    try test.write { store in
      let publisher = LibraryPublisher(id: 1)
      publisher.founded = Date(timeIntervalSince1970: 86_400)
      let author = LibraryAuthor(id: 1, name: "Zoë")
      store.add(author)
      for (id, pages) in [(1, 300), (2, 100), (3, 100), (4, 200)] {
        let book = LibraryBook(id: id, title: "B\(id)", pages: pages)
        book.price = id == 4 ? nil : Double(id) / 2
        book.genre = id == 2 ? .poem : .novel
        book.publisher = id < 3 ? publisher : nil
        author.books.append(book)
      }
    }
  }

  /// That reading the values gives what the objects show, in their order.
  private func expectEqual(_ books: Results<LibraryBook>, _ location: SourceLocation = #_sourceLocation) {
    let read = books.values(
      of: \.id, \.title, \.pages, \.price, \.genre, \.publisher?.name, \.publisher?.founded)
    #expect(read.map(\.0) == books.map(\.id), sourceLocation: location)
    for (values, book) in zip(read, books) {
      #expect(values.1 == book.title && values.2 == book.pages, sourceLocation: location)
      #expect(values.3 == book.price && values.4 == book.genre, sourceLocation: location)
      #expect(values.5 == book.publisher?.name, sourceLocation: location)
      #expect(values.6 == book.publisher?.founded, sourceLocation: location)
    }
  }

  @Test("They are those that the objects show, in the order of the collection, whatever it is")
  func kinds() throws {
    let books = test.books
    expectEqual(books)
    expectEqual(try books.filter(#Predicate { $0.pages < 300 }).sorted(by: \.pages, ascending: false))
    expectEqual(books.sorted(by: \.publisher?.founded))
    let sorted = books.sorted(by: \.pages)
    expectEqual(sorted.limit(2))
    expectEqual(sorted.limit(0))
    expectEqual(sorted.distinct(by: [\.pages]))
    expectEqual(sorted.distinct(by: [\.pages]).limit(2))
    expectEqual(try #require(test.existing(LibraryPublisher.self, 1)).catalogue.sorted(by: \.id))
    let author = try #require(test.existing(LibraryAuthor.self, 1))
    try test.write { _ in
      author.books.move(from: 0, to: 2)
      author.books.append(author.books[0])
      // In the transaction, too.
      #expect(author.books.values(of: \.id) == [2, 3, 1, 4, 2])
      expectEqual(books)
    }
    #expect(author.books.values(of: \.id) == [2, 3, 1, 4, 2])
    #expect(author.books[0].authors.values(of: \.name, \.alias).map(\.0) == ["Zoë"])
    let frozen = books.freeze()
    try test.write { $0.delete(books) }
    #expect(frozen.values(of: \.title) == ["B1", "B2", "B3", "B4"])
    #expect(books.values(of: \.title).isEmpty)
  }

  @Test("A value that the property's type cannot represent is the declared default, as an object shows it")
  func unreadable() {
    sqlite3(file.path, "update LibraryBook set genre = 'nonsense', pages = 'many' where id = 1")
    #expect(test.turns { test.books[0].pages == 0 })
    expectEqual(test.books)
    #expect(test.books.values(of: \.pages) == [0, 100, 100, 200] && test.store.failure == nil)
  }

  @Test("L14: an element that is not there has default values, and the store says that the file is damaged")
  func missing() throws {
    test.store.close()
    // Deletes a row behind the back of the triggers.
    sqlite3(
      file.path,
      """
      CREATE TABLE saved AS SELECT * FROM sqlite_schema WHERE type = 'trigger';
      PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'trigger';
      """)
    sqlite3(
      file.path,
      """
      DELETE FROM LibraryBook WHERE id = 2;
      PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM saved; DROP TABLE saved
      """)
    let test = try file.openLibrary()
    let author = try #require(test.existing(LibraryAuthor.self, 1))
    #expect(author.books.values(of: \.pages, \.title).map(\.1) == ["B1", "", "B3", "B4"])
    #expect(test.store.failure?.description.contains("a LibraryBook that it lists is not there") == true)
  }

  @Test("Reads of values are tracked like those of objects")
  func tracked() throws {
    let changed = Flag()
    let titles = withObservationTracking {
      test.books.values(of: \.title)
    } onChange: {
      changed.set()
    }
    #expect(titles == ["B1", "B2", "B3", "B4"] && !changed.isSet)
    try test.write { _ in test.existing(LibraryBook.self, 3)?.pages += 1 }
    #expect(!changed.isSet)
    try test.write { _ in test.existing(LibraryBook.self, 3)?.title = "other" }
    #expect(changed.isSet)
  }

  @Test("Objects have no values; reading links stops with a sentence")
  func links() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let test = try TestFile().openLibrary()
      _ = test.books.values(of: \.publisher)
    }
    #expect(
      result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?
        .contains("reads persisted values, not links; use the objects of LibraryBook") == true)
  }
}

/// Whether a closure has been called.
private final class Flag: @unchecked Sendable {
  private(set) var isSet = false
  func set() { isSet = true }
}
