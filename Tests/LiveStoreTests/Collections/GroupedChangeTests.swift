import Dispatch
import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Which groups of an aggregate have changed")
struct GroupedChangeTests {
  private static var steps: Int { randomSteps(usually: 200) }

  @Test("L1: the groups named, and no others, lead from the last call to what SQLite calculates anew")
  func random() throws {
    var random = SeededGenerator()
    print(random.comment)
    let file = TestFile()
    let a = try GroupsObserver(file, random.comment)
    let b = try GroupsObserver(file, random.comment)
    var writer = RandomLibraryWriter(seed: random.next())
    for _ in 0..<Self.steps {
      switch Int.random(in: 0..<14, using: &random) {
      case 0..<3: try writer.write(a.test.store)
      case 3:
        let own = a.watched.filter { _ in Bool.random(using: &random) }
        try writer.write(a.test.store, withoutNotifying: own.map(\.token))
        for watched in own { watched.reload() }
      case 4..<6: try writer.write(b.test.store)
      case 6: try writer.cancel(a.test.store)
      case 7: try a.test.store.refresh()
      case 8: try writer.write(file: file)
      case 9, 10: try Self.writeStrangely(file, &random)
      case 11 where Bool.random(using: &random): a.test.store.invalidate()
      default:
        a.test.turn(milliseconds: 1)
        b.test.turn(milliseconds: 0)
      }
    }
    for observer in [a, b] {
      try observer.test.store.refresh()
      observer.test.turn(milliseconds: 1)
      for watched in observer.watched { watched.check() }
    }
  }

  /// Stores values that the types of the properties cannot represent, and texts that Swift takes for equal.
  private static func writeStrangely(_ file: TestFile, _ random: inout SeededGenerator) throws {
    let connection = try Connection(path: file.path, create: false)
    connection.setBusyTimeout(milliseconds: 5_000)
    let values = ["'opera'", "'opus'", "'novel'", "'poem'", "'\u{E9}'", "'e\u{301}'", "'e'"]
    let value = values.randomElement(using: &random) ?? ""
    let property = value.contains("o") ? "genre" : "title"
    let divisor = Int.random(in: 1...5, using: &random)
    try connection.execute("UPDATE LibraryBook SET \(property) = \(value) WHERE id % 6 = \(divisor)")
  }

  @Test("A group that goes and comes back between two calls is a modification or nothing")
  func back() throws {
    let file = TestFile()
    let test = try file.openLibrary()
    try test.write { store in
      for id in 1...4 { store.add(LibraryBook(id: id, pages: id % 2)) }
    }
    var calls: [GroupedAggregateChange<Int, Int>] = []
    let count = test.books.liveCount(by: \.pages)
    let token = count.observeGroups { calls.append($0) }
    try test.store.refresh()
    guard case .initial([0: 2, 1: 2])? = calls.popLast() else {
      Issue.record("no first call")
      return
    }
    let connection = try Connection(path: file.path, create: false)
    connection.setBusyTimeout(milliseconds: 5_000)
    func expect(
      _ writes: [String], _ value: [Int: Int], deletions: Set<Int> = [], insertions: Set<Int> = [],
      modifications: Set<Int> = []
    ) throws {
      for sql in writes { try connection.execute(sql) }
      try test.store.refresh()
      let changes = GroupedChangeSet(
        deletions: deletions, insertions: insertions, modifications: modifications)
      switch calls.popLast() {
      case .update(let new, let named)?: #expect(new == value && named == changes, "\(writes)")
      case nil: #expect(changes.isEmpty && count.value == value, "\(writes)")
      default: Issue.record("no update after \(writes)")
      }
      #expect(calls.isEmpty)
    }
    let (gone, back) = ("UPDATE LibraryBook SET pages = 9", "UPDATE LibraryBook SET pages = id % 2")
    try expect([gone, back], [0: 2, 1: 2])
    try expect([gone, "\(back) WHERE id < 4"], [0: 1, 1: 2, 9: 1], insertions: [9], modifications: [0])
    let odd = "DELETE FROM LibraryBook WHERE id % 2"
    try expect([back, odd], [0: 2], deletions: [9, 1], modifications: [0])
    // By a write that the observer is not told of, after which it comes back.
    let book = try #require(test.existing(LibraryBook.self, 2))
    try test.store.write(withoutNotifying: [token]) { book.pages = 7 }
    try expect([], [0: 1, 7: 1])
    try expect(["UPDATE LibraryBook SET pages = 0"], [0: 2], deletions: [7], modifications: [0])
    try expect([gone], [9: 2], deletions: [0], insertions: [9])
    // Within a write, and by writes of its own.
    try test.write { _ in
      book.pages = 5
      book.pages = 9
    }
    try expect([], [9: 2])
    try test.write { store in store.add(LibraryBook(id: 8, pages: 5)) }
    try expect([], [9: 2, 5: 1], insertions: [5])
    token.invalidate()
  }

  @Test("One group of many: no other is read, neither to find out what differs nor to make the values")
  func cost() throws {
    let test = try TestFile().openLibrary()
    try test.write { store in
      for id in 0..<3_000 { store.add(LibraryBook(id: id, pages: id)) }
    }
    let source = test.books.liveCount(by: \.pages).source
    final class Counter: @unchecked Sendable {
      // Used by this test's thread alone.
      var keys = 0
    }
    let counter = Counter()
    let follower = GroupFollower(
      source,
      GroupReader<Int64, Int>(
        key: { stored, _ in
          counter.keys += 1
          return stored.integerReading ?? -1
        }, value: { tally, _ in tally.count }))
    var state = source.current(else: AggregateState())
    #expect(follower.values(in: state).count == 3_000 && counter.keys == 3_000)
    for step in 1...40 {
      let old = state
      try test.write { _ in test.existing(LibraryBook.self, step)?.pages = step + 1 }
      state = try #require(source.known)
      let (values, changes) = follower.change(from: old, to: state)
      #expect(values[Int64(step) + 1] == 2 && values.count == 3_000 - step)
      #expect(changes.deletions == [Int64(step)] && changes.modifications == [Int64(step) + 1])
      #expect(counter.keys == 3_000 + 2 * step)
      #expect(state.trail.groups(since: old.trail)?.count == 2)
      try test.write { _ in test.existing(LibraryBook.self, step)?.pages = 0 }
      let back = follower.change(from: state, to: try #require(source.known))
      #expect(back.changes.modifications == [0, Int64(step) + 1] && back.changes.deletions.isEmpty)
      counter.keys -= 2
      state = try #require(source.known)
    }
  }

  @Test("On another scheduler")
  @MainActor
  func elsewhere() throws {
    let file = TestFile()
    let configuration = Store.Configuration(
      path: file.path, objectTypes: [LibraryAuthor.self, LibraryBook.self, LibraryPublisher.self])
    let store = try Store(configuration)
    let writer = try Store(configuration)
    let log = CallbackLog()
    let count = store.objects(LibraryBook.self).liveCount(by: \.pages)
    let token = count.observeGroups(on: .queue(DispatchQueue(label: "groups"))) { change in
      switch change {
      case .initial(let value): log.append("initial \(value)")
      case .update(_, let changes):
        log.append(
          "\(changes.deletions.sorted()) \(changes.insertions.sorted()) \(changes.modifications.sorted())")
      case .error(let error): log.append("\(error)")
      }
    }
    #expect(log.wait(for: 1) == ["initial [:]"])
    try writer.write { for id in 1...3 { writer.add(LibraryBook(id: id, pages: id)) } }
    #expect(log.wait(for: 2).last == "[] [1, 2, 3] []")
    try writer.write { writer.object(ofType: LibraryBook.self, forPrimaryKey: 1)?.pages = 2 }
    #expect(log.wait(for: 3).last == "[1] [] [2]")
    for _ in 0..<2 {
      try writer.write { writer.object(ofType: LibraryBook.self, forPrimaryKey: 3)?.pages = 1 }
      try store.refresh()
    }
    #expect(log.wait(for: 4).last == "[3] [1] []")
    token.invalidate()
    store.close()
  }
}

/// An instance, and the groups that it observes.
private final class GroupsObserver {
  final class Watched {
    let name: String
    private let checking: () -> Void
    private let reloading: () -> Void
    let token: NotificationToken

    init(
      _ name: String, _ token: NotificationToken, check: @escaping () -> Void,
      reload: @escaping () -> Void
    ) {
      (self.name, self.token, checking, reloading) = (name, token, check, reload)
    }

    func check() { checking() }
    /// Takes the present value as known, as after a write that it was not notified of.
    func reload() { reloading() }
  }

  /// The values that an observer knows, advanced by what the calls name alone.
  private final class Model<Key: Hashable> {
    var known: [Key: String]?

    func receive(_ value: [Key: String], _ changes: GroupedChangeSet<Key>, _ comment: String) {
      guard var known else {
        Issue.record("A change came before the first call, \(comment)")
        return
      }
      #expect(!changes.isEmpty, "called for nothing, \(comment)")
      for key in changes.deletions { #expect(known.removeValue(forKey: key) != nil, "\(key), \(comment)") }
      for key in changes.insertions {
        #expect(known[key] == nil, "\(key), \(comment)")
        known[key] = value[key]
      }
      for key in changes.modifications {
        #expect(known[key] != nil && known[key] != value[key], "\(key), \(comment)")
        known[key] = value[key]
      }
      #expect(known == value, "\(comment)")
      self.known = value
    }
  }

  let test: TestStore
  private let comment: String
  private(set) var watched: [Watched] = []

  init(_ file: TestFile, _ comment: String) throws {
    test = try file.openLibrary()
    self.comment = comment
    if test.publishers.isEmpty {
      try test.write { store in
        for id in 0..<3 { store.add(LibraryAuthor(id: id, born: 1_900 + id)) }
        store.add(LibraryPublisher(id: 0))
      }
    }
    let (books, authors) = (test.books, test.authors)
    let thick = try books.filter(#Predicate { $0.pages > 200 })
    let open = try authors.filter(#Predicate { $0.publisher?.isOpen != true })
    let list = try #require(test.existing(LibraryAuthor.self, 1)).books
    let few = books.sorted(by: \.title).limit(3)
    add(books.liveCount(by: \.genre), of: books, by: \.genre) { $0.count }
    add(books.liveCount(by: \.title), of: books, by: \.title) { $0.count }
    add(thick.liveSum(of: \.pages, by: \.price), of: thick, by: \.price) { $0.reduce(0) { $0 + $1.pages } }
    add(list.liveCount(by: \.genre), of: list, by: \.genre) { $0.count }
    add(list.liveSum(of: \.price, by: \.title), of: list, by: \.title) {
      $0.reduce(0) { $0 + ($1.price ?? 0) }
    }
    add(authors.liveCount(by: \.publisher?.name), of: authors, by: \.publisher?.name) { $0.count }
    add(open.liveMin(of: \.born, by: \.mentor?.name), of: open, by: \.mentor?.name) { $0.map(\.born).min() }
    add(books.liveMax(of: \.price, by: \.pages), of: books, by: \.pages) { $0.compactMap(\.price).max() }
    add(few.liveCount(by: \.genre), of: few, by: \.genre) { $0.count }
  }

  /// - Parameter value: The value of a group, calculated from all its elements.
  private func add<Elements: Sequence, Key: Hashable, Value: SendableMetatype>(
    _ live: LiveAggregate<[Key: Value]>, of elements: Elements, by key: KeyPath<Elements.Element, Key>,
    value: @escaping ([Elements.Element]) -> Value
  ) {
    let model = Model<Key>()
    let comment = "groups by \(key), \(comment)"
    let fresh = {
      Dictionary(grouping: elements) { $0[keyPath: key] }.mapValues { Self.text(value($0)) }
    }
    let token = live.observeGroups { change in
      switch change {
      case .initial(let values):
        model.known = values.mapValues(Self.text)
        #expect(model.known == fresh(), "\(comment)")
      case .update(let values, let changes):
        #expect(values.mapValues(Self.text) == fresh(), "\(comment)")
        model.receive(values.mapValues(Self.text), changes, comment)
      case .error(let error): Issue.record("\(error)")
      }
    }
    watched.append(
      Watched(
        comment, token, check: { #expect(model.known == fresh(), "as told, \(comment)") },
        reload: { if model.known != nil { model.known = fresh() } }))
  }

  private static func text(_ value: some Any) -> String {
    if let double = value as? Double { return "\((double * 1e6).rounded() / 1e6)" }
    return "\(value)"
  }
}
