import FoundationEssentials
import LiveStore

// The classes of the articles' examples.

final class Author: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
}

final class Book: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var readers = 0
  @Persisted var score = 0.0
  @Persisted var author: Author?
}

final class Shelf: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var books: List<Book>
}

/// Three books by one author, on a shelf, in a file of their own.
struct Library {
  let file = TestFile()
  let configuration: Store.Configuration

  init() throws {
    configuration = Store.Configuration(
      path: file.path, objectTypes: [Author.self, Book.self, Shelf.self, Recipe.self])
    let store = try open().store
    try store.write {
      let author: [String: Any] = ["id": 1, "name": "Ende"]
      let books: [[String: Any]] = [
        ["id": 1, "title": "Atlas", "readers": 1, "author": author],
        ["id": 2, "title": "Momo", "readers": 1, "author": author],
        ["id": 3, "title": "Zettel", "readers": 2],
      ]
      try store.create(Shelf.self, value: ["name": "Children", "books": books], update: .modified)
    }
    store.close()
  }

  /// A store whose turns the test takes.
  func open() throws -> TestStore { try TestStore(configuration) }
}

extension Store {
  func book(_ id: Int) -> Book {
    object(ofType: Book.self, forPrimaryKey: id) ?? Book()
  }
}
