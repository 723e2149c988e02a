import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// Places in a list that are told by an element, compared with an array.
@Suite("Lists, by an element")
struct ListNeighbourTests {
  @Test(
    "Neighbours, insertions, removals and moves beside another agree with an array, the order read or not"
  )
  func random() throws {
    try withSeededGenerator { generator in
      let test = try TestFile().open()
      let store = test.store
      let owner = Person()
      owner.id = 1
      try store.write { store.add(owner) }
      var model: [Int] = []
      var next = 0
      for _ in 0..<120 {
        let anchor = model.randomElement(using: &generator)
        let readsOrder = Bool.random(using: &generator)
        try store.write {
          let list = owner.dogs
          if readsOrder { #expect(list.count == model.count) }
          switch (Int.random(in: 0..<6, using: &generator), anchor) {
          case (4, let anchor?):
            let removed = try existing(anchor, in: store)
            #expect(list.remove(removed) && !list.remove(removed))
            model.removeAll { $0 == anchor }
          case (2...3, let other?):
            let moved = try #require(model.randomElement(using: &generator))
            let after = Int.random(in: 0..<4, using: &generator) == 0 ? nil : other
            list.move(
              try existing(moved, in: store), after: try after.map { try existing($0, in: store) })
            if after == moved { break }
            model.removeAll { $0 == moved }
            model.insert(moved, at: try after.map { try #require(model.firstIndex(of: $0)) + 1 } ?? 0)
          case (0, let anchor?):
            let new = (0..<Int.random(in: 0...3, using: &generator)).map { next + $0 }
            next += new.count
            let place = try #require(model.firstIndex(of: anchor))
            model.insert(contentsOf: new, at: place + 1)
            list.insert(contentsOf: new.map { dog($0, in: store) }, after: try existing(anchor, in: store))
          case (1, let anchor?):
            model.removeAll { $0 == anchor }
            model.append(anchor)
            list.moveToEnd(try existing(anchor, in: store))
          default:
            model.append(next)
            list.append(dog(next, in: store))
            next += 1
          }
          // Before the order has the writes of this transaction.
          #expect(list.last?.name == model.last.map { "\($0)" })
        }
        guard let asked = model.randomElement(using: &generator), let place = model.firstIndex(of: asked)
        else {
          continue
        }
        let element = try existing(asked, in: store)
        #expect(owner.dogs.element(before: element)?.name == (place > 0 ? "\(model[place - 1])" : nil))
        #expect(
          owner.dogs.element(after: element)?.name == (place + 1 < model.count ? "\(model[place + 1])" : nil))
        #expect(owner.dogs.map(\.name) == model.map { "\($0)" })
      }
    }
  }

  @Test("In a transaction a list is touched by what comes into it, and by changes of its elements and owner")
  func touched() throws {
    let test = try TestFile().open()
    let store = test.store
    let (one, two) = (Person(), Person())
    two.id = 1
    try store.write {
      store.add([one, two])
      one.dogs.append(contentsOf: [0, 1].map { dog($0, in: store) })
      two.dogs.append(dog(2, in: store))
    }
    func touched(_ body: () throws -> Void) throws -> [Bool] {
      try store.write {
        try body()
        return [one, two].map(\.dogs.isTouched)
      }
    }
    #expect(try touched {} == [false, false])
    #expect(try touched { try existing(0, in: store).name = "x" } == [true, false])
    #expect(try touched { two.age = 3 } == [false, true])
    #expect(try touched { one.dogs.move(from: 0, to: 1) } == [true, false])
    #expect(try touched { two.dogs.append(try existing(0, in: store)) } == [false, true])
    #expect(
      try touched {
        let moved = try existing(1, in: store)
        one.dogs.remove(moved)
        two.dogs.append(moved)
      } == [false, true])
    #expect(try touched { store.delete(try existing(2, in: store)) } == [false, false])
    let again = try existing(0, in: store)
    #expect(!one.dogs.isRepeated(again))
    try store.write { one.dogs.append(again) }
    #expect(one.dogs.isRepeated(again) && !two.dogs.isRepeated(again))
  }

  @Test("Moving the last element to the end writes nothing")
  func last() throws {
    let test = try TestFile().open()
    let owner = Person()
    owner.id = 1
    try test.store.write {
      test.store.add(owner)
      for id in 1...3 { owner.dogs.append(dog(id, in: test.store)) }
    }
    let dogs = owner.dogs
    var calls: [ChangeSet] = []
    let token = dogs.observe { if case .update(_, let changes) = $0 { calls.append(changes) } }
    defer { token.invalidate() }
    test.turn()
    try test.store.write { dogs.moveToEnd(try existing(3, in: test.store)) }
    try test.store.write { dogs.moveToEnd(try existing(1, in: test.store)) }
    while calls.isEmpty { test.turn() }
    #expect(calls.map(\.moves) == [[.init(from: 0, to: 2)]] && dogs.map(\.name) == ["2", "3", "1"])
  }

  @Test("An element goes to the beginning also where another program gave all of them one position")
  func onePosition() throws {
    let file = TestFile()
    let test = try file.open()
    let owner = Person()
    try test.store.write {
      test.store.add(owner)
      for id in 1...3 { owner.dogs.append(dog(id, in: test.store)) }
    }
    sqlite3(file.path, "UPDATE Person_dogs SET position = (SELECT min(position) FROM Person_dogs)")
    try test.store.refresh()
    for name in [owner.dogs[2].name, owner.dogs[1].name, owner.dogs[1].name] {
      let moved = try #require(owner.dogs.first { $0.name == name })
      try test.store.write { owner.dogs.move(moved, after: nil) }
      #expect(owner.dogs.first?.name == name && owner.dogs.count == 3)
    }
  }

  @Test("In an object that belongs to no store they do the same")
  func unmanaged() {
    let owner = Person()
    let dogs = (1...3).map { Dog("\($0)") }
    owner.dogs.append(contentsOf: dogs)
    #expect(owner.dogs.element(before: dogs[0]) == nil && owner.dogs.element(before: dogs[1]) === dogs[0])
    owner.dogs.moveToEnd(dogs[0])
    #expect(owner.dogs.map(\.name) == ["2", "3", "1"])
    for (moved, other, expected) in [
      (0, 1, ["2", "1", "3"]), (0, 0, ["2", "1", "3"]), (2, nil, ["3", "2", "1"]), (2, nil, ["3", "2", "1"]),
      (2, 0, ["2", "1", "3"]), (1, 2, ["1", "3", "2"]),
    ] as [(Int, Int?, [String])] {
      owner.dogs.move(dogs[moved], after: other.map { dogs[$0] })
      #expect(owner.dogs.map(\.name) == expected)
    }
    #expect(owner.dogs.remove(dogs[0]) && !owner.dogs.remove(dogs[0]))
    #expect(owner.dogs.map(\.name) == ["3", "2"])
  }

  @Test("The first of no elements is found without an order, which a write would have to update")
  func firstOfNone() throws {
    let test = try TestFile().open()
    let owner = Person(id: 1)
    try test.store.write {
      test.store.add(owner)
      let list = owner.dogs
      #expect(list.first == nil && list.isEmpty && list.last == nil)
      #expect(managed(list).live.tree == nil)
      list.append(Dog("a"))
      #expect(list.first?.name == "a" && !list.isEmpty && managed(list).live.tree == nil)
      let dog = try #require(list.first)
      #expect(list.index(of: dog) == 0 && managed(list).live.tree != nil)
      list.removeAll()
      #expect(list.first == nil && list.isEmpty)
    }
    #expect(owner.dogs.first == nil)
  }

  private func managed(_ list: List<Dog>) -> RankedCollection { list.requireManaged("examined").ranked }

  @Test("The entries that a transaction adds in a millisecond are consecutive, never those it has removed")
  func entries() throws {
    let file = TestFile()
    let test = try file.open()
    let owner = Person(id: 1)
    let dogs = (0..<2_000).map { Dog("\($0)") }
    try test.write { $0.add(owner) }
    func entries() -> [Int] {
      sqlite3(file.path, "SELECT entry FROM Person_dogs ORDER BY position").split(separator: "\n")
        .compactMap { Int($0) }
    }
    func milliseconds() -> Int { Int(Date().timeIntervalSince1970 * 1000) }
    let start = milliseconds()
    try test.write { _ in owner.dogs.append(contentsOf: dogs) }
    let passed = milliseconds() - start + 2
    let first = entries()
    let steps = zip(first, first.dropFirst()).map { $1 - $0 }
    #expect(first.count == 2_000 && steps.allSatisfy { $0 > 0 } && steps.count { $0 > 1 } <= passed)
    try test.write { _ in
      owner.dogs.append(contentsOf: dogs[..<500])
      owner.dogs.removeLast(500)
      owner.dogs.append(contentsOf: dogs[..<500])
    }
    let second = entries().suffix(500)
    #expect(second.count == 500 && (second.min() ?? 0) >= (first.max() ?? 0) + 501)
  }

  private func dog(_ id: Int, in store: Store) -> Dog {
    let dog = Dog("\(id)")
    dog.id = Self.key(id)
    store.add(dog)
    return dog
  }

  private static func key(_ id: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(id >> 8), UInt8(id & 0xff)))
  }

  private func existing(_ id: Int, in store: Store) throws -> Dog {
    try #require(store.object(ofType: Dog.self, forPrimaryKey: Self.key(id)))
  }
}
