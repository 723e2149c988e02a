import CSQLite
import Glibc
import LiveStoreFixtures
import Testing

@testable import LiveStore

/// SQLite before 3.51.3 loses commits where a checkpoint and a writer that starts the log anew meet
/// (<https://sqlite.org/wal.html#walresetbug>).
@Suite("A checkpoint that meets a writer who starts the log anew", .serialized)
struct LogLockTests {
  private let file = TestFile()
  /// Two programs that know nothing of LiveStore.
  private let writer: Connection
  private let other: Connection
  private let people = 200

  init() throws {
    try file.addPeople(1...people)
    writer = try Connection(path: file.path, create: false)
    other = try Connection(path: file.path, create: false)
    for connection in [writer, other] {
      try connection.execute("PRAGMA wal_autocheckpoint = 0; SELECT count(*) FROM Person")
    }
  }

  /// Whether the SQLite that is linked has the fault.
  private var isFaulty: Bool {
    let version = sqlite3_libversion_number()
    return version < 3_051_003 && !(3_050_007..<3_051_000).contains(version)
      && !(3_044_006..<3_045_000).contains(version)
  }

  private var checkpoint: String { "PRAGMA wal_checkpoint(PASSIVE)" }

  /// A log of many frames, all of which are written back.
  ///
  /// - Parameter store: Lets go of its snapshot before, and is not disturbed by its worker any more.
  private func fillLog(_ store: Store? = nil) throws {
    store?.invalidate()
    store?.coordinator.hold()
    for age in 0..<20 { try writer.execute("UPDATE Person SET age = \(age)") }
    #expect(try writer.firstValue(checkpoint) == .integer(0))
    guard let store else { return }
    store.coordinator.resume()
    let index = try #require(store.coordinator.index)
    #expect(try index.isWrittenBack(#require(index.header())))
  }

  /// Writes fewer frames than there were, has them written back and the log started anew once more: what a
  /// checkpoint has taken for written back by mistake is overwritten now. Returns the ages that are then in
  /// the file.
  private func agesAfterNextRestart() throws -> String {
    try writer.execute("UPDATE Person SET age = 1000")
    #expect(try writer.firstValue(checkpoint) == .integer(0))
    try writer.execute("UPDATE Dog SET name = 'anew'; INSERT INTO Dog (name) VALUES ('anew')")
    return sqlite3(file.path, "SELECT DISTINCT age FROM Person ORDER BY 1; PRAGMA integrity_check")
  }

  @Test("SQLite's own checkpoint and write lose what was committed, if it is a version that has the fault")
  func fault() throws {
    try fillLog()
    let result = try Interruption(of: other).run(
      { try writer.execute("INSERT INTO Dog (name) VALUES ('first in the new log')") },
      during: { try other.firstValue(checkpoint) })
    #expect(result == .integer(0))
    #expect(try (agesAfterNextRestart() != "1000\nok\n") == isFaulty)
  }

  @Test("While a store writes the log back nobody can start it anew")
  func checkpointOfStore() throws {
    let test = try file.open()
    let back = try test.store.coordinator.back
    try test.store.refresh()
    try fillLog(test.store)
    test.store.coordinator.hold()
    defer { test.store.coordinator.resume() }
    var attempt: Int32?
    _ = try Interruption(of: back.connection).run(
      { attempt = writer.executeResult("INSERT INTO Dog (name) VALUES ('first in the new log')") },
      during: { try back.connection.writeLogBackAtOnce() })
    #expect(attempt == SQLITE_BUSY)
    #expect(try agesAfterNextRestart() == "1000\nok\n")
  }

  @Test("Where somebody has the write lock a store does not write the log back")
  func writeLockElsewhere() throws {
    let test = try file.open()
    test.store.coordinator.hold()
    defer { test.store.coordinator.resume() }
    let back = try test.store.coordinator.back
    try back.open()
    back.close()
    try writer.execute("BEGIN IMMEDIATE")
    #expect(try !back.connection.writeLogBackAtOnce())
    try writer.execute("ROLLBACK")
    #expect(try back.connection.writeLogBackAtOnce())
  }

  @Test("A store that writes does not start the log anew while another program may be writing it back")
  func restartByStore() throws {
    let test = try file.open()
    try fillLog(test.store)
    // From now on it needs nothing of the log.
    try test.store.refresh()
    let index = try #require(test.store.coordinator.index)
    let frames = try #require(index.header()).frames
    _ = try Interruption(of: other).run(
      { try test.write { $0.add(Dog("first in the new log")) } },
      during: { try other.firstValue(checkpoint) })
    #expect(try #require(index.header()).frames > frames)
    #expect(try agesAfterNextRestart() == "1000\nok\n")
    #expect(test.store.logGuard == nil)
  }

  @Test("A store that writes starts the log anew otherwise, and keeps no lock")
  func restart() throws {
    let test = try file.open()
    try fillLog(test.store)
    try test.store.refresh()
    let index = try #require(test.store.coordinator.index)
    let frames = try #require(index.header()).frames
    try test.store.beginWrite()
    #expect(test.store.logGuard?.lock == .checkpoint)
    // A checkpoint has to wait.
    #expect(try other.firstValue(checkpoint) == .integer(1))
    test.store.add(Dog("first in the new log"))
    try test.store.commitWrite()
    #expect(try #require(index.header()).frames < frames)
    #expect(try other.firstValue(checkpoint) == .integer(0))
    // A write that is taken back keeps no lock either.
    try test.store.refresh()
    try test.store.beginWrite()
    test.store.cancelWrite()
    #expect(test.store.logGuard == nil)
    #expect(try other.firstValue(checkpoint) == .integer(0))
    #expect(try agesAfterNextRestart() == "1000\nok\n")
  }
}

/// Something that happens when a checkpoint has read the header of the wal-index, and nothing else yet:
/// SQLite then gives back the pages that it has mapped, if the header is another one than it knew.
private struct Interruption {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let original: UnsafePointer<sqlite3_io_methods>

  init(of connection: Connection) throws {
    var opened: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &opened)
    file = try #require(opened)
    original = try #require(file.pointee.pMethods)
  }

  func run<R>(_ action: @escaping () throws -> Void, during checkpoint: () throws -> R) throws -> R {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    methods.initialize(to: original.pointee)
    methods.pointee.xUnfetch = { _, _, _ in
      let action = nextAction
      nextAction = nil
      do { try action?() } catch { Issue.record(error) }
      return SQLITE_OK
    }
    file.pointee.pMethods = UnsafePointer(methods)
    defer {
      file.pointee.pMethods = original
      methods.deallocate()
    }
    nextAction = action
    let result = try checkpoint()
    #expect(nextAction == nil, "the checkpoint was not interrupted")
    return result
  }
}

// Used on the thread of the test, one after the other.
nonisolated(unsafe) private var nextAction: (() throws -> Void)?
