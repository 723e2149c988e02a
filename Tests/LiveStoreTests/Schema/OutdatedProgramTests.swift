import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// The class of the fixtures as a later version of the program declares it.
private enum Later {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: Int = 0
    @Persisted var name: String = ""
    @Persisted var height: Int = 170
  }
}

@Suite("A program whose file a newer one has migrated")
struct OutdatedProgramTests {
  private let file = TestFile()

  private func migrate() throws -> Store {
    try Store(
      Store.Configuration(path: file.path, schemaVersion: 2, objectTypes: [Later.Person.self]),
      scheduler: .fileDescriptor(NotificationSource()))
  }

  private func expectOutdated(_ error: StoreError?, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(error?.code == .newerVersion, "\(error?.description ?? "")", sourceLocation: sourceLocation)
    #expect(
      error?.description.contains("newer version of this program") == true, sourceLocation: sourceLocation)
  }

  @Test("Its observers get the error once, its writes throw, and its reads show the version that it had")
  func observers() throws {
    try file.addPeople(1...5)
    let old = try file.observer()
    let people = old.observe(old.people)
    let byAge = old.observe(
      try old.people.filter(#Predicate { $0.age > 20 }).sorted(by: \.age, ascending: false))
    let new = try migrate()
    try new.write { new.objects(Later.Person.self)[0].height = 1 }
    #expect(old.turns { people.events.count > 1 })
    for observation in [people, byAge] {
      #expect(observation.events.count == 2)
      if case .error(let error)? = observation.events.last {
        expectOutdated(error)
      } else {
        Issue.record("no error")
      }
    }
    expectOutdated(#expect(throws: StoreError.self) { try old.store.write {} })
    expectOutdated(#expect(throws: StoreError.self) { try old.store.refresh() })
    #expect(!old.store.isInWriteTransaction)
    try new.write { new.objects(Later.Person.self)[0].height = 2 }
    old.store.processNotifications()
    #expect(people.events.count == 2)
    #expect(old.people.map(\.age) == [10, 20, 30, 40, 50])
    #expect(old.person(3).name == "p3" && old.people.sorted(by: \.age, ascending: false)[0].id == 5)
    #expect(old.store.objects(Dog.self).isEmpty)
    // An observer that is added now is notified of it too.
    var late: [StoreError] = []
    let token = old.people.observe { if case .error(let error) = $0 { late.append(error) } }
    #expect(old.turns { !late.isEmpty })
    expectOutdated(late.first)
    withExtendedLifetime(token) {}
    #expect(new.objects(Later.Person.self).map(\.height) == [2, 170, 170, 170, 170])
    expectOutdated(#expect(throws: StoreError.self) { try file.open() })
  }

  @Test("One that writes before it has heard of it writes nothing")
  func writer() throws {
    try file.addPeople(1...3)
    let old = try file.observer()
    old.store.coordinator.hold()
    let new = try migrate()
    expectOutdated(#expect(throws: StoreError.self) { try old.store.write { old.person(1).name = "wrong" } })
    #expect(new.objects(Later.Person.self).map(\.name) == ["p1", "p2", "p3"])
    #expect(old.person(1).name == "p1")
    old.store.coordinator.resume(look: true)
  }

  @Test("One that has slept past the end of the change log finds out too")
  func pruned() throws {
    try file.addPeople(1...3)
    let old = try file.observer()
    old.store.coordinator.hold()
    let new = try migrate()
    try new.write { new.objects(Later.Person.self)[0].height = 1 }
    sqlite3(file.path, "delete from _livestore_log where seq < (select max(seq) from _livestore_log)")
    old.store.coordinator.resume()
    expectOutdated(#expect(throws: StoreError.self) { try old.store.refresh() })
  }

  @Test(
    "A second process that is writing when the file is migrated stops with the error, and has written nothing since"
  )
  func process() throws {
    try file.addPeople(1...3)
    let peer = try Peer.start([file.path, "7", "1000000"])
    let old = try file.observer()
    let people = old.observe(old.people)
    #expect(old.turns { people.changes.count > 2 })
    let new = try migrate()
    let count = new.objects(Later.Person.self).count
    #expect(peer.waitForEnd() == 3)
    try new.refresh()
    #expect(new.objects(Later.Person.self).count == count)
    #expect(sqlite3(file.path, "pragma integrity_check; select distinct height from Person") == "ok\n170\n")
  }

  @Test("R40: classes and indexes that another program adds disturb nobody")
  func additions() throws {
    try file.addOwner(of: ["a", "b"])
    try file.addPeople(2...5)
    let old = try TestStore(file.path, types: [Person.self, Dog.self])
    let people = old.observe(old.people)
    let dogs = old.observe(old.person(1).dogs)
    let new = try TestStore(file.path, types: [Person.self, Dog.self, MigrationOther.Named.self])
    try new.write { store in
      let named = MigrationOther.Named()
      named.id = 1
      store.add(named)
      new.person(3).name = "changed"
    }
    #expect(old.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(mod: [2])])
    #expect(dogs.changes == [])
    try old.write { _ in old.person(5).name = "here" }
    try old.store.refresh()
    #expect(people.changes.last == ChangeSet(mod: [4]))
    #expect(new.store.objects(MigrationOther.Named.self).count == 1)
  }
}
