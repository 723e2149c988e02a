import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// The writer of a change, and the way in which the observer is notified of it.
enum Route: CaseIterable {
  /// The observer's own store, delivered on a turn.
  case local
  /// The observer's own store, delivered by the next write.
  case localNextWrite
  /// Another store, delivered on a turn.
  case otherTurn
  /// Another store, delivered by a refresh.
  case otherRefresh
  /// Another store, delivered by a write.
  case otherWrite
  /// Another store, when the change log no longer tells what was touched.
  case gap
}

@Suite("B, C, D. What a change set says")
struct ChangeSetTests {
  private let file = TestFile()

  /// Observes a collection of people 1…`count`, has `body` change them, and returns what the observer was
  /// told; `nil` when it was not called.
  private func change(
    _ count: Int = 4, _ route: Route = .local,
    of collection: (TestStore) throws -> Results<Person> = { $0.people },
    _ body: (TestStore) throws -> Void
  ) throws -> ChangeSet? {
    if count > 0 { try file.addPeople(1...count) }
    let test = try file.observer()
    let observation = test.observe(try collection(test))
    let writer = route == .local || route == .localNextWrite ? test : try file.open()
    try writer.write { _ in try body(writer) }
    switch route {
    case .local:
      let sentinel = test.observe(test.people)
      withExtendedLifetime(sentinel) {}
    case .localNextWrite, .otherWrite:
      try test.store.beginWrite()
      test.store.cancelWrite()
    case .otherTurn: #expect(test.turns { test.store.front.version == writer.store.front.version })
    case .otherRefresh: try test.store.refresh()
    case .gap:
      sqlite3(file.path, "delete from _livestore_log where seq < (select max(seq) from _livestore_log)")
      sqlite3(file.path, "update _livestore_log set entries = null, \"table\" = null")
      try test.store.refresh()
    }
    #expect(observation.events.count <= 2, "R74: one call for one delivery")
    #expect(observation.rows == Observation.keys(try collection(writer)))
    return observation.change
  }

  @Test(
    "L1, R16–R19: deletions and modifications are indices before, insertions after", arguments: Route.allCases
  )
  func indexSpaces(_ route: Route) throws {
    let changes = try change(4, route) { test in
      test.store.delete(test.person(2))
      test.person(3).name = "c"
      test.store.add(Person(id: 0))
    }
    #expect(changes == ChangeSet(del: [1], ins: [0], mod: [2], modInNew: [2]))
  }

  @Test("R18, R19: the example of the rule")
  func example() throws {
    let changes = try change(4) { test in
      test.store.delete(test.person(2))
      test.person(3).name = "c"
    }
    #expect(changes == ChangeSet(del: [1], mod: [2], modInNew: [1]))
  }

  @Test("R29: the defaults of a new object are no modification", arguments: Route.allCases)
  func defaults(_ route: Route) throws {
    let changes = try change(2, route) { test in
      test.store.add(Person(id: 7))
      _ = try test.store.create(Person.self, value: ["id": 0])
    }
    #expect(changes == ChangeSet(ins: [0, 3]))
  }

  @Test("R22: an inserted row is not modified, however often it is edited", arguments: Route.allCases)
  func insertedAndEdited(_ route: Route) throws {
    let changes = try change(2, route) { test in
      let person = Person(id: 3)
      test.store.add(person)
      person.name = "x"
      person.age = 3
    }
    #expect(changes == ChangeSet(ins: [2]))
  }

  @Test("R23: a deleted row is not modified")
  func editedAndDeleted() throws {
    let changes = try change(3) { test in
      test.person(2).name = "x"
      test.store.delete(test.person(2))
    }
    #expect(changes == ChangeSet(del: [1]))
  }

  @Test("R24: rows that only shifted are nowhere")
  func shifted() throws {
    #expect(try change(3) { $0.store.add(Person(id: 0)) } == ChangeSet(ins: [0]))
  }

  @Test("R25: nothing in the end, no call", arguments: Route.allCases)
  func nothing(_ route: Route) throws {
    let changes = try change(3, route) { test in
      let person = Person(id: 9)
      test.store.add(person)
      test.store.delete(person)
    }
    #expect(changes == nil)
  }

  @Test("R26: a deletion and an insertion may have the same index")
  func replaced() throws {
    let changes = try change(3, of: byAge) { test in
      test.store.delete(test.person(2))
      test.store.add(Person(id: 9, age: 20))
    }
    #expect(changes == ChangeSet(del: [1], ins: [1]))
  }

  // MARK: Modifications

  @Test("L3 (not R27): assigning the value that is there is no modification", arguments: Route.allCases)
  func selfAssignment(_ route: Route) throws {
    #expect(try change(3, route) { $0.person(2).name = $0.person(2).name } == nil)
  }

  @Test("L3 (not R28): changing and reverting is no modification", arguments: Route.allCases)
  func reverted(_ route: Route) throws {
    let changes = try change(3, route) { test in
      test.person(2).name = "x"
      test.person(2).name = "p2"
    }
    #expect(changes == nil)
  }

  @Test("L2 (not R38): deleted and made again it is the same row, modified where a value differs")
  func madeAgain() throws {
    let changes = try change(3) { test in
      test.store.delete(test.person(2))
      test.store.add(Person(id: 2, name: "another", age: 20))
      test.store.delete(test.person(3))
      test.store.add(Person(id: 3, name: "p3", age: 30))
    }
    #expect(changes == ChangeSet(mod: [1]))
  }

  @Test(
    "R30: what did not match and does not match is silent; R31: leaving is a deletion; R32: entering an insertion"
  )
  func filter() throws {
    let filtered = { (test: TestStore) throws -> Results<Person> in
      try test.people.filter(#Predicate { $0.age > 50 })
    }
    let changes = try change(8, of: filtered) { test in
      test.person(1).name = "x"
      test.person(2).age = 21
      test.person(3).age = 99
      test.person(3).name = "in"
      test.person(7).age = 5
      test.person(7).name = "out"
      test.person(8).name = "kept"
    }
    // 6, 7, 8 become 3, 6, 8.
    #expect(changes == ChangeSet(del: [1], ins: [0], mod: [2], modInNew: [2]))
  }

  @Test("R30: edits of rows that do not match make no call", arguments: Route.allCases)
  func filteredOut(_ route: Route) throws {
    let filtered = { (test: TestStore) throws -> Results<Person> in
      try test.people.filter(#Predicate { $0.age > 50 })
    }
    #expect(try change(8, route, of: filtered) { $0.person(1).name = "x" } == nil)
  }

  @Test("R33: an edit of what an element leads to, over a link or a list, modifies the element")
  func deep() throws {
    let changes = try change(4) { test in
      test.person(1).friend = test.person(4)
      test.person(2).dogs.append(Dog("Rex"))
    }
    #expect(changes == ChangeSet(mod: [0, 1]))
    let test = try file.observer()
    let observation = test.observe(test.people)
    try test.write { _ in
      test.person(4).name = "edited"
      test.person(2).dogs[0].name = "Max"
    }
    try test.store.refresh()
    #expect(observation.change == ChangeSet(mod: [0, 1, 3]))
  }

  @Test("R34: at most three links are followed; cycles end", arguments: Route.allCases)
  func depth(_ route: Route) throws {
    try file.addPeople(1...20)
    let setUp = try file.open()
    try setUp.write { _ in
      for id in 1..<20 { setUp.person(id).friend = setUp.person(id + 1) }
    }
    let changes = try change(0, route) { $0.person(20).name = "x" }
    #expect(changes == ChangeSet(mod: [16, 17, 18, 19]))
    try setUp.write { _ in setUp.person(20).friend = setUp.person(19) }
    try setUp.write { _ in setUp.person(20).name = "y" }
    setUp.store.close()
  }

  @Test("R34: a cycle of links ends, and each of its objects is modified once")
  func cycle() throws {
    try file.addPeople(1...3)
    let setUp = try file.open()
    try setUp.write { _ in
      setUp.person(1).friend = setUp.person(2)
      setUp.person(2).friend = setUp.person(1)
      setUp.person(3).friend = setUp.person(3)
    }
    #expect(try change(0) { $0.person(1).name = "x" } == ChangeSet(mod: [0, 1]))
    #expect(try change(0) { $0.person(3).name = "x" } == ChangeSet(mod: [2]))
  }

  @Test(
    "R36: an object that nothing leads to causes no call; R39: nor does an unrelated table",
    arguments: Route.allCases)
  func unrelated(_ route: Route) throws {
    #expect(try change(3, route) { $0.store.add(Dog("alone")) } == nil)
  }

  @Test("R37: deleting what a link leads to modifies the object with the link", arguments: Route.allCases)
  func targetDeleted(_ route: Route) throws {
    try file.addPeople(1...3)
    let setUp = try file.open()
    try setUp.write { store in
      setUp.person(1).friend = setUp.person(3)
      setUp.person(2).dogs.append(Dog("Rex"))
    }
    let changes = try change(0, route) { test in
      test.store.delete(test.person(3))
      test.store.delete(test.person(2).dogs[0])
    }
    #expect(changes == ChangeSet(del: [2], mod: [0, 1]))
    let test = try file.open()
    #expect(test.person(1).friend == nil)
    #expect(test.person(2).dogs.isEmpty)
  }

  // MARK: Moves

  private func byAge(_ test: TestStore) -> Results<Person> { test.people.sorted(by: \.age) }

  @Test(
    "R41, L6: a row whose place changed is deleted, inserted and told as a move", arguments: Route.allCases)
  func move(_ route: Route) throws {
    let changes = try change(5, route, of: byAge) { $0.person(1).age = 35 }
    #expect(changes == ChangeSet(del: [0], ins: [2], moves: [.init(from: 0, to: 2, isModified: true)]))
  }

  @Test("R44, L6: of two rows that changed places the untouched one stays")
  func swap() throws {
    #expect(
      try change(3, of: byAge) { $0.person(2).age = 35 }
        == ChangeSet(del: [1], ins: [2], moves: [.init(from: 1, to: 2, isModified: true)]))
    let test = try file.observer()
    let observation = test.observe(byAge(test))
    // 1 3 2 → 1 2 3, by way of the other row.
    try test.write { _ in test.person(3).age = 40 }
    try test.store.refresh()
    #expect(
      observation.change == ChangeSet(del: [1], ins: [2], moves: [.init(from: 1, to: 2, isModified: true)]))
  }

  @Test("R45: of three rows one moves, not two")
  func smaller() throws {
    // 1 2 3 → 2 3 1, with 2 modified as well.
    let changes = try change(3, of: byAge) { test in
      test.person(1).age = 40
      test.person(2).name = "x"
    }
    #expect(
      changes
        == ChangeSet(
          del: [0], ins: [2], mod: [1], modInNew: [0], moves: [.init(from: 0, to: 2, isModified: true)]))
  }

  @Test("R47: a full reversal keeps one row", arguments: Route.allCases)
  func reversal(_ route: Route) throws {
    let changes = try change(5, route, of: byAge) { test in
      for id in 1...5 { test.person(id).age = -id }
    }
    #expect(
      changes
        == ChangeSet(
          del: [1, 2, 3, 4], ins: [0, 1, 2, 3], mod: [0], modInNew: [4],
          moves: [(1, 3), (2, 2), (3, 1), (4, 0)].map { .init(from: $0, to: $1, isModified: true) }))
  }

  @Test("R48: rows with the same sort key stand in the order of their primary keys")
  func ties() throws {
    let test = try file.observer()
    try test.write { store in for id in [5, 1, 3] { store.add(Person(id: id, age: 7)) } }
    let observation = test.observe(byAge(test))
    #expect(observation.rows == ["1", "3", "5"])
    try test.write { store in
      store.add(Person(id: 4, age: 7))
      store.add(Person(id: 2, age: 7))
    }
    try test.store.refresh()
    #expect(observation.rows == ["1", "2", "3", "4", "5"])
    #expect(observation.change == ChangeSet(ins: [1, 3]))
  }

  @Test("L6: a reorder of one row among many is one move, wherever it goes")
  func oneAmongMany() throws {
    let changes = try change(500, .otherTurn, of: byAge) { $0.person(400).age = 15 }
    #expect(changes == ChangeSet(del: [399], ins: [1], moves: [.init(from: 399, to: 1, isModified: true)]))
  }

  @Test("L6: a row that keeps its place in the order with another sort key is modified only")
  func keptPlace() throws {
    #expect(try change(3, of: byAge) { $0.person(2).age = 25 } == ChangeSet(mod: [1]))
  }
}
