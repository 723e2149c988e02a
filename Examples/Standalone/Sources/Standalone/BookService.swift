import Foundation
import LiveStore

/// A book as clients see it.
struct BookAnswer: Sendable, Codable, Equatable {
  let id: Int
  let title: String
  let readers: Int

  init(_ book: Book) {
    id = book.id
    title = book.title
    readers = book.readers
  }
}

actor BookService {
  private let store: Store

  init(_ configuration: Store.Configuration) throws {
    store = try Store(configuration, scheduler: .actor())
    store.confine(to: self)
  }

  func books(withMoreReadersThan readers: Int) throws -> [BookAnswer] {
    // At the newest version: a client sees what it has just written through another actor.
    try store.refresh()
    return try store.objects(Book.self).filter(#Predicate { $0.readers > readers }).map(BookAnswer.init)
  }

  func read(_ id: Int) throws -> BookAnswer? {
    try store.write {
      guard let book = store.object(ofType: Book.self, forPrimaryKey: id) else { return nil }
      book.readers += 1
      return BookAnswer(book)
    }
  }
}

extension BookService {
  func readIfFree(_ id: Int) throws -> Bool {
    do {
      try store.write(waitingAtMost: 20) {
        store.object(ofType: Book.self, forPrimaryKey: id)?.readers += 1
      }
      return true
    } catch let error as StoreError where error.code == .busy {
      return false
    }
  }
}

extension BookService {
  /// Calls `send` with the popular books, and again whenever they change, until the task is cancelled.
  func follow(_ send: @Sendable ([BookAnswer]) async throws -> Void) async throws {
    let popular = try store.objects(Book.self).filter(#Predicate { $0.readers > 2 })
    for await change in popular.changes {
      switch change {
      case .initial(let books), .update(let books, _): try await send(books.map(BookAnswer.init))
      case .error(let error): throw error
      }
    }
  }
}
