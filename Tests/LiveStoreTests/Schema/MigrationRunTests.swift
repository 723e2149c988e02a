import Dispatch
import FoundationEssentials
import Synchronization
import Testing

@testable import LiveStore

@Suite("Migrations that meet others")
struct MigrationRunTests {
  private let file = TestFile()

  @Test("Several threads that open a file of an older version at once migrate it once")
  func together() throws {
    try file.makeMembers()
    let calls = Mutex(0)
    let path = file.path
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      var configuration = Store.Configuration(
        path: path, schemaVersion: 2, objectTypes: MigrationTwo.types)
      configuration.busyTimeout = 60_000
      configuration.migration = { migration, version in
        calls.withLock { $0 += 1 }
        try MigrationTwo.migrate(migration, version)
      }
      recordingErrors {
        let store = try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
        #expect(store.objects(MigrationTwo.Member.self).map(\.age) == [10, 20, 30])
        store.close()
      }
    }
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("A store in memory is migrated like a file")
  func memory() throws {
    let name = "migrated \(UUID())"
    func configuration(_ version: Int) -> Store.Configuration {
      Store.Configuration(
        inMemory: name, schemaVersion: version,
        objectTypes: version == 1 ? MigrationOne.types : MigrationTwo.types)
    }
    let first = try TestStore(configuration(1))
    try first.write { store in
      let pet = MigrationOne.Pet()
      pet.name = "Rex"
      store.add(pet)
    }
    let observed = Observation(first.store.objects(MigrationOne.Pet.self))
    try first.store.refresh()
    var second = configuration(2)
    second.migration = { _, _ in }
    #expect(try TestStore(second).store.objects(MigrationTwo.Pet.self).map(\.name) == ["Rex"])
    #expect(first.turns { observed.events.count > 1 })
    if case .error(let error)? = observed.events.last { #expect(error.code == .newerVersion) }
    #expect(first.store.objects(MigrationOne.Pet.self)[0].born == Date(timeIntervalSince1970: 0))
  }

  @Test("A migration of many rows keeps each of them")
  func many() throws {
    try TestStore(Store.Configuration(path: file.path, objectTypes: MigrationOne.types)).store.close()
    sqlite3(
      file.path,
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) insert into Member "
        + "(id, age) select i, i from n"
    )
    var configuration = Store.Configuration(
      path: file.path, schemaVersion: 2, objectTypes: MigrationTwo.types)
    configuration.migration = MigrationTwo.migrate
    let store = try TestStore(configuration).store
    #expect(store.objects(MigrationTwo.Member.self).count == 20_000)
    #expect(sqlite3(file.path, "select count(*) from Member where age = id") == "20000\n")
  }
}
