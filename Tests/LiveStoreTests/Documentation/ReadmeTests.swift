import FoundationEssentials
import Testing

@testable import LiveStore

@Suite("README.md")
struct ReadmeTests {
  @MainActor
  @Test("A callback is called first with what is there, then with what others changed, and not for its own")
  func observing() throws {
    let file = TestFile()
    let path = file.path
    var lines: [String] = []
    func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }

    let store = try Store(Store.Configuration(path: path, objectTypes: [Author.self, Book.self]))
    let popular = try store.objects(Book.self).filter(#Predicate { $0.readers > 2 }).sorted(by: \.title)

    let token = popular.observe { change in
      switch change {
      case .initial(let books): print(books.count, "books")
      case .update(let books, let changes):
        // Delete these rows, insert those, reload the rest: the view then shows `books`.
        print(changes.deletions, changes.insertions, changes.modificationsInNew, books.count)
      case .error(let error): print(error)
      }
    }

    try store.write { try store.create(Book.self, value: ["id": 1, "title": "Momo", "readers": 3]) }
    // A change that the view of this observer shows already.
    try store.write(withoutNotifying: [token]) { popular.first?.readers += 1 }

    try store.refresh()
    #expect(lines == ["0 books", "[] [0] [] 1"])
    #expect(popular.first?.readers == 4)
    token.invalidate()
  }
}
