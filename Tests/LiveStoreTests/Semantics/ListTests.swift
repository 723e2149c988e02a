import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("E, J. Lists")
struct ListTests {
  private let file = TestFile()

  private typealias Move = ChangeSet.Move

  /// Observes the list of a person with dogs by the names, has `body` change it, and returns what the
  /// observer was told; `nil` when it was not called.
  private func change(
    _ names: [String], _ route: Route = .otherTurn, expecting result: [String]? = nil,
    _ body: (TestStore, List<Dog>) throws -> Void
  ) throws -> ChangeSet? {
    try file.addOwner(of: names)
    let test = try file.observer()
    let observation = test.observe(test.person(1).dogs)
    let writer = route == .local ? test : try file.open()
    try writer.write { _ in try body(writer, writer.person(1).dogs) }
    if let result { #expect(writer.dogNames == result) }
    if route == .gap {
      sqlite3(file.path, "delete from _livestore_log where seq < (select max(seq) from _livestore_log)")
      sqlite3(file.path, "update _livestore_log set entries = null, \"table\" = null")
    }
    try test.store.refresh()
    if test.store.object(ofType: Person.self, forPrimaryKey: 1) != nil {
      #expect(test.dogNames == writer.dogNames)
    }
    #expect(observation.events.count <= 2)
    return observation.change
  }

  @Test("R54–R58, R69: several operations in one transaction are one change set", arguments: Route.allCases)
  func operations(_ route: Route) throws {
    let changes = try change(["a", "b", "c", "d", "e"], route, expecting: ["n", "a", "c", "E", "m"]) {
      _, dogs in
      dogs.insert(Dog("n"), at: 0)
      dogs.remove(at: 2)
      dogs.append(Dog("m"))
      dogs.remove(at: 3)
      dogs[3].name = "E"
    }
    #expect(changes == ChangeSet(del: [1, 3], ins: [0, 4], mod: [4], modInNew: [3]))
  }

  @Test("R59: what was inserted, moved and removed leaves nothing", arguments: 0..<4)
  func insertMoveRemove(_ place: Int) throws {
    let changes = try change(["a", "b", "c"], expecting: ["a", "b", "c"]) { _, dogs in
      dogs.insert(Dog("n"), at: place)
      dogs.move(from: place, to: 3 - place)
      dogs.remove(at: 3 - place)
    }
    #expect(changes == nil)
  }

  @Test("R60: every move of one element is a deletion, an insertion and a move", arguments: Route.allCases)
  func move(_ route: Route) throws {
    let changes = try change(["a", "b", "c", "d"], route, expecting: ["b", "c", "a", "d"]) { _, dogs in
      dogs.move(from: 0, to: 2)
    }
    #expect(changes == ChangeSet(del: [0], ins: [2], moves: [Move(from: 0, to: 2)]))
  }

  @Test("R60: all moves in a list of four", arguments: 0..<4, 0..<4)
  func moves(_ from: Int, _ to: Int) throws {
    var expected = ["a", "b", "c", "d"]
    expected.insert(expected.remove(at: from), at: to)
    let changes = try change(["a", "b", "c", "d"], expecting: expected) { _, dogs in
      dogs.move(from: from, to: to)
    }
    #expect(
      changes == (from == to ? nil : ChangeSet(del: [from], ins: [to], moves: [Move(from: from, to: to)])))
  }

  @Test("R61: moves of one element in a row are one move, also over several transactions")
  func chained() throws {
    try file.addOwner(of: ["a", "b", "c", "d", "e"])
    let test = try file.observer()
    let observation = test.observe(test.person(1).dogs)
    let writer = try file.open()
    try writer.write { _ in
      writer.person(1).dogs.move(from: 0, to: 1)
      writer.person(1).dogs.move(from: 1, to: 2)
    }
    try writer.write { _ in writer.person(1).dogs.move(from: 2, to: 3) }
    try test.store.refresh()
    #expect(observation.changes.last == ChangeSet(del: [0], ins: [3], moves: [Move(from: 0, to: 3)]))
  }

  @Test("R62: moves that change nothing in the end are none")
  func noNetMove() throws {
    let changes = try change(["a", "b", "c", "d"], expecting: ["a", "b", "c", "d"]) { _, dogs in
      dogs.swapAt(0, 1)
      dogs.swapAt(0, 1)
      dogs.move(from: 3, to: 0)
      dogs.move(from: 0, to: 3)
    }
    #expect(changes == nil)
  }

  @Test("R62: elements that jump over one another and end as they were have not moved")
  func leapfrog() throws {
    let changes = try change(["a", "b", "c"], expecting: ["a", "b", "c"]) { _, dogs in
      for _ in 0..<3 { dogs.move(from: 0, to: 2) }
    }
    #expect(changes == nil)
  }

  @Test("L6: rows that no transaction touched never move, although moving them would be less")
  func untouchedStay() throws {
    let changes = try change(["a", "b", "c"], expecting: ["c", "a", "b"]) { _, dogs in
      dogs.move(from: 0, to: 2)
      dogs.move(from: 0, to: 2)
    }
    #expect(
      changes == ChangeSet(del: [0, 1], ins: [1, 2], moves: [Move(from: 0, to: 1), Move(from: 1, to: 2)]))
  }

  @Test("R63, L6: modified and moved is a move that says so; moved back it is a modification")
  func modifiedAndMoved() throws {
    let moved = try change(["a", "b", "c"], expecting: ["b", "c", "A"]) { _, dogs in
      dogs[0].name = "A"
      dogs.move(from: 0, to: 2)
    }
    #expect(moved == ChangeSet(del: [0], ins: [2], moves: [Move(from: 0, to: 2, isModified: true)]))
    let back = try TestFile.with(["a", "b", "c"]) { dogs in
      dogs.move(from: 0, to: 2)
      dogs[2].name = "A"
      dogs.move(from: 2, to: 0)
    }
    #expect(back == ChangeSet(mod: [0]))
  }

  @Test("R64: moving what was just inserted changes only where it is inserted")
  func insertedAndMoved() throws {
    let changes = try change(["a", "b"], expecting: ["a", "n", "b"]) { _, dogs in
      dogs.append(Dog("n"))
      dogs.move(from: 2, to: 1)
    }
    #expect(changes == ChangeSet(ins: [1]))
  }

  @Test("R65: moved and then removed is a deletion of the old index")
  func movedAndRemoved() throws {
    let changes = try change(["a", "b", "c"], expecting: ["b", "c"]) { _, dogs in
      dogs.move(from: 0, to: 2)
      dogs.remove(at: 2)
    }
    #expect(changes == ChangeSet(del: [0]))
  }

  @Test("R66: removing all deletes every old row; what comes after is inserted", arguments: Route.allCases)
  func clear(_ route: Route) throws {
    let changes = try change(["a", "b", "c"], route, expecting: ["y", "z"]) { _, dogs in
      dogs.append(Dog("x"))
      dogs.move(from: 0, to: 2)
      dogs[1].name = "edited"
      dogs.removeAll()
      dogs.append(Dog("y"))
      dogs.append(Dog("z"))
    }
    #expect(changes == ChangeSet(del: [0, 1, 2], ins: [0, 1]))
  }

  @Test("R113: assigning an element is a modification", arguments: Route.allCases)
  func assign(_ route: Route) throws {
    let changes = try change(["a", "b", "c"], route, expecting: ["a", "n", "c"]) { _, dogs in
      dogs[1] = Dog("n")
    }
    #expect(changes == ChangeSet(mod: [1]))
  }

  @Test("L3, R113: assigning the element that is there is none")
  func assignSame() throws {
    #expect(try change(["a", "b", "c"]) { _, dogs in dogs[1] = dogs[1] } == nil)
  }

  @Test(
    "R114: an object that stands in a list three times is deleted and edited three times",
    arguments: Route.allCases)
  func several(_ route: Route) throws {
    let edited = try change(["a", "b"], route) { test, dogs in
      let a = dogs[0]
      dogs.append(a)
      dogs.insert(a, at: 0)
    }
    #expect(edited == ChangeSet(ins: [0, 3]))
    let test = try file.observer()
    let observation = test.observe(test.person(1).dogs)
    let writer = try file.open()
    #expect(writer.dogNames == ["a", "a", "b", "a"])
    try writer.write { _ in writer.person(1).dogs[3].name = "A" }
    try test.store.refresh()
    #expect(observation.changes.last == ChangeSet(mod: [0, 1, 3]))
    try writer.write { $0.delete(writer.person(1).dogs[0]) }
    try test.store.refresh()
    #expect(observation.changes.last == ChangeSet(del: [0, 1, 3]))
    #expect(test.dogNames == ["b"])
  }

  @Test(
    "R115: deleting the owner deletes every element, once, and nothing follows", arguments: Route.allCases)
  func ownerDeleted(_ route: Route) throws {
    try file.addOwner(of: ["a", "b"])
    let test = try file.observer()
    let dogs = test.person(1).dogs
    let observation = test.observe(dogs)
    let writer = route == .local ? test : try file.open()
    try writer.write { $0.delete(writer.person(1)) }
    try test.store.refresh()
    #expect(observation.change == ChangeSet(del: [0, 1]))
    #expect(dogs.isInvalidated)
    #expect(dogs.isEmpty)
    try writer.write { store in
      for dog in store.objects(Dog.self) { dog.name = "x" }
    }
    try test.store.refresh()
    #expect(observation.events.count == 2)
  }

  @Test("R116: deleting the owner of an empty list makes no call")
  func emptyOwnerDeleted() throws {
    #expect(try change([]) { test, _ in test.store.delete(test.person(1)) } == nil)
  }

  @Test("R117: a swap is two moves, of neighbours one")
  func swap() throws {
    let apart = try change(["a", "b", "c", "d", "e"], expecting: ["a", "d", "c", "b", "e"]) { _, dogs in
      dogs.swapAt(1, 3)
    }
    #expect(
      apart == ChangeSet(del: [1, 3], ins: [1, 3], moves: [Move(from: 1, to: 3), Move(from: 3, to: 1)]))
    let neighbours = try TestFile.with(["a", "b", "c"]) { $0.swapAt(0, 1) }
    #expect(neighbours?.moves.count == 1)
    #expect(neighbours?.deletions.count == 1)
  }

  @Test("R118: a sorted view is not told of a reorder, a filtered one only of what it shows")
  func views() throws {
    try file.addOwner(of: ["d5", "d1", "d6", "d2", "d7"])
    let test = try file.observer()
    let dogs = test.person(1).dogs
    let sorted = test.observe(dogs.sorted(by: \.name))
    let filtered = test.observe(try dogs.filter(#Predicate { $0.name > "d4" }))
    let writer = try file.open()
    try writer.write { _ in writer.person(1).dogs.move(from: 1, to: 3) }
    try test.store.refresh()
    #expect(sorted.changes == [])
    #expect(filtered.changes == [])
    try writer.write { _ in writer.person(1).dogs.move(from: 0, to: 4) }
    try test.store.refresh()
    #expect(sorted.changes == [])
    #expect(filtered.changes == [ChangeSet(del: [0], ins: [2], moves: [Move(from: 0, to: 2)])])
  }

  @Test("R119: changes of another object's list make no call")
  func otherList() throws {
    let changes = try change(["a", "b"]) { test, dogs in
      let other = Person(id: 2)
      test.store.add(other)
      other.dogs.append(Dog("c"))
      other.dogs.append(dogs[0])
      other.dogs.move(from: 0, to: 1)
      other.dogs.removeAll()
    }
    #expect(changes == nil)
  }

  @Test("L3: reordering a list and putting it back is no modification of its owner")
  func ownerOfReverted() throws {
    try file.addOwner(of: ["a", "b", "c"])
    let test = try file.observer()
    let observation = test.observe(test.people)
    let writer = try file.open()
    try writer.write { _ in
      writer.person(1).dogs.move(from: 0, to: 2)
      writer.person(1).dogs.move(from: 2, to: 0)
    }
    try test.store.refresh()
    #expect(observation.changes == [])
  }

  @Test(
    "R104: the owner of a list is modified by what comes, goes and moves in it", arguments: Route.allCases)
  func owner(_ route: Route) throws {
    try file.addOwner(of: ["a", "b", "c"])
    let test = try file.observer()
    let observation = test.observe(test.people)
    let writer = route == .local ? test : try file.open()
    let edits: [(List<Dog>) -> Void] = [
      { $0.append(Dog("d")) }, { $0.remove(at: 0) }, { $0.move(from: 0, to: 2) }, { $0.removeAll() },
    ]
    for edit in edits {
      observation.clear()
      try writer.write { _ in edit(writer.person(1).dogs) }
      try test.store.refresh()
      #expect(observation.change == ChangeSet(mod: [0]))
    }
  }
}

extension TestFile {
  /// The change sets of an observer of a list of dogs by their names.
  fileprivate static func with(_ names: [String], _ body: (List<Dog>) -> Void) throws -> ChangeSet? {
    let file = TestFile()
    try file.addOwner(of: names)
    let test = try file.observer()
    let observation = test.observe(test.person(1).dogs)
    let writer = try file.open()
    try writer.write { _ in body(writer.person(1).dogs) }
    try test.store.refresh()
    return observation.change
  }
}
