import CSQLite
import Dispatch
import LiveStoreFixtures
import TestSupport
import Testing

@testable import LiveStore

@Suite("One store never waits for another")
struct IndependenceTests {
  /// An SQL function that is stuck until it is let go.
  private final class Gate: Sendable {
    let entered = DispatchSemaphore(value: 0)
    let left = DispatchSemaphore(value: 0)

    func define(on connection: Connection) {
      sqlite3_create_function(
        connection.handle, "gate", 0, SQLITE_UTF8, Unmanaged.passUnretained(self).toOpaque(),
        { context, _, _ in
          guard let pointer = sqlite3_user_data(context) else { return }
          let gate = Unmanaged<Gate>.fromOpaque(pointer).takeUnretainedValue()
          gate.entered.signal()
          gate.left.wait()
          sqlite3_result_int(context, 1)
        }, nil, nil)
    }
  }

  @Test("While a calculation of one store waits for a long statement, others are told of their commits")
  func longStatement() throws {
    let (busyFile, freeFile) = (TestFile(), TestFile())
    try busyFile.addPeople(1...3)
    try freeFile.addPeople(1...3)
    let free = try freeFile.observer()
    let people = free.observe(free.people)
    let gate = Gate()
    let queue = DispatchQueue(label: "busy")
    let told = DispatchSemaphore(value: 0)
    // Used on the queue only.
    nonisolated(unsafe) var store: Store?
    nonisolated(unsafe) var observation: Observation?
    try queue.sync {
      let opened = try Store(
        Store.Configuration(path: busyFile.path, objectTypes: [Person.self, Dog.self]),
        scheduler: .queue(queue))
      store = opened
      observation = Observation(opened.objects(Person.self))
      observation?.onEvent = { observation in
        if !observation.changes.isEmpty { told.signal() }
      }
    }
    // The worker's earlier work has been done.
    queue.sync { #expect(throws: Never.self) { try store?.refresh() } }
    queue.async {
      guard let connection = store?.connection else { return }
      gate.define(on: connection)
      _ = connection.executeResult("select gate()")
    }
    #expect(gate.entered.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success)
    sqlite3(busyFile.path, "update Person set age = 1 where id = 1")
    sqlite3(freeFile.path, "update Person set age = 2 where id = 2")
    #expect(free.turns { people.changes == [ChangeSet(mod: [1])] })
    #expect(told.wait(timeout: .now()) == .timedOut)
    gate.left.signal()
    #expect(told.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success)
    queue.sync {
      observation = nil
      store?.close()
      store = nil
    }
  }
}
