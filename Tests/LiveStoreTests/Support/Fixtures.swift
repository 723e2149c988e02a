import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Programs
import TestSupport
import Testing

@testable import LiveStore

/// A store on a file of its own, gone with the last user; turns are taken by the test.
final class TestFile {
  private let folder = TemporaryFolder()
  var path: String { folder("test.db") }

  func open() throws -> TestStore {
    try TestStore(path, keeping: self)
  }

  /// The bytes of the file, or of that beside it with a suffix.
  func size(_ suffix: String = "") -> Int { fileStatus(path + suffix).map { Int($0.st_size) } ?? 0 }
}

/// A store whose turns a test takes.
final class TestStore {
  let source = NotificationSource()
  let store: Store
  private let thread = pthread_self()
  private let file: TestFile?

  /// - Parameter file: Must not go before the store, which cannot be written to without it.
  init(
    _ path: String, types: [Object.Type] = [Person.self, Dog.self], keeping file: TestFile? = nil
  ) throws {
    self.file = file
    store = try Store(
      Store.Configuration(path: path, objectTypes: types), scheduler: .fileDescriptor(source))
  }

  init(_ configuration: Store.Configuration) throws {
    file = nil
    store = try Store(configuration, scheduler: .fileDescriptor(source))
  }

  init(memory identifier: String) throws {
    file = nil
    store = try Store(
      Store.Configuration(inMemory: identifier, objectTypes: [Person.self, Dog.self]),
      scheduler: .fileDescriptor(source))
  }

  deinit {
    // The last turn, on which the store lets go of callbacks whose tokens are gone. An asynchronous test may
    // end on another thread than it began.
    if pthread_equal(thread, pthread_self()) != 0 { store.processNotifications() }
  }

  /// Waits until there is something to deliver, and takes a turn. Returns whether there was within the time.
  @discardableResult
  func turn(milliseconds: Int32 = Patience.milliseconds) -> Bool {
    let ready = waitForInput(source.fileDescriptor, milliseconds: milliseconds)
    store.processNotifications()
    return ready
  }

  /// Waits until one of several stores has something to deliver, and lets all take a turn. Returns whether
  /// one had.
  static func turn(_ stores: [TestStore]) -> Bool {
    var descriptors = stores.map { pollfd(fd: $0.source.fileDescriptor, events: Int16(POLLIN), revents: 0) }
    let ready = poll(&descriptors, nfds_t(descriptors.count), Patience.milliseconds) > 0
    for test in stores { test.store.processNotifications() }
    return ready
  }

  /// Takes turns until a condition holds.
  func turns(until condition: () -> Bool) -> Bool {
    while !condition() {
      if !turn() { return condition() }
    }
    return true
  }
}

/// Runs SQL in a program that knows nothing of LiveStore, and waits so long for locks and for readers.
@discardableResult
func sqlite3(_ path: String, _ sql: String, waiting milliseconds: Int32 = Patience.milliseconds) -> String {
  let words = ["sqlite3", "-bail", "-cmd", ".timeout \(milliseconds)", path, sql]
  let result = try? Program(words).run()
  #expect(result?.status == 0, "sqlite3 failed: \(sql): \(result?.output ?? "it could not be started")")
  return result?.output ?? ""
}
