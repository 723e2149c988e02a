import CSQLite
import Foundation
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Predicates that are put together")
struct QueryConditionTests {
  private let test: TestStore
  private let file = TestFile()

  init() throws {
    test = try TestStore(file.path, keeping: file)
    try test.store.write {
      for id in 0..<40 { test.store.add(Person(id: id, name: "name \(id % 7)", age: id % 5)) }
    }
  }

  private indirect enum Tree {
    case older(Int)
    case named(String)
    case even
    case all([Tree])
    case any([Tree])
    case not(Tree)

    static func random(_ depth: Int, _ random: inout SeededGenerator) -> Tree {
      func parts() -> [Tree] {
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in Tree.random(depth - 1, &random) }
      }
      switch Int.random(in: depth > 0 ? 0..<6 : 0..<3, using: &random) {
      case 0: return .older(Int.random(in: 0..<5, using: &random))
      case 1: return .named("\(Int.random(in: 0..<7, using: &random))")
      case 2: return .even
      case 3: return .all(parts())
      case 4: return .any(parts())
      default: return .not(Tree.random(depth - 1, &random))
      }
    }

    var condition: QueryCondition<Person> {
      switch self {
      case .older(let age): QueryCondition(#Predicate { $0.age > age })
      case .named(let end): QueryCondition(\.name, .endsWith(end))
      case .even: QueryCondition(#Predicate { $0.id % 2 == 0 })
      case .all(let parts):
        parts.count == 2 ? parts[0].condition && parts[1].condition : .all(of: parts.map(\.condition))
      case .any(let parts):
        parts.count == 2 ? parts[0].condition || parts[1].condition : .any(of: parts.map(\.condition))
      case .not(let part): !part.condition
      }
    }

    func holds(_ person: Person) -> Bool {
      switch self {
      case .older(let age): person.age > age
      case .named(let end): person.name.hasSuffix(end)
      case .even: person.id % 2 == 0
      case .all(let parts): parts.allSatisfy { $0.holds(person) }
      case .any(let parts): parts.contains { $0.holds(person) }
      case .not(let part): !part.holds(person)
      }
    }
  }

  @Test("Thousands of conditions are put together, and hundreds of filters; more of these are refused")
  func many() throws {
    let people = test.store.objects(Person.self)
    let ids = (1...2_500).map { id in QueryCondition<Person>(#Predicate { $0.id == id }) }
    #expect(try people.filter(.any(of: ids)).count == 39)
    #expect(try people.filter(.all(of: ids.map { !$0 })).map(\.id) == [0])
    #expect(try people.filter(ids.dropFirst().reduce(ids[0]) { $0 || $1 }).count == 39)
    #expect(try people.filter(ids.dropFirst().reduce(!ids[0]) { $0 && !$1 }).map(\.id) == [0])
    var filtered = people
    for id in 1...300 { filtered = try filtered.filter(#Predicate { $0.id != id }) }
    #expect(filtered.map(\.id) == [0] && test.store.failure == nil)
    let error = #expect(throws: QueryError.self) {
      for id in 300...1_500 { filtered = try filtered.filter(#Predicate { $0.id != id }) }
    }
    #expect(error?.description.contains("A predicate of so many parts cannot be used in a query") == true)
    #expect(filtered.map(\.id) == [0] && test.store.failure == nil)
  }

  @Test("As many values as SQLite has parameters are refused: the query needs some for itself")
  func parameters() throws {
    let people = test.store.objects(Person.self)
    let limit = Int(sqlite3_limit(test.store.connection.handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    for count in [limit - 3, limit] {
      let conditions = stride(from: 0, to: count, by: 30_000).map { first in
        let ids = Array(first..<min(first + 30_000, count))
        return QueryCondition<Person>(#Predicate { ids.contains($0.id) })
      }
      #expect(throws: QueryError.self) { try people.filter(.any(of: conditions)) }
    }
  }

  @Test("Any tree of them selects what the same tree in Swift selects, before and after writes")
  func random() throws {
    let people = test.store.objects(Person.self)
    try withSeededGenerator { random in
      for _ in 0..<randomSteps(usually: 120) {
        let tree = Tree.random(3, &random)
        let results = try people.filter(tree.condition)
        expectInLoop(results.map(\.id) == Array(people).filter(tree.holds).map(\.id), "\(tree)")
        try test.store.write {
          people[Int.random(in: 0..<40, using: &random)].age = Int.random(in: 0..<6, using: &random)
        }
        expectInLoop(results.map(\.id) == Array(people).filter(tree.holds).map(\.id), "\(tree)")
      }
    }
  }

  @Test("Lists and what leads to an object are filtered by them too; what has no form in SQL is refused")
  func collections() throws {
    let person = try #require(test.store.objects(Person.self).first)
    try test.store.write {
      for name in ["a", "b"] { person.dogs.append(Dog(name)) }
    }
    let condition = !QueryCondition(#Predicate<Dog> { $0.name == "a" })
    #expect(try person.dogs.filter(condition).map(\.name) == ["b"])
    #expect(throws: QueryError.self) {
      try test.store.objects(Person.self).filter(!QueryCondition(#Predicate { $0.name.count == 3 }))
    }
  }
}
