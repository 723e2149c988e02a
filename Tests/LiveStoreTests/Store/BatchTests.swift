import Foundation
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Changes of all objects that match a query")
struct BatchTests {
  private let file = TestFile()
  private let test: TestStore
  private var store: Store { test.store }
  private var people: Results<Person> { test.people }

  init() throws {
    try file.addPeople(1...6)
    test = try file.open()
  }

  @Test("A batch of assignments is one statement, whose objects observers see as modified")
  func update() throws {
    let seen = test.observe(people)
    let person = people[5]
    #expect(person.age == 60)
    try store.write {
      let old = try people.filter(#Predicate { $0.age > 30 })
      #expect(old.update(.set(\.name, to: "old"), .add(5, to: \.age), .add(0.5, to: \.weight)) == 3)
      #expect(person.age == 65 && person.name == "old" && old.map(\.age) == [45, 55, 65])
      // Objects that have the values already are not written.
      #expect(people.update(.set(\.name, to: "old")) == 3)
      #expect(people.update(.set(\.name, to: "old")) == 0)
    }
    try store.refresh()
    #expect(seen.change == ChangeSet(mod: [0, 1, 2, 3, 4, 5]))
    #expect(sqlite3(file.path, "SELECT sum(age), sum(weight) FROM Person") == "225|1.5\n")
  }

  @Test("Links, nil, limited results, sorted results and those of lists")
  func kinds() throws {
    try store.write {
      let friend = Person(id: 9, name: "friend")
      #expect(people.sorted(by: \.age, ascending: false).limit(2).update(.set(\.friend, to: friend)) == 2)
      #expect(people.map { $0.friend?.id ?? 0 } == [0, 0, 0, 0, 9, 9, 0])
      #expect(people.update(.set(\.nickname, to: "n")) == 7)
      #expect(people.update(.set(\.nickname, to: nil)) == 7)
      let dogs = ["a", "b", "c"].map { Dog($0) }
      people[0].dogs.append(contentsOf: dogs)
      people[1].dogs.append(dogs[0])
      let first = try people[0].dogs.filter(#Predicate { $0.name < "c" })
      #expect(first.update(.set(\.name, to: "z")) == 2)
      #expect(people[1].dogs.map(\.name) == ["z"])
      #expect(first.isEmpty && people[0].dogs.map(\.name) == ["z", "z", "c"])
      #expect(try people[0].dogs.filter(#Predicate { $0.name == "z" }).deleteAll() == 2)
      #expect(people[0].dogs.map(\.name) == ["c"] && people[1].dogs.isEmpty)
      #expect(people.distinct(by: [\.name]).deleteAll() == 7)
    }
    #expect(people.isEmpty)
  }

  @Test("A number stays within its type")
  func overflow() throws {
    try store.write {
      people.update(.set(\.age, to: .max - 1))
      people.update(.add(5, to: \.age))
      #expect(people[0].age == .max)
      people.update(.set(\.age, to: .min + 1))
      people.update(.add(-5, to: \.age))
      #expect(people[0].age == .min)
    }
  }

  @Test("Several assignments of one property follow each other, as if each object had been assigned so")
  func repeated() throws {
    try store.write {
      #expect(
        people.update(.set(\.age, to: 1), .add(2, to: \.age), .set(\.name, to: "n"), .add(4, to: \.age)) == 6)
      #expect(people.map(\.age) == Array(repeating: 7, count: 6) && people[0].name == "n")
      #expect(people.update(.add(1, to: \.age), .add(1, to: \.age)) == 6)
      #expect(people.update(.add(1, to: \.age), .set(\.age, to: 9)) == 0 && people[5].age == 9)
      #expect(people.update(.set(\.age, to: .max), .add(1, to: \.age), .add(-1, to: \.age)) == 6)
      #expect(people[0].age == .max - 1)
      #expect(people.update(.set(\.weight, to: 1), .add(0.5, to: \.weight)) == 6 && people[0].weight == 1.5)
      let old = try people.filter(#Predicate { $0.age > 5 })
      #expect(old.update(.set(\.age, to: 0), .add(1, to: \.age)) == 6 && old.isEmpty)
    }
    #expect(sqlite3(file.path, "SELECT sum(age), sum(weight) FROM Person") == "6|9.0\n")
  }

  @Test("A cancelled batch leaves everything as it was, also what was read meanwhile")
  func cancelled() throws {
    let seen = test.observe(people)
    let person = people[0]
    let count = people.liveCount()
    try store.beginWrite()
    people.update(.set(\.age, to: 1))
    #expect(person.age == 1)
    #expect(store.delete(try people.filter(#Predicate { $0.id > 2 })) == 4)
    #expect(people.count == 2 && count.value == 2)
    store.cancelWrite()
    #expect(people.map(\.age) == [10, 20, 30, 40, 50, 60] && person.age == 10 && count.value == 6)
    try store.refresh()
    #expect(seen.changes.isEmpty)
  }

  @Test("More rows than the log names are changed by one statement, with and without observers")
  func many() throws {
    let count = ChangeLog.packedLimit + 2_000
    sqlite3(
      file.path,
      "WITH n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < \(count + 99)) "
        + "INSERT INTO Person (id, age) SELECT i, 0 FROM n")
    try store.refresh()
    let other = try file.open()
    let ages = other.store.objects(Person.self).liveSum(of: \.age)
    #expect(ages.value == 210)
    try store.write { #expect(people.update(.add(1, to: \.age)) == count + 6) }
    try other.store.refresh()
    #expect(ages.value == 216 + count)
    let seen = test.observe(try people.filter(#Predicate { $0.id < 3 }))
    let others = try people.filter(#Predicate { $0.id > 1 })
    try store.write { #expect(others.deleteAll() == count + 5) }
    try store.refresh()
    #expect(seen.rows == ["1"] && seen.change == ChangeSet(del: [1]))
    try other.store.refresh()
    #expect(ages.value == 11 && people.count == 1)
  }

  @Test("An object that is observed when a write has begun is told of its change, however many rows follow")
  func observedBeforeMany() throws {
    let person = people[0]
    try store.beginWrite()
    var ages: [Int] = []
    let token = person.observe { change in
      if case .change(let person, _) = change { ages.append(person.age) }
    }
    person.age = 99
    try store.execute(
      sql: "WITH n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
        + "INSERT INTO Person (id) SELECT i FROM n", ChangeLog.packedLimit + 1_000)
    try store.commitWrite()
    #expect(test.turns { !ages.isEmpty })
    #expect(ages == [99])
    token.invalidate()
  }

  @Test("Random batches do to rows and observers what a loop over the objects does to a model")
  func random() throws {
    try withSeededGenerator { random in
      var model: [Int: (age: Int, name: String)] = [:]
      for id in 1...6 { model[id] = (id * 10, "p\(id)") }
      var next = 7
      let sorted = people.sorted(by: \.age)
      let (seen, byAge) = (test.observe(people), test.observe(sorted))
      let other = try file.open()
      let elsewhere = other.observe(other.people.sorted(by: \.age))
      for step in 0..<randomSteps(usually: 200) {
        let isCancelled = Int.random(in: 0..<5, using: &random) == 0
        let before = model
        try store.beginWrite()
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let low = Int.random(in: 0...80, using: &random)
          let high = low + Int.random(in: 0...40, using: &random)
          let matching = try people.filter(#Predicate { low <= $0.age && $0.age <= high })
          let ids = model.filter { (low...high).contains($0.value.age) }.map(\.key)
          switch Int.random(in: 0..<4, using: &random) {
          case 0:
            let by = Int.random(in: -9...9, using: &random)
            let expected = by == 0 ? 0 : ids.count
            #expect(matching.update(.add(by, to: \.age)) == expected)
            for id in ids { model[id]!.age += by }
          case 1:
            matching.update(.set(\.name, to: "s\(step)"), .set(\.age, to: low))
            for id in ids { model[id] = (low, "s\(step)") }
          case 2 where model.count > 4:
            #expect(store.delete(matching) == ids.count)
            for id in ids { model[id] = nil }
          default:
            for _ in 0..<3 {
              store.add(Person(id: next, name: "n", age: high))
              model[next] = (high, "n")
              next += 1
            }
          }
        }
        if isCancelled {
          store.cancelWrite()
          model = before
        } else {
          try store.commitWrite()
        }
        let ids = model.keys.sorted()
        try #require(people.map(\.id) == ids)
        try #require(people.map(\.name) == ids.map { model[$0]!.name })
        let ordered = ids.sorted { (model[$0]!.age, $0) < (model[$1]!.age, $1) }
        try #require(sorted.map(\.id) == ordered)
        try store.refresh()
        try other.store.refresh()
        try #require(seen.rows == ids.map { "\($0)" } && byAge.rows == ordered.map { "\($0)" })
        try #require(elsewhere.rows == byAge.rows)
      }
    }
  }
}
