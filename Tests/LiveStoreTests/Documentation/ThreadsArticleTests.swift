import Dispatch
import Glibc
import Testing

@testable import LiveStore

actor Librarian {
  private let store: Store

  init(_ configuration: Store.Configuration) throws {
    store = try Store(configuration, scheduler: .actor())
    store.confine(to: self)
  }

  func count() throws -> Int {
    try store.refresh()
    return store.objects(Book.self).count
  }

  func add(_ id: Int) throws {
    try store.write { try store.create(Book.self, value: ["id": id]) }
  }

  func close() {
    store.close()
  }
}

@Suite("Threads.md")
struct ThreadsArticleTests {
  private let library: Library

  init() throws { library = try Library() }

  @Test("A queue has a store of its own")
  func queue() throws {
    let configuration = library.configuration
    let queue = DispatchQueue(label: "worker")
    queue.async {
      do {
        let store = try Store(configuration, scheduler: .queue(queue))
        try store.write { try store.create(Book.self, value: ["id": 7, "title": "Momo"]) }
      } catch {
        print(error)
      }
    }
    queue.sync {}
    #expect(try library.open().store.book(7).title == "Momo")
  }

  @Test("An actor has a store of its own")
  func actor() async throws {
    let librarian = try Librarian(library.configuration)
    #expect(try await librarian.count() == 3)
    try await Librarian(library.configuration).add(4)
    #expect(try await librarian.count() == 4)
    await librarian.close()
  }

  @Test("A loop of one's own takes turns when the descriptor is readable")
  func loop() throws {
    let configuration = library.configuration
    var calls = 0
    let source = NotificationSource()
    let store = try Store(configuration, scheduler: .fileDescriptor(source))
    let token = store.objects(Book.self).observe { _ in calls += 1 }
    while calls == 0 {
      var descriptor = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, 60_000) > 0 { store.processNotifications() }
    }
    #expect(calls == 1)
    token.invalidate()
  }

  @Test("A collection is observed on another queue")
  @MainActor
  func elsewhere() async throws {
    let store = try Store(library.configuration)
    let books = store.objects(Book.self)
    let queue = DispatchQueue(label: "elsewhere")
    let (counts, continuation) = AsyncStream<Int>.makeStream()
    let token = books.observe(on: .queue(queue)) { change in
      if case .initial(let books) = change { continuation.yield(books.count) }
    }
    var first: Int?
    for await count in counts {
      first = count
      break
    }
    #expect(first == 3)
    token.invalidate()
    store.close()
  }

  @Test("References and frozen copies travel")
  @MainActor
  func carrying() async throws {
    let configuration = library.configuration
    let store = try Store(configuration)
    let books = store.objects(Book.self)
    let book = store.book(2)
    let queue = DispatchQueue(label: "other")
    let (stream, titles) = AsyncStream<String?>.makeStream()
    let reference = ThreadSafeReference(to: book)
    let frozen = Frozen(books)
    queue.async {
      do {
        let store = try Store(configuration, scheduler: .queue(queue))
        titles.yield(store.resolve(reference)?.title)
        titles.yield(frozen.value.first?.title)
      } catch {
        print(error)
      }
    }
    var seen: [String?] = []
    for await title in stream {
      seen.append(title)
      if seen.count == 2 { break }
    }
    #expect(seen == ["Momo", "Atlas"])
    store.close()
  }
}
