import Foundation
import LiveStore

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

let store = try Store(Store.Configuration(path: "books.db", objectTypes: [Author.self, Book.self]))
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

try store.write {
  try store.create(Book.self, value: ["id": 1, "title": "Momo", "readers": 3], update: .modified)
}
// A change that the view of this observer shows already.
try store.write(withoutNotifying: [token]) { popular.first?.readers += 1 }

// Delivers now what the next turn of the main queue would.
try store.refresh()
