import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("Writes that wait without blocking")
@MainActor
struct AsyncWritingTests {
  private let file = TestFile()
  private let store: Store
  private let other: Connection

  init() throws {
    store = try Store(Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self]))
    let store = store
    try store.write { store.add(Person(id: 1, age: 1)) }
    other = try Connection(path: file.path, create: false)
  }

  @Test("The actor works while another program writes, and the write sees what that has written")
  func waiting() async throws {
    let store = store
    try other.execute("BEGIN IMMEDIATE; UPDATE Person SET age = 7")
    var steps: [String] = []
    let write = Task.immediate { @MainActor in
      steps.append("asks")
      return try await store.asyncWrite {
        let person = try #require(store.objects(Person.self).first)
        steps.append("writes")
        person.age += 1
        return person.age
      }
    }
    steps.append("works")
    try other.execute("COMMIT")
    #expect(try await write.value == 8)
    #expect(steps == ["asks", "works", "writes"])
    #expect(sqlite3(file.path, "SELECT age FROM Person") == "8\n")
    store.close()
  }

  @Test("It fails when it has waited for too long, is cancelled, or its body throws, and leaves nothing")
  func failing() async throws {
    struct Refusal: Error {}
    let store = store
    try other.execute("BEGIN IMMEDIATE")
    let error = await #expect(throws: StoreError.self) {
      try await store.asyncWrite(waitingAtMost: 1) { Issue.record("It writes beside another program.") }
    }
    #expect(error?.code == .busy)
    let write = Task.immediate { @MainActor in
      try await store.asyncWrite { Issue.record("It writes beside another program.") }
    }
    write.cancel()
    await #expect(throws: CancellationError.self) { try await write.value }
    try other.execute("ROLLBACK")
    await #expect(throws: Refusal.self) {
      try await store.asyncWrite {
        store.add(Person(id: 2))
        throw Refusal()
      }
    }
    #expect(store.objects(Person.self).count == 1 && !store.isInWriteTransaction)
    store.close()
  }
}
