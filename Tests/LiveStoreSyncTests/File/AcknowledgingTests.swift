import LiveStore
import TestSupport
import Testing

@testable import LiveStoreSync

@Suite("What the server has, and what waits")
struct AcknowledgingTests {
  private let temporary = TemporaryFolder()

  /// A space that does something while a push is on its way.
  private final class InterruptedSpace: SpaceConnection {
    let space: SpaceModel
    var interruption: (() throws -> Void)?

    init(_ space: SpaceModel) { self.space = space }

    func push(_ objects: [SyncedObject], known: SpaceVersion) throws -> SpaceVersion? {
      let version = try space.push(objects, known: known)
      defer { interruption = nil }
      try interruption?()
      return version
    }

    func refusal(of objects: [SyncedObject]) throws -> SyncError? { nil }

    func pull(
      after known: Int64, and others: [SyncedObject.Identity], _ body: ([RemoteObject]) throws -> Void
    ) throws -> SpaceVersion {
      try space.pull(after: known, and: others, body)
    }
  }

  @Test("A change that another process has noted meanwhile is sent", arguments: [true, false])
  func notedElsewhere(isSameObject: Bool) throws {
    let space = SpaceModel()
    let machines = try Machine.sharing(notes: ["a", "b"], machines: 2, in: temporary.path, space: space)
    let machine = machines[0]
    try machine.program.execute("UPDATE Note SET text = 'First' WHERE id = 'a'")
    let interrupted = InterruptedSpace(space)
    interrupted.interruption = {
      let id = isSameObject ? "a" : "b"
      try machine.program.execute("UPDATE Note SET text = 'Second', count = 2 WHERE id = '\(id)'")
      // As `tasks sync status` does.
      let other = try #require(try JoinedFile(path: machine.path))
      _ = try other.write { () throws(StoreError) in try other.capture() }
    }
    _ = try machine.file.exchange(with: interrupted)
    #expect(try machine.file.waitingObjects().map(\.identity.key) == [isSameObject ? "a" : "b"])
    try Machine.settle(machines, in: space)
    #expect(try machine.file.waitingCount == 0)
    #expect(try machines[1].content() == machine.content())
  }
}
