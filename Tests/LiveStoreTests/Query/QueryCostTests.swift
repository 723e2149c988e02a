import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("What a commit costs a query does not depend on how much there is")
struct QueryCostTests {
  private static let count = 10_000
  private let test: TestStore
  private let counter = WorkCounter()

  /// Authors, books and publishers by the thousands: author n of publisher n, with book n in the list, the
  /// author n − 1 as mentor.
  init() throws {
    test = try TestFile().openLibrary()
    try test.write { store in
      var mentor: LibraryAuthor?
      for id in 0..<Self.count {
        let author = LibraryAuthor(id: id, name: "n\(id % 100)", born: id % 100)
        let publisher = LibraryPublisher(id: id, name: "p\(id % 10)")
        let book = LibraryBook(id: id, title: "t\(id % 7)", pages: id % 500)
        (author.publisher, author.mentor, book.publisher) = (publisher, mentor, publisher)
        store.add(author)
        author.books.append(book)
        mentor = author
      }
    }
  }

  /// The cost of a refresh while some results are observed, after a write of one row of each class.
  private func check<Element: Object>(_ name: String, _ results: Results<Element>) throws {
    let paused = try PausedWatcher(test.store)
    var calls = 0
    let token = results.observe { _ in calls += 1 }
    try test.store.refresh()
    #expect(calls == 1)
    for id in [4_711, 4_712, 17] {
      try test.write { _ in
        let author = try #require(test.existing(LibraryAuthor.self, id))
        author.born += 1
        author.name += "x"
        let book = try #require(test.existing(LibraryBook.self, id))
        book.pages += 1
        let publisher = try #require(test.existing(LibraryPublisher.self, id))
        publisher.name += "x"
        author.books.append(book)
      }
      counter.install(on: test.store.connections)
      _ = counter.take()
      try test.store.refresh()
      let work = counter.take()
      counter.uninstall(from: test.store.connections)
      #expect(work.statements < 150, "\(name)")
      #expect(work.instructions < 10_000, "\(name)")
    }
    token.invalidate()
    paused.resume()
  }

  @Test("L15: every kind of query costs a bounded number of statements and instructions")
  func bounded() throws {
    let (authors, books) = (test.authors, test.books)
    try check("all", authors)
    try check("own property", authors.filter(#Predicate { $0.born > 50 }))
    try check("link", authors.filter(#Predicate { $0.publisher?.name == "p1" }))
    try check("two links", authors.filter(#Predicate { $0.mentor?.publisher?.name == "p1" }))
    try check("count", authors.filter(#Predicate { $0.books.count > 1 }))
    try check("list", authors.filter(#Predicate { $0.books.contains { $0.pages > 250 } }))
    try check("all of a list", authors.filter(#Predicate { $0.books.allSatisfy { $0.pages > 250 } }))
    try check("backlinks", books.filter(#Predicate { $0.authors.contains { $0.born > 50 } }))
    try check("text", authors.filter(\.name, .contains("N1", options: .caseInsensitive)))
    try check(
      "sorted", authors.sorted(by: [SortProperty(\.name), SortProperty(\.born, ascending: false)]))
    try check("sorted by link", authors.sorted(by: \.mentor?.publisher?.name))
    try check("limit", authors.sorted(by: \.born).limit(10))
    try check("distinct", authors.distinct(by: [\.publisher?.name]))
    try check("distinct and limit", authors.sorted(by: \.born).distinct(by: [\.name]).limit(5))
    try check(
      "linking",
      try #require(test.existing(LibraryPublisher.self, 4_711)).authors.filter(#Predicate { $0.id > 0 }))
  }

  @Test("R53: a commit to a class or a property that a query does not read asks nothing of the query")
  func unused() throws {
    let paused = try PausedWatcher(test.store)
    let token = try test.publishers.filter(#Predicate { $0.name == "p1" }).observe(keyPaths: [String]()) {
      _ in
    }
    try test.store.refresh()
    func cost(_ body: () throws -> Void) throws -> Int {
      try test.write { _ in try body() }
      counter.install(on: test.store.connections)
      _ = counter.take()
      try test.store.refresh()
      counter.uninstall(from: test.store.connections)
      return counter.take().statements
    }
    // The version and the change log cost this anyway.
    let nothing = try cost {}
    let unused = try cost { try #require(test.existing(LibraryAuthor.self, 5)).born += 1 }
    let otherProperty = try cost { try #require(test.existing(LibraryPublisher.self, 5)).isOpen = false }
    let used = try cost { try #require(test.existing(LibraryPublisher.self, 5)).name = "p1" }
    #expect(used > unused && used > otherProperty)
    // The row itself is read, to know whether it differs.
    #expect(unused <= nothing + 4 && otherProperty <= nothing + 4)
    token.invalidate()
    paused.resume()
  }

  @Test("first reads as far as the first, also of distinct results")
  func first() throws {
    counter.install(on: test.store.connections)
    defer { counter.uninstall(from: test.store.connections) }
    _ = counter.take()
    #expect(test.authors.first?.id == 0)
    #expect(test.authors.limit(3).count == 3)
    #expect(test.authors.distinct(by: [\.id]).first?.id == 0)
    #expect(try test.authors.filter(#Predicate { $0.publisher?.name == "p1" }).first?.id == 1)
    #expect(counter.take().instructions < 60_000)
  }

  @Test("A link's target with very many dependants: the whole is read again, and the change set is the same")
  func manyDependants() throws {
    let all = test.authors
    try test.write { store in
      let one = try #require(test.existing(LibraryPublisher.self, 0))
      for author in Array(all) { author.publisher = one }
    }
    let unfiltered = test.observe(all.sorted(by: \.publisher?.name))
    let none = test.observe(try all.filter(#Predicate { $0.publisher?.name == "other" }))
    let limited = test.observe(all.sorted(by: \.publisher?.name, ascending: false).limit(3))
    let distinct = test.observe(all.distinct(by: [\.publisher?.name]))
    try test.write { _ in
      try #require(test.existing(LibraryPublisher.self, 0)).name = "other"
      try #require(test.existing(LibraryAuthor.self, 7)).publisher = nil
    }
    try test.store.refresh()
    #expect(unfiltered.change?.moves.count == 1)
    #expect(unfiltered.change?.modifications.count == Self.count - 1)
    #expect(none.change?.insertions.count == Self.count - 1)
    #expect(limited.change == ChangeSet(mod: [0, 1, 2]))
    #expect(distinct.change == ChangeSet(ins: [1], mod: [0]))
  }
}

extension Store {
  fileprivate var connections: [OpaquePointer] {
    [coordinator.front, coordinator.openedBack].compactMap { $0?.connection.handle }
  }
}
