// An import whose progress a second program shows.
//
//   swift run Importer watch books.db
//   swift run Importer import titles.txt books.db       # in another terminal
//
// Kill the import in the middle and start it again: it goes on where it was.

import Dispatch
import FoundationEssentials
import Glibc
import LiveStore

final class Book: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
}

final class BookImport: Object {
  @Persisted(primaryKey: true) var path = ""
  @Persisted var done = 0
  @Persisted var total = 0
}

func importBooks(_ path: String, into store: Store) throws {
  let titles = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  let progress = try store.write {
    try store.create(BookImport.self, value: ["path": path, "total": titles.count], update: .modified)
  }
  while progress.done < titles.count {
    // Books and progress in one transaction: neither is ever ahead of the other.
    try store.write {
      let next = min(progress.done + max(1, titles.count / 10), titles.count)
      for number in progress.done..<next {
        let book = Book()
        (book.id, book.title) = (number, titles[number])
        store.add(book, update: .modified)
      }
      progress.done = next
    }
  }
  print("imported \(store.objects(Book.self).count) books")
}

let arguments = Array(CommandLine.arguments.dropFirst())
func open(_ path: String) throws -> Store {
  try Store(.init(path: path, objectTypes: [Book.self, BookImport.self]))
}

switch (arguments.first, arguments.count) {
case ("import", 3): try importBooks(arguments[1], into: open(arguments[2]))
case ("watch", 2):
  let store = try open(arguments[1])
  let imports = store.objects(BookImport.self)
  let books = store.objects(Book.self).liveCount()
  let token = imports.observe { change in
    guard case .update(let imports, _) = change, let last = imports.last else { return }
    print("\(last.done * 100 / max(1, last.total)) %, \(books.value) books")
    if last.done == last.total { exit(0) }
  }
  print("watching")
  withExtendedLifetime(token) { dispatchMain() }
default: fatalError("usage: Importer import TITLES FILE | watch FILE")
}
