import Foundation
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// Predicates and orders over links, lists and linking objects, to be combined at random.
private enum Pool {
  private typealias Author = LibraryAuthor
  private typealias Book = LibraryBook
  private typealias Publisher = LibraryPublisher

  static func authors() -> [(String, Predicate<LibraryAuthor>)] {
    let ids: [Int?] = [0, 2, 4]
    return [
      ("born", #Predicate { $0.born > 1901 }),
      ("publisher's name", #Predicate { $0.publisher?.name == "B1" }),
      ("has publisher", #Predicate { $0.publisher != nil }),
      ("no open publisher", #Predicate { $0.publisher?.isOpen != true }),
      ("mentor's publisher", #Predicate { ($0.mentor?.publisher?.name ?? "z") < "b" }),
      ("mentor older", #Predicate { author in author.mentor.flatMap { $0.born < author.born } == true }),
      (
        "own mentor",
        #Predicate { author in
          author.mentor.flatMap { $0.id == author.id } == true || author.mentor?.mentor == nil
        }
      ),
      ("many books", #Predicate { $0.books.count > 2 }),
      ("no books", #Predicate { $0.books.isEmpty }),
      ("thick book", #Predicate { $0.books.contains { $0.pages > 300 } }),
      ("all thin", #Predicate { $0.books.allSatisfy { $0.pages < 400 } }),
      ("book elsewhere", #Predicate { author in author.books.contains { $0.publisher != author.publisher } }),
      ("two poems", #Predicate { $0.books.filter { $0.pages == 100 || $0.pages == 200 }.count >= 2 }),
      ("first book", #Predicate { ($0.books.first?.pages ?? 0) > 200 }),
      ("pupils", #Predicate { $0.pupils.contains { $0.born < 1903 } }),
      ("in catalogue", #Predicate { $0.publisher?.catalogue.contains { $0.pages > 300 } == true }),
      ("listed", #Predicate { ids.contains($0.publisher.flatMap { $0.id }) }),
      ("accents", #Predicate { $0.name.localizedStandardContains("ZOE") }),
    ]
  }

  static func books() -> [(String, Predicate<LibraryBook>)] {
    let essay = LibraryGenre.essay
    return [
      ("authors", #Predicate { $0.authors.count > 1 }),
      ("orphans", #Predicate { $0.authors.isEmpty }),
      ("author's name", #Predicate { $0.authors.contains { $0.name < "b" } }),
      ("author's publisher", #Predicate { book in book.authors.contains { $0.publisher == book.publisher } }),
      ("genre", #Predicate { $0.genre < essay || $0.pages == 500 }),
      ("price", #Predicate { ($0.price ?? 0) * 2 > 3 }),
      ("publisher's authors", #Predicate { ($0.publisher?.authors.count ?? 0) > 2 }),
    ]
  }

  static func publishers() -> [(String, Predicate<LibraryPublisher>)] {
    let poem = LibraryGenre.poem
    return [
      ("authors", #Predicate { $0.authors.count > 3 }),
      ("open", #Predicate { $0.isOpen }),
      ("thick", #Predicate { $0.catalogue.filter { $0.pages > 200 }.count > 1 }),
      ("deep", #Predicate { $0.authors.contains { $0.books.contains { $0.genre == poem } } }),
    ]
  }

  static var authorOrders: [LibraryQuery<LibraryAuthor>.Order] {
    [
      .init("name", \.name), .init("born", \.born, ascending: false), .init("alias", \.alias),
      .init("publisher", \.publisher?.name), .init("publisher", \.publisher?.name, ascending: false),
      .init("mentor's publisher", \.mentor?.publisher?.name), .init("mentor", \.mentor?.born),
    ]
  }

  static var bookOrders: [LibraryQuery<LibraryBook>.Order] {
    [
      .init("title", \.title), .init("pages", \.pages), .init("price", \.price, ascending: false),
      .init("publisher", \.publisher?.name),
    ]
  }

  static var publisherOrders: [LibraryQuery<LibraryPublisher>.Order] {
    [
      .init("name", \.name), .init("open", \.id, ascending: false),
    ]
  }
}

/// An instance and random queries that it observes.
private final class LibraryObserver {
  let test: TestStore
  let contents: LibraryContents
  private(set) var mirrors: [CollectionMirror] = []

  init(_ file: TestFile, queries: Int, _ random: inout SeededGenerator) throws {
    test = try file.openLibrary()
    contents = LibraryContents(test.store)
    for _ in 0..<queries {
      switch Int.random(in: 0..<6, using: &random) {
      case 0..<3: try observe(query(Pool.authors(), Pool.authorOrders, &random))
      case 3..<5: try observe(query(Pool.books(), Pool.bookOrders, &random))
      default: try observe(query(Pool.publishers(), Pool.publisherOrders, &random))
      }
    }
  }

  private func query<Element>(
    _ predicates: [(String, Predicate<Element>)], _ orders: [LibraryQuery<Element>.Order],
    _ random: inout SeededGenerator
  ) -> LibraryQuery<Element> {
    var query = LibraryQuery<Element>()
    if Int.random(in: 0..<4, using: &random) > 0 {
      let (name, predicate) = predicates.randomElement(using: &random)!
      (query.name, query.predicate) = (name, predicate)
    }
    query.orders = Array(orders.shuffled(using: &random).prefix(Int.random(in: 0..<3, using: &random)))
    if Int.random(in: 0..<3, using: &random) == 0 {
      query.distinct = Array(orders.shuffled(using: &random).prefix(Int.random(in: 1..<3, using: &random)))
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      query.limit = Int.random(in: 0..<8, using: &random)
      query.start = max(0, Int.random(in: -4..<6, using: &random))
    }
    query.name =
      "\(Element.self) \(query.name) by \(query.orders.map(\.name)) distinct \(query.distinct.map(\.name)) "
      + "limit \(query.limit ?? -1) from \(query.start)"
    return query
  }

  private func observe<Element>(_ query: LibraryQuery<Element>) throws {
    let results = try query.results(test.store)
    let contents = contents
    mirrors.append(
      CollectionMirror(
        query.name, keys: { query.expected(contents) }, contents: { contents.deep(Element.self) }
      ) { mirror in
        results.observe { [unowned mirror] change in
          if case .update(let results, let changes) = change {
            let shown = results.map { LibraryContents.key($0) }
            #expect(shown == query.expected(contents), "\(query.name)")
            #expect(changes.moves.allSatisfy { $0.isModified }, "\(query.name): what moved has changed")
          }
          mirror.receive(change)
        }
      })
  }
}

@Suite("Whatever is asked and whatever is written, queries are what Swift makes of the objects")
struct RandomQueryTests {
  private static var steps: Int { randomSteps(usually: 120) }

  @Test("L1–L6, R30–R32, R42, R48, R50, R51: random queries, own, skipped and foreign writes")
  func maintained() throws {
    var random = SeededGenerator()
    let seed = random.seed
    print(random.comment)
    let file = TestFile()
    let a = try LibraryObserver(file, queries: 14, &random)
    let b = try LibraryObserver(file, queries: 6, &random)
    var writer = RandomLibraryWriter(seed: seed &+ 1)
    for _ in 0..<Self.steps {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4: try writer.write(a.test.store)
      case 4:
        let own = a.mirrors.filter { _ in Bool.random(using: &random) }
        try writer.write(a.test.store, withoutNotifying: own.compactMap(\.token))
        for mirror in own where mirror.calls > 0 { mirror.reload() }
      case 5..<7: try writer.write(b.test.store)
      case 7: try writer.cancel(a.test.store)
      case 8:
        try a.test.store.refresh()
        for mirror in a.mirrors where mirror.calls > 0 { mirror.check("after a refresh") }
      case 9: try writer.write(file: file)
      default:
        a.test.turn(milliseconds: 1)
        b.test.turn(milliseconds: 0)
      }
    }
    for observer in [a, b] {
      try observer.test.store.refresh()
      for mirror in observer.mirrors { mirror.check("at the end, seed \(seed)") }
    }
  }

  @Test("Queries that nobody observes: first, count, elements and indices, also within a write")
  func unobserved() throws {
    let random = SeededGenerator()
    let seed = random.seed
    print(random.comment)
    let file = TestFile()
    let test = try file.openLibrary()
    let contents = LibraryContents(test.store)
    var writer = RandomLibraryWriter(seed: seed)
    func check<Element: Object>(_ query: LibraryQuery<Element>, _ kept: Results<Element>) throws {
      let expected = query.expected(contents)
      for results in [try query.results(test.store), kept] {
        #expect(
          results.first.map { LibraryContents.key($0) } == expected.first, "\(query.name), seed \(seed)")
        #expect(results.count == expected.count, "\(query.name), seed \(seed)")
        let shown = results.map { LibraryContents.key($0) }
        #expect(shown == expected, "\(query.name), seed \(seed)")
        for (index, object) in results.enumerated() { #expect(results.index(of: object) == index) }
      }
    }
    var checks: [() throws -> Void] = []
    func add<Element: Object>(
      _ predicates: [(String, Predicate<Element>)], _ orders: [LibraryQuery<Element>.Order]
    ) throws {
      for (index, (name, predicate)) in predicates.enumerated() {
        let order = orders[index % orders.count]
        for (distinct, limit, start) in [
          ([], nil, 0), ([order], nil, 0), ([order], 2, 0), ([], 3, 0), ([order], 2, 1), ([], 2, 3),
        ]
          as [([LibraryQuery<Element>.Order], Int?, Int)]
        {
          let query = LibraryQuery(
            name: name, predicate: predicate, orders: [order], distinct: distinct, limit: limit,
            start: start)
          let kept = try query.results(test.store)
          checks.append { try check(query, kept) }
        }
      }
    }
    try add(Pool.authors(), Pool.authorOrders)
    try add(Pool.books(), Pool.bookOrders)
    try add(Pool.publishers(), Pool.publisherOrders)
    for round in 0..<6 {
      try test.store.write {
        for _ in 0..<30 { writer.change(test.store) }
        if round % 2 == 0 { for check in checks { try check() } }
      }
      for check in checks { try check() }
    }
  }
}
