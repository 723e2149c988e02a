import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Stores that do not follow commits")
struct UnfollowedStoreTests {
  private let file = TestFile()

  private func open() throws -> TestStore {
    var configuration = Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self])
    configuration.followsCommits = false
    return try TestStore(configuration)
  }

  private func names(_ store: Store) -> [Int: String] {
    store.objects(Person.self).reduce(into: [:]) { $0[$1.id] = $1.name }
  }

  @Test("Nothing is watched, and reading and writing alone open one connection")
  func oneConnection() throws {
    let test = try open()
    try test.store.write { test.store.add(Person(id: 1, name: "a")) }
    try test.store.write { test.store.objects(Person.self)[0].name = "b" }
    #expect(names(test.store) == [1: "b"])
    #expect(test.store.watch == nil && test.store.coordinator.openedBack == nil)
  }

  @Test("The commits of others are seen by a refresh and by a write, and not before")
  func others() throws {
    let test = try open()
    let other = TestDatabase(path: file.path)
    other.rows("INSERT INTO Person (id, name) VALUES (1, 'a')")
    #expect(!test.turn(milliseconds: 0) && names(test.store).isEmpty)
    #expect(try test.store.refresh())
    #expect(names(test.store) == [1: "a"])
    other.rows("INSERT INTO Person (id, name) VALUES (2, 'b')")
    try test.store.write { #expect(names(test.store) == [1: "a", 2: "b"]) }
  }

  @Test("Stores of both kinds and another program that write in turn keep what all have written")
  func random() throws {
    try withSeededGenerator { random in
      let stores = [try open(), try file.open(), try open()]
      let other = TestDatabase(path: file.path)
      var model: [Int: String] = [:]
      for step in 0..<randomSteps(usually: 600) {
        let store = stores[Int.random(in: 0..<3, using: &random)].store
        let id = Int.random(in: 0..<20, using: &random)
        let name = "\(step)"
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          other.rows(
            "INSERT OR REPLACE INTO Person (id, name) VALUES (?, ?)", [.integer(Int64(id)), .text(name)])
          model[id] = name
        case 1:
          try store.write { store.object(ofType: Person.self, forPrimaryKey: id).map(store.delete) }
          model[id] = nil
        case 2:
          try store.beginWrite()
          store.add(Person(id: id, name: "cancelled"), update: .modified)
          store.cancelWrite()
        case 3:
          try store.refresh()
          try #require(names(store) == model)
        default:
          try store.write { store.add(Person(id: id, name: name), update: .modified) }
          model[id] = name
          try #require(names(store) == model)
        }
      }
      for test in stores {
        try test.store.refresh()
        #expect(names(test.store) == model)
      }
    }
  }
}
