import FoundationEssentials
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

/// The part of an element that a collection shows: enough to tell every modification, and cheap to read for
/// thousands.
private struct Shown: Equatable {
  let key: String
  let value: String
}

/// A view that follows a collection's change sets, compared with the collection itself after each.
private final class Mirror {
  private let name: String
  private let read: () -> [Shown]
  private var rows: [Shown] = []
  private(set) var calls = 0
  private var token: NotificationToken?

  init(_ name: String, _ read: @escaping () -> [Shown]) {
    self.name = name
    self.read = read
  }

  func observing(_ observe: (Mirror) -> NotificationToken) -> Mirror {
    token = observe(self)
    return self
  }

  func receive<Collection>(_ change: CollectionChange<Collection>, _ note: String) {
    calls += 1
    let new = read()
    switch change {
    case .initial: break
    case .update(_, let changes): check(changes, new, note)
    case .error(let error): Issue.record(error)
    }
    rows = new
  }

  private func check(_ changes: ChangeSet, _ new: [Shown], _ note: String) {
    var rest = rows
    for move in changes.moves {
      expectInLoop(rows[move.from].key == new[move.to].key, "\(name), \(note): \(move) moved another row")
      expectInLoop(
        move.isModified == (rows[move.from] != new[move.to]), "\(name), \(note): \(move)")
    }
    for (before, after) in zip(changes.modifications, changes.modificationsInNew) {
      expectInLoop(rows[before].key == new[after].key, "\(name), \(note): \(before) is not \(after)")
      expectInLoop(rows[before] != new[after], "\(name), \(note): \(before) was not modified")
    }
    // A deletion at a time would take quadratic time.
    let deleted = Set(changes.deletions)
    rest = rest.indices.lazy.filter { !deleted.contains($0) }.map { rest[$0] }
    var result: [Shown] = []
    var next = rest.makeIterator()
    let inserted = Set(changes.insertions)
    for index in new.indices {
      if inserted.contains(index) {
        result.append(new[index])
      } else if let row = next.next() {
        result.append(row)
      }
    }
    for index in changes.modificationsInNew where index < result.count { result[index] = new[index] }
    #expect(next.next() == nil, "\(name), \(note): too many rows are left")
    #expect(result == new, "\(name), \(note)")
  }

  func check(_ note: String) {
    #expect(rows == read(), "\(name), \(note)")
  }
}

@Suite("Transactions of thousands of rows lead observers to the same state as the file")
struct BulkObservationTests {
  private let file = TestFile()

  /// Observes collections of each kind: those that are read anew when much changes, and those in which each
  /// row is looked up.
  private func observe(_ store: Store, _ owner: Person, note: @escaping () -> String) throws -> [Mirror] {
    func mirror<Element: Object>(
      _ name: String, _ results: Results<Element>, _ keyPaths: [String], _ shown: @escaping (Element) -> Shown
    ) -> Mirror {
      Mirror(name) { results.map(shown) }.observing { mirror in
        results.observe(keyPaths: keyPaths) { [unowned mirror] in mirror.receive($0, note()) }
      }
    }
    let shownOfPeople = ["name", "age", "friend.name", "friend.age"]
    func person(_ person: Person) -> Shown {
      let friend = person.friend.map { "\($0.id) \($0.name) \($0.age)" } ?? "-"
      return Shown(key: "\(person.id)", value: "\(person.name) \(person.age) \(friend)")
    }
    func dog(_ dog: Dog) -> Shown { Shown(key: "\(dog.id)", value: dog.name) }
    let people = store.objects(Person.self)
    let dogs = owner.dogs
    return [
      mirror("by age", people.sorted(by: \.age), shownOfPeople, person),
      mirror("by friend", people.sorted(by: \.friend?.name), shownOfPeople, person),
      mirror("filtered", try people.filter(#Predicate { $0.age > 500 }), shownOfPeople, person),
      mirror("linked", try people.filter(#Predicate { $0.friend?.name == "n1" }), shownOfPeople, person),
      mirror("dogs", store.objects(Dog.self).sorted(by: \.name, ascending: false), ["name"], dog),
      mirror("limited", store.objects(Dog.self).sorted(by: \.name).limit(100), ["name"], dog),
      mirror("distinct", store.objects(Dog.self).sorted(by: \.id).distinct(by: [\.name]), ["name"], dog),
      Mirror("list") { dogs.map(dog) }.observing { mirror in
        dogs.observe { [unowned mirror] in mirror.receive($0, note()) }
      },
    ]
  }

  private struct Writer {
    var random: SeededGenerator

    mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Writes to many rows in one transaction.
    mutating func change(_ store: Store, _ owner: Person) {
      let people = Array(store.objects(Person.self))
      let dogs = Array(store.objects(Dog.self))
      switch int(0..<9) {
      case 0:
        let first = int(1..<100_000)
        for id in first..<first + 2_500 where store.object(ofType: Person.self, forPrimaryKey: id) == nil {
          store.add(Person(id: id, name: "n\(int(0..<8))", age: int(0..<1_000)))
        }
      case 1:
        for person in people where person.id != owner.id && int(0..<3) == 0 { store.delete(person) }
      case 2:
        // Gone and there again, some with other values.
        for person in people where person.id != owner.id && int(0..<2) == 0 {
          let (id, name, age) = (person.id, person.name, person.age)
          store.delete(person)
          store.add(Person(id: id, name: name, age: int(0..<2) == 0 ? age : age + 1))
        }
      case 3:
        let step = int(1..<4)
        for person in people.dropFirst(int(0..<people.count)) { person.age = (person.age * step + 7) % 1_000 }
      case 4:
        for person in people where int(0..<4) == 0 { person.friend = people.randomElement(using: &random) }
      case 5:
        for _ in 0..<1_200 { store.add(Dog("d\(int(0..<300))")) }
      case 6:
        for dog in dogs where int(0..<2) == 0 {
          if int(0..<4) == 0 { store.delete(dog) } else { dog.name = "d\(int(0..<300))" }
        }
      case 7:
        for dog in dogs.shuffled(using: &random).prefix(700) { owner.dogs.append(dog) }
      default:
        if owner.dogs.count > 800 {
          owner.dogs.removeAll()
        } else {
          for _ in 0..<min(400, owner.dogs.count) {
            owner.dogs.move(from: int(0..<owner.dogs.count), to: int(0..<owner.dogs.count))
          }
        }
      }
    }

    /// The same as a program writes it that knows nothing of LiveStore.
    mutating func sql() -> String {
      switch int(0..<4) {
      case 0: "UPDATE Person SET age = (age * 3 + \(int(0..<100))) % 1000 WHERE id % 3 = 0;"
      case 1: "UPDATE Dog SET name = 'd' || (abs(random()) % 300) WHERE name > 'd2';"
      case 2: "DELETE FROM Person WHERE id % 5 = \(int(0..<5)) AND id <> 1;"
      default:
        "INSERT OR REPLACE INTO Person (id, name, age) SELECT id, name, age + 1 FROM Person WHERE id % 2 = "
          + "0 AND id <> 1;"
      }
    }
  }

  @Test("L1-L7: own, others' and foreign transactions of thousands of rows")
  func randomBatches() throws {
    try withSeededGenerator { random in
      let a = try file.open()
      let b = try file.open()
      try a.store.write {
        a.store.add(Person(id: 1, name: "owner", age: 50))
        for id in 2..<3_000 {
          a.store.add(
            Person(id: id, name: "n\(id % 8)", age: Int.random(in: 0..<1_000, using: &random)))
        }
        for number in 0..<1_500 { a.store.add(Dog("d\(number % 300)")) }
      }
      let owner = try #require(a.store.object(ofType: Person.self, forPrimaryKey: 1))
      var step = 0
      let mirrors = try observe(a.store, owner) { "step \(step)" }
      try a.store.refresh()
      try b.store.refresh()
      let other = try #require(b.store.object(ofType: Person.self, forPrimaryKey: 1))
      var writer = Writer(random: SeededGenerator(seed: random.next()))
      for round in 0..<cases(16, sample: 4) {
        step = round
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3: try a.store.write { writer.change(a.store, owner) }
        case 3..<7: try b.store.write { writer.change(b.store, other) }
        default:
          let connection = try Connection(path: file.path, create: false)
          connection.setBusyTimeout(milliseconds: Patience.milliseconds)
          try connection.execute(writer.sql())
        }
        // Sometimes more than one transaction at a time.
        if Bool.random(using: &random) { try a.store.refresh() }
      }
      try a.store.refresh()
      for mirror in mirrors { mirror.check("at the end") }
      #expect(mirrors.allSatisfy { $0.calls > 0 })
    }
  }
}
