import LiveStore

@main
struct Standalone {
  @MainActor
  static func main() async throws {
    let configuration = Store.Configuration(path: "books.db", objectTypes: [Author.self, Book.self])
    let store = try Store(configuration)
    let books = store.objects(Book.self).sorted(by: \.title)

    try store.write {
      try store.create(Book.self, value: ["id": 1, "title": "Momo", "readers": 3], update: .modified)
    }
    print(books.map(\.title))

    for await change in books.changes {
      switch change {
      case .initial(let books): print(books.count, "books")
      case .update(let books, let changes): print(changes.insertions.map { books[$0].title }, "inserted")
      case .error(let error): throw error
      }
      if books.count == 3 { break }
      let librarian = try Librarian(configuration)
      try await librarian.add(["Jim Knopf", "Die unendliche Geschichte"])
    }

    try followBooks(configuration, until: 3)
    print(try await BookService(configuration).books(withMoreReadersThan: 2))
  }
}
