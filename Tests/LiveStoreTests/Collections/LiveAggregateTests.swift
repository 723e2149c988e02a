import Dispatch
import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Aggregates that are kept up to date")
struct LiveAggregateTests {
  private static var steps: Int { randomSteps(usually: 250) }

  @Test("L1: after own, skipped, cancelled and foreign writes the value is what SQLite calculates anew")
  func maintained() throws {
    var random = SeededGenerator()
    print(random.comment)
    let file = TestFile()
    let a = try AggregateObserver(file)
    let b = try AggregateObserver(file)
    var writer = RandomLibraryWriter(seed: random.next())
    for _ in 0..<Self.steps {
      switch Int.random(in: 0..<14, using: &random) {
      case 0..<3: try writer.write(a.test.store)
      case 3:
        let own = a.watched.filter { _ in Bool.random(using: &random) }
        try writer.write(a.test.store, withoutNotifying: own.compactMap(\.token))
        for watched in own { watched.reload() }
      case 4..<6: try writer.write(b.test.store)
      case 6:
        try writer.cancel(a.test.store) { a.check("in a write, \(random.comment)") }
        a.check("after a write that was cancelled, \(random.comment)")
      case 7:
        try a.test.store.refresh()
        a.check("after a refresh, \(random.comment)")
      case 8..<10: try writer.write(file: file)
      case 10 where Bool.random(using: &random):
        a.test.store.invalidate()
      default:
        a.test.turn(milliseconds: 1)
        b.test.turn(milliseconds: 0)
      }
    }
    for observer in [a, b] {
      try observer.test.store.refresh()
      observer.test.turn(milliseconds: 1)
      observer.check("at the end, \(random.comment)")
      for watched in observer.watched {
        #expect(watched.known == watched.fresh(), "\(watched.name) as told, \(random.comment)")
      }
    }
  }

  @Test("One row of many: neither the observer nor the writer counts the others, and the order is not read")
  func cost() throws {
    let file = TestFile()
    let test = try file.openLibrary()
    try test.write { store in
      for id in 0..<5_000 { store.add(LibraryBook(id: id, pages: id)) }
    }
    let thick = try test.books.filter(#Predicate { $0.pages >= 1_000 })
    let count = thick.liveCount()
    let sum = thick.liveSum(of: \.pages)
    var values: [Int] = []
    let token = count.observe { if let value = $0.value { values.append(value) } }
    _ = test.turns(until: { values == [4_000] })
    #expect(sum.value == (1_000..<5_000).reduce(0, +))
    let source = count.source
    let before = test.store.coordinator.knownResults().count
    #expect(before == 2 && source.ranked.live.tree == nil)
    let counter = OperationCounter(test.store)
    try test.write { _ in test.existing(LibraryBook.self, 7)?.pages = 2_000 }
    _ = test.turns(until: { values == [4_000, 4_001] })
    #expect(counter.count < 2_000)
    #expect(sum.value == (1_000..<5_000).reduce(2_000, +))
    #expect(source.ranked.live.tree == nil && thick.ranked.live.tree == nil)
    token.invalidate()
  }

  @Test("Values that another program stores in the wrong type, sums beyond every number, infinity")
  func irregular() throws {
    let file = TestFile()
    let test = try file.openLibrary()
    let connection = try Connection(path: file.path, create: false)
    connection.setBusyTimeout(milliseconds: 5_000)
    try test.write { store in
      for id in 1...3 {
        let book = LibraryBook(id: id, pages: id)
        book.price = Double(id)
        store.add(book)
      }
    }
    let pages = test.books.liveSum(of: \.pages)
    let price = test.books.liveSum(of: \.price)
    let mean = test.books.liveAverage(of: \.price)
    func expect(_ sum: Int, _ total: Double, _ average: Double?) throws {
      try test.store.refresh()
      #expect(pages.value == sum && price.value == total && mean.value == average)
      #expect(test.books.sum(of: \.pages) == sum && test.books.sum(of: \.price) == total)
      #expect(test.books.average(of: \.price) == average)
    }
    try expect(6, 6, 2)
    for (change, sum, total, average) in [
      ("pages = 9223372036854775807 WHERE id < 3", Int.max, 6, 2),
      ("pages = -9223372036854775807 WHERE id = 2", 3, 6, 2),
      ("pages = 1, price = 9e999 WHERE id = 1", -9_223_372_036_854_775_803, .infinity, .infinity),
      ("pages = 2, price = 1e300 WHERE id = 2", 6, .infinity, .infinity),
      ("price = 1 WHERE id = 1", 6, 1e300, 1e300 / 3), ("price = 2 WHERE id = 2", 6, 6, 2),
      ("price = NULL WHERE id = 3", 6, 3, 1.5), ("price = 9e999 WHERE id = 1", 6, .infinity, .infinity),
      ("price = -9e999 WHERE id = 2", 6, 0, nil), ("price = 1 WHERE id = 1", 6, -.infinity, -.infinity),
      ("price = 2 WHERE id = 2", 6, 3, 1.5),
    ] as [(String, Int, Double, Double?)] {
      try connection.execute("UPDATE LibraryBook SET \(change)")
      try expect(sum, total, average)
    }
  }

  @Test("Fractions that another program stores for whole numbers count as objects show them, in every number")
  func fractions() throws {
    let file = TestFile()
    let test = try file.openLibrary()
    try test.write { for id in 1...3 { $0.add(LibraryBook(id: id, pages: 1)) } }
    sqlite3(file.path, "UPDATE LibraryBook SET pages = 1.5 WHERE id < 3")
    try test.store.refresh()
    let books = test.books
    #expect(books.map(\.pages) == [1, 1, 1])
    #expect(books.liveSum(of: \.pages).value == 3 && books.liveAverage(of: \.pages).value == 1)
    #expect(books.sum(of: \.pages) == 3 && books.average(of: \.pages) == 1)
    #expect(books.liveSum(of: \.pages, by: \.id).value == [1: 1, 2: 1, 3: 1])
    sqlite3(file.path, "UPDATE LibraryBook SET pages = 9223372036854775807 WHERE id = 3")
    try test.store.refresh()
    #expect(books.sum(of: \.pages) == .max && books.liveSum(of: \.pages).value == .max)
    sqlite3(file.path, "UPDATE LibraryBook SET pages = -2 WHERE id = 3")
    try test.store.refresh()
    #expect(books.sum(of: \.pages) == 0 && books.liveSum(of: \.pages).value == 0)
    #expect(books.average(of: \.pages) == 0 && books.liveAverage(of: \.pages).value == 0)
  }

  @Test("Groups by values of another type, by texts that Swift takes for equal, and by none")
  func groups() throws {
    let file = TestFile()
    let test = try file.openLibrary()
    try test.write { store in
      for id in 1...6 { store.add(LibraryBook(id: id, title: id < 4 ? "\u{E9}" : "e\u{301}", pages: id % 2)) }
    }
    let titles = test.books.liveMax(of: \.id, by: \.title)
    let genres = test.books.liveSum(of: \.pages, by: \.genre)
    let prices = test.books.liveCount(by: \.price)
    #expect(titles.value == ["\u{E9}": 6] && genres.value == [.novel: 3] && prices.value == [nil: 6])
    for (change, expected) in [
      ("genre = 'poem', price = 1 WHERE id < 3", [.novel: 2, .poem: 1]),
      // Shown as the default.
      ("genre = 'opera' WHERE id = 1", [.novel: 3, .poem: 0]),
      ("genre = 'play' WHERE id = 2", [.novel: 3]),
      ("pages = 9223372036854775807", [.novel: Int.max]), ("pages = 1", [.novel: 6]),
    ] as [(String, [LibraryGenre: Int])] {
      let connection = try Connection(path: file.path, create: false)
      try connection.execute("UPDATE LibraryBook SET \(change)")
      try test.store.refresh()
      #expect(genres.value == expected, "\(change)")
      #expect(genres.value == test.books.liveSum(of: \.pages, by: \.genre).value)
    }
    #expect(prices.value == [nil: 4, 1: 2])
    try test.write { store in store.delete(Array(test.books).filter { $0.id > 3 }) }
    #expect(titles.value == ["\u{E9}": 3] && prices.value == [nil: 1, 1: 2])
    try test.write { $0.deleteAll() }
    #expect(titles.value.isEmpty && genres.value.isEmpty && prices.value.isEmpty)
  }

  @Test("An observer of groups on another queue receives each value that has changed")
  func observedGroups() async throws {
    let file = TestFile()
    let test = try file.openLibrary()
    try test.write { $0.add(LibraryBook(id: 1, pages: 1)) }
    let (values, continuation) = AsyncStream.makeStream(of: [Int: Int].self)
    let token = test.books.liveCount(by: \.pages).observe(on: .queue(DispatchQueue(label: "groups"))) {
      if let value = $0.value { continuation.yield(value) }
    }
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == [1: 1])
    sqlite3(file.path, "INSERT INTO LibraryBook (id, pages) VALUES (2, 7)")
    #expect(await iterator.next() == [1: 1, 7: 1])
    // A title is no part of any group.
    sqlite3(file.path, "UPDATE LibraryBook SET title = 'other' WHERE id = 1")
    sqlite3(file.path, "UPDATE LibraryBook SET pages = 7 WHERE id = 1")
    #expect(await iterator.next() == [7: 2])
    token.invalidate()
  }

  @Test("A calculation that goes on does not keep the store, whose end waits for it")
  func releasing() throws {
    var test: TestStore? = try TestFile().openLibrary()
    weak let store = test?.store
    var count = test?.books.liveCount()
    var token = count?.observe { _ in }
    _ = test?.turns { count?.source.live.state != nil }
    let input = test?.store.coordinator.input()
    #expect(input?.results.count == 1 && input?.observers.count == 1)
    token?.invalidate()
    test?.store.processNotifications()
    (token, count, test) = (nil, nil, nil)
    #expect(store == nil)
    withExtendedLifetime(input) {}
  }

  @Test("Large and small lists, with elements that stand twice, are counted alike")
  func listSizes() throws {
    let test = try TestFile().openLibrary()
    var random = SeededGenerator()
    for (id, count) in [(1, 17_000), (2, 2_000), (3, 40)] {
      try test.write { store in
        let author = LibraryAuthor(id: id)
        store.add(author)
        for _ in 0..<count {
          let number = Int.random(in: 0..<4_000, using: &random)
          let known = test.existing(LibraryBook.self, number)
          author.books.append(known ?? LibraryBook(id: number, pages: Int.random(in: 0...9, using: &random)))
        }
      }
    }
    for id in 1...3 {
      let list = try #require(test.existing(LibraryAuthor.self, id)).books
      let thick = try list.filter(#Predicate { $0.pages > 4 })
      let expected = list.map(\.pages)
      #expect(thick.liveCount().value == expected.count { $0 > 4 }, "\(random.comment)")
      #expect(list.liveSum(of: \.pages).value == expected.reduce(0, +), "\(random.comment)")
      #expect(thick.count == expected.count { $0 > 4 } && list.sum(of: \.pages) == expected.reduce(0, +))
    }
  }

  @Test("The first call has the value; later ones come with another value only")
  func calls() throws {
    let test = try TestFile().openLibrary()
    let count = test.books.liveCount()
    var heard: [String] = []
    let token = count.observe { change in
      switch change {
      case .initial(let value): heard.append("initial \(value)")
      case .update(let value): heard.append("update \(value)")
      case .error: heard.append("error")
      }
    }
    _ = test.turns(until: { heard == ["initial 0"] })
    try test.write { store in store.add(LibraryBook(id: 1)) }
    _ = test.turns(until: { heard.count == 2 })
    // Neither a change without effect nor one that is taken back is a call.
    try test.write { store in test.existing(LibraryBook.self, 1)?.pages = 5 }
    try test.write { store in store.add(LibraryBook(id: 2)) }
    try test.write { store in store.delete(try #require(test.existing(LibraryBook.self, 2))) }
    try test.write { store in store.add(LibraryBook(id: 3)) }
    _ = test.turns(until: { heard.last == "update 2" })
    #expect(heard.filter { $0 != "update 1" && $0 != "update 2" } == ["initial 0"])
    token.invalidate()
  }

  @Test("Another stored value that shows as the former one is no call of an observer of groups")
  func sameGroups() throws {
    let file = TestFile()
    let test = try file.openLibrary()
    try test.write { store in
      for id in 1...2 { store.add(LibraryBook(id: id, title: "\u{E9}")) }
    }
    var heard: [[String: Int]] = []
    let token = test.books.liveCount(by: \.title).observe { if let value = $0.value { heard.append(value) } }
    _ = test.turns(until: { heard.count == 1 })
    for (title, id) in [("e\u{301}", 1), ("e\u{301}", 2), ("\u{E9}", 1)] {
      try test.write { _ in test.existing(LibraryBook.self, id)?.title = title }
      try test.store.refresh()
    }
    #expect(heard == [["\u{E9}": 2]])
    // The callback knows the values for which it was not called.
    try test.store.write(withoutNotifying: [token]) { test.store.add(LibraryBook(id: 3, title: "\u{E9}")) }
    try test.write { store in store.delete(try #require(test.existing(LibraryBook.self, 3))) }
    try test.store.refresh()
    #expect(heard == [["\u{E9}": 2], ["\u{E9}": 2]])
    token.invalidate()
  }

  @Test("On another scheduler it is called there, with the value of the same collection")
  func elsewhere() throws {
    let test = try TestFile().openLibrary()
    try test.write { store in
      let author = LibraryAuthor(id: 1)
      store.add(author)
      for id in 1...3 { author.books.append(LibraryBook(id: id, pages: id)) }
    }
    let list = try #require(test.existing(LibraryAuthor.self, 1)).books
    let sum = try list.filter(#Predicate { $0.pages > 1 }).liveSum(of: \.pages)
    let queue = DispatchQueue(label: "aggregates")
    let log = CallbackLog()
    let token = sum.observe(on: .queue(queue)) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      switch change {
      case .initial(let value): log.append("initial \(value)")
      case .update(let value): log.append("update \(value)")
      case .error(let error): log.append("\(error)")
      }
    }
    #expect(log.wait(for: 1) == ["initial 5"])
    try test.write { _ in test.existing(LibraryBook.self, 1)?.pages = 10 }
    #expect(log.wait(for: 2).last == "update 15")
    // A book that the list does not contain is no change.
    try test.write { store in store.add(LibraryBook(id: 4, pages: 100)) }
    try test.write { _ in test.existing(LibraryBook.self, 1)?.pages = 0 }
    #expect(log.wait(for: 3) == ["initial 5", "update 15", "update 5"])
    token.invalidate()
  }

  @Test("A stream has the present value first, and then the newest whenever the consumer asks")
  @MainActor
  func stream() async throws {
    let file = TestFile()
    let configuration = Store.Configuration(
      path: file.path, objectTypes: [LibraryAuthor.self, LibraryBook.self, LibraryPublisher.self])
    let store = try Store(configuration)
    let writer = try Store(configuration)
    let count = store.objects(LibraryBook.self).liveCount()
    var changes = count.changes.makeAsyncIterator()
    guard case .initial(let first)? = await changes.next() else {
      Issue.record("no first call")
      return
    }
    #expect(first == 0)
    try writer.write { writer.add(LibraryBook(id: 1)) }
    guard case .update(let second)? = await changes.next() else {
      Issue.record("no change")
      return
    }
    #expect(second == 1)
    var seen: [Int] = []
    let consumer = Task {
      for await value in count.values { seen.append(value) }
    }
    while seen != [1] { await Task.yield() }
    // The value of the first commit arrives, and is a former one when the consumer comes to take it.
    for id in 2...3 {
      try writer.write { writer.add(LibraryBook(id: id)) }
      try store.refresh()
    }
    while seen.last != 3 { await Task.yield() }
    #expect(seen == [1, 3])
    store.close()
    await consumer.value
    #expect(await changes.next() == nil)
  }
}

/// An instance and the aggregates that it observes.
private final class AggregateObserver {
  final class Watched {
    let name: String
    let fresh: () -> String
    let live: () -> String
    var known: String?
    var token: NotificationToken?

    init(_ name: String, fresh: @escaping () -> String, live: @escaping () -> String) {
      (self.name, self.fresh, self.live) = (name, fresh, live)
    }

    func receive(_ value: String, isFirst: Bool) {
      #expect(value == fresh(), "\(name), in a call")
      #expect(isFirst || value != known, "\(name) is called for nothing")
      known = value
    }

    /// Takes the present value as known, as after a write that it was not notified of.
    func reload() { if known != nil { known = fresh() } }
  }

  let test: TestStore
  private(set) var watched: [Watched] = []

  init(_ file: TestFile) throws {
    test = try file.openLibrary()
    if test.publishers.isEmpty {
      try test.write { store in
        for id in 0..<3 { store.add(LibraryAuthor(id: id, born: 1_900 + id)) }
        store.add(LibraryPublisher(id: 0))
      }
    }
    let books = test.books
    let authors = test.authors
    let thick = try books.filter(#Predicate { $0.pages > 200 })
    let led = try authors.filter(#Predicate { ($0.mentor?.publisher?.name ?? "z") < "b" })
    let open = try authors.filter(#Predicate { $0.publisher?.isOpen != true })
    let author = try #require(test.existing(LibraryAuthor.self, 1))
    let publisher = try #require(test.existing(LibraryPublisher.self, 0))
    let list = author.books
    let thickOfList = try list.filter(#Predicate { $0.pages > 200 })
    add("books", books.liveCount()) { books.count }
    add("thick", thick.liveCount()) { thick.count }
    add("led", led.liveCount()) { led.count }
    add("open", open.liveCount()) { open.count }
    add("list", list.liveCount()) { list.count }
    add("thick of the list", thickOfList.liveCount()) { thickOfList.count }
    add("pupils", author.pupils.liveCount()) { author.pupils.count }
    add("its authors", publisher.authors.liveSum(of: \.born)) { publisher.authors.sum(of: \.born) }
    add("pages", books.liveSum(of: \.pages)) { books.sum(of: \.pages) }
    add("price", thick.liveSum(of: \.price)) { thick.sum(of: \.price) }
    add("pages of the list", list.liveSum(of: \.pages)) { list.sum(of: \.pages) }
    add("mean", thickOfList.liveAverage(of: \.price)) { thickOfList.average(of: \.price) }
    add("born", authors.liveMin(of: \.born)) { authors.min(of: \.born) }
    add("longest", list.liveMax(of: \.pages)) { list.max(of: \.pages) }
    add("founded", test.publishers.liveMax(of: \.founded)) { [test] in test.publishers.max(of: \.founded) }
    let distinct = books.distinct(by: [\.pages])
    let few = books.sorted(by: \.title).limit(3)
    add("distinct", distinct.liveCount()) { distinct.count }
    add("few", few.liveSum(of: \.pages)) { few.sum(of: \.pages) }
    addGroups(books.liveCount(by: \.genre), of: books, by: \.genre) { $0.count }
    addGroups(thick.liveSum(of: \.pages, by: \.price), of: thick, by: \.price) {
      $0.reduce(0) { $0 + $1.pages }
    }
    addGroups(list.liveCount(by: \.genre), of: list, by: \.genre) { $0.count }
    addGroups(thickOfList.liveSum(of: \.price, by: \.genre), of: thickOfList, by: \.genre) {
      $0.reduce(0) { $0 + ($1.price ?? 0) }
    }
    addGroups(authors.liveCount(by: \.publisher?.name), of: authors, by: \.publisher?.name) { $0.count }
    addGroups(open.liveAverage(of: \.born, by: \.mentor?.name), of: open, by: \.mentor?.name) {
      Double($0.reduce(0) { $0 + $1.born }) / Double($0.count)
    }
    addGroups(author.pupils.liveMin(of: \.born, by: \.name), of: author.pupils, by: \.name) {
      $0.map(\.born).min()
    }
    addGroups(books.liveMax(of: \.price, by: \.pages), of: books, by: \.pages) {
      $0.compactMap(\.price).max()
    }
    addGroups(few.liveCount(by: \.genre), of: few, by: \.genre) { $0.count }
    addGroups(distinct.liveCount(by: \.pages), of: distinct, by: \.pages) { $0.count }
  }

  /// - Parameter value: The value of a group, calculated from all its elements.
  private func addGroups<Elements: Sequence, Key: Hashable, Value>(
    _ live: LiveAggregate<[Key: Value]>, of elements: Elements, by key: KeyPath<Elements.Element, Key>,
    value: @escaping ([Elements.Element]) -> Value
  ) {
    add("groups by \(key)", live) {
      Dictionary(grouping: elements) { $0[keyPath: key] }.mapValues(value)
    } text: {
      $0.map { "\($0.key): \(Self.text($0.value))" }.sorted().joined(separator: ", ")
    }
  }

  private static func text(_ value: some Any) -> String {
    if let double = value as? Double { return "\((double * 1e6).rounded() / 1e6)" }
    return "\(value)"
  }

  private func add<Value>(
    _ name: String, _ live: LiveAggregate<Value>, fresh: @escaping () -> Value,
    text: @escaping (Value) -> String = { AggregateObserver.text($0) }
  ) {
    let entry = Watched(name, fresh: { text(fresh()) }, live: { text(live.value) })
    watched.append(entry)
    entry.token = live.observe { [unowned entry] change in
      switch change {
      case .initial(let value): entry.receive(text(value), isFirst: true)
      case .update(let value): entry.receive(text(value), isFirst: false)
      case .error(let error): Issue.record("\(error)")
      }
    }
  }

  func check(_ moment: String) {
    for watched in watched { #expect(watched.live() == watched.fresh(), "\(watched.name) \(moment)") }
  }
}
