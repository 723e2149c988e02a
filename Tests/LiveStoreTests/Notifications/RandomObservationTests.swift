import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// The contents of a store, read with SQL of its own through the instance's snapshot.
private struct Contents {
  let store: Store

  func strings(_ sql: String) -> [String] {
    store.rows(sql).map { $0.map { "\($0)" }.joined(separator: "|") }
  }

  /// Each person with all that it leads to over three links, each dog by itself.
  func people() -> [String: String] {
    let people = Dictionary(uniqueKeysWithValues: store.rows("SELECT * FROM Person").map { ("\($0[0])", $0) })
    let friends = Dictionary(
      uniqueKeysWithValues: store.rows("SELECT id, friend FROM Person").map { ("\($0[0])", "\($0[1])") })
    let dogs = dogs()
    var lists: [String: [(String, String)]] = [:]
    for row in store.rows(
      "SELECT owner, target, position, entry FROM Person_dogs ORDER BY owner, position, target, entry")
    {
      lists["\(row[0])", default: []].append(("\(row[1])", "\(row[3])"))
    }
    func content(_ key: String, _ depth: Int) -> String {
      guard let row = people[key] else { return "-" }
      var text = "\(row)"
      for (dog, place) in lists[key] ?? [] { text += " [\(place) \(depth > 0 ? dogs[dog] ?? "-" : dog)]" }
      if depth > 0, let friend = friends[key] { text += " -> " + content(friend, depth - 1) }
      return text
    }
    return Dictionary(uniqueKeysWithValues: people.keys.map { ($0, content($0, 3)) })
  }

  func dogs() -> [String: String] {
    Dictionary(uniqueKeysWithValues: store.rows("SELECT id, name FROM Dog").map { ("\($0[0])", "\($0)") })
  }

  /// The dogs of the person with the number 1, as entries of the list.
  func entries() -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: store.rows(
        "SELECT l.entry, l.target, d.name FROM Person_dogs l JOIN Dog d ON d.id = l.target WHERE l.owner = 1"
      ).map { ("\($0[0])", "\($0[1]) \($0[2])") })
  }
}

/// An instance and collections of every kind that it observes.
private final class Observer {
  let test: TestStore
  private(set) var mirrors: [CollectionMirror] = []
  private let owner: Person

  init(_ file: TestFile) throws {
    test = try file.open()
    let store = test.store
    if store.object(ofType: Person.self, forPrimaryKey: 1) == nil {
      try store.write { store.add(Person(id: 1, name: "owner", age: 50)) }
    }
    owner = try #require(store.object(ofType: Person.self, forPrimaryKey: 1))
    let contents = Contents(store: store)
    func add<Element: Object>(
      _ name: String, _ results: Results<Element>, _ sql: String, _ values: @escaping () -> [String: String]
    ) {
      mirrors.append(
        CollectionMirror(name, keys: { contents.strings(sql) }, contents: values) { mirror in
          results.observe { [unowned mirror] in mirror.receive($0) }
        })
    }
    let people = store.objects(Person.self)
    add("people", people, "SELECT id FROM Person ORDER BY id", contents.people)
    add(
      "by age", people.sorted(by: \.name).sorted(by: \.age, ascending: false),
      "SELECT id FROM Person ORDER BY age DESC, name, id", contents.people)
    add(
      "old", try people.filter(#Predicate { $0.age > 50 }).sorted(by: \.age),
      "SELECT id FROM Person WHERE age > 50 ORDER BY age, id", contents.people)
    add("dogs", store.objects(Dog.self), "SELECT id FROM Dog ORDER BY id", contents.dogs)
    let dogs = owner.dogs
    mirrors.append(
      CollectionMirror(
        "list",
        keys: {
          contents.strings("SELECT entry FROM Person_dogs WHERE owner = 1 ORDER BY position, target, entry")
        }, contents: contents.entries
      ) { mirror in
        dogs.observe { [unowned mirror] in mirror.receive($0) }
      })
    add(
      "list by name", dogs.sorted(by: \.name),
      "SELECT l.entry FROM Person_dogs l JOIN Dog d ON d.id = l.target WHERE l.owner = 1 "
        + "ORDER BY d.name, l.position, l.target, l.entry", contents.entries)
    add(
      "list filtered", try dogs.filter(#Predicate { $0.name > "d4" }),
      "SELECT l.entry FROM Person_dogs l JOIN Dog d ON d.id = l.target WHERE l.owner = 1 AND d.name > 'd4' "
        + "ORDER BY l.position, l.target, l.entry", contents.entries)
  }
}

@Suite("Whatever is written, by whomever, every change set leads from what was known to what is")
struct RandomObservationTests {
  private static var steps: Int { randomSteps(usually: 400) }

  @Test("L1–L8, R18–R26, R69–R84: two observers, own, skipped and foreign writes in one process")
  func oneProcess() throws {
    var random = SeededGenerator()
    let seed = random.seed
    print(random.comment)
    let file = TestFile()
    let a = try Observer(file)
    let b = try Observer(file)
    var writer = RandomWriter(seed: seed &+ 1)
    for _ in 0..<Self.steps {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        try a.test.store.write { writer.change(a.test.store) }
      case 4..<6:
        // A write that some of the mirrors show themselves.
        let own = a.mirrors.filter { _ in Bool.random(using: &random) }
        try a.test.store.beginWrite()
        writer.change(a.test.store)
        try a.test.store.commitWrite(withoutNotifying: own.compactMap(\.token))
        for mirror in own where mirror.calls > 0 { mirror.reload() }
      case 6..<8:
        try b.test.store.write { writer.change(b.test.store) }
      case 8:
        try a.test.store.beginWrite()
        writer.change(a.test.store)
        a.test.store.cancelWrite()
      case 9:
        try a.test.store.refresh()
        for mirror in a.mirrors where mirror.calls > 0 { mirror.check("after a refresh") }
      case 10:
        try foreign(file.path, writer.sql())
      default:
        a.test.turn(milliseconds: 1)
        b.test.turn(milliseconds: 0)
      }
    }
    for observer in [a, b] {
      try observer.test.store.refresh()
      for mirror in observer.mirrors { mirror.check("at the end, seed \(seed)") }
    }
    for (left, right) in zip(a.mirrors, b.mirrors) {
      #expect(left.rows.map(\.content) == right.rows.map(\.content))
    }
  }

  @Test("R174, L13: two other processes and a foreign program write at the same time")
  func processes() throws {
    let random = SeededGenerator()
    let seed = random.seed
    print(random.comment)
    let file = TestFile()
    let observer = try Observer(file)
    let store = observer.test.store
    var writer = RandomWriter(seed: seed &+ 2)
    let peers = try (0..<2).map { try Peer.start([file.path, "\(seed &+ UInt64($0) + 10)", "1500"]) }
    var running = peers
    var round = 0
    while !running.isEmpty {
      running.removeAll { $0.hasEnded }
      round += 1
      if round % 3 == 0 { try store.write { writer.change(store) } }
      if round % 5 == 0 {
        let mirror = observer.mirrors[round % observer.mirrors.count]
        let silenced = mirror.calls > 0 ? [mirror.token].compactMap { $0 } : []
        try store.write(withoutNotifying: silenced) { writer.change(store) }
        if !silenced.isEmpty { mirror.reload() }
      }
      if round % 11 == 0 { try foreign(file.path, writer.sql()) }
      observer.test.turn(milliseconds: 2)
    }
    for peer in peers { #expect(peer.status == 0) }
    try store.refresh()
    for mirror in observer.mirrors { mirror.check("at the end, seed \(seed)") }
    #expect(observer.mirrors.allSatisfy { $0.calls > 5 })
  }

  /// Writes as another program does: with triggers, without foreign keys, through a connection of its own.
  private func foreign(_ path: String, _ sql: String) throws {
    let connection = try Connection(path: path, create: false)
    connection.setBusyTimeout(milliseconds: 5_000)
    try connection.execute(sql)
  }
}
