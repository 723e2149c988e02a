import CSQLite
import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Synchronization
import Testing

@testable import LiveStore

@Suite("How long one waits for others")
struct WaitingTests {
  private let file = TestFile()

  @Test(
    "Opening a file in another journal mode that is being read ends after the timeout, however much is waited for"
  )
  func opening() throws {
    try file.addPeople(1...3)
    #expect(sqlite3(file.path, "pragma journal_mode = delete") == "delete\n")
    let reader = TestDatabase(path: file.path)
    reader.rows("begin")
    reader.rows("select * from Person")
    var configuration = Store.Configuration(path: file.path, objectTypes: [Person.self, Dog.self])
    configuration.busyTimeout = 300
    let start = SteadyClock.now()
    let error = #expect(throws: StoreError.self) {
      try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
    }
    // Before, it waited for the timeout as many times as that has milliseconds: for a minute and a half here.
    #expect(SteadyClock.now() - start < 60_000_000_000)
    #expect(
      error?.code == .busy && error?.description.contains(file.path) == true, "\(error?.description ?? "")")
    reader.rows("commit")
    let store = try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
    #expect(store.objects(Person.self).count == 3)
  }

  @Test(
    "A commit whose disk takes longer than all the looks is told when it is there, without a further event")
  func slowSync() throws {
    try file.addPeople(1...3)
    let test = try file.observer()
    // Of a log that is new, the header alone is synced first.
    try test.write { _ in test.person(2).age = 2 }
    let people = test.observe(test.people)
    let slow = try SlowFileSystem()
    let done = Atomic(false)
    let path = file.path
    BackgroundThread.run {
      let database = slow.open(path)
      sqlite3_exec(
        database, "pragma synchronous = full; update Person set age = 1 where id = 1", nil, nil, nil)
      done.store(true, ordering: .releasing)
      // Kept open: closing it would write.
      slow.wait(for: 2)
      sqlite3_close_v2(database)
    }
    slow.waitForSync()
    // As many looks as there are, and one more, by another watcher of the same file.
    let looks = EventRecorder { _ in .moreMayFollow }
    let subscription = try looks.subscribe(path)
    CommitWatcher.shared.wake(path: path)
    #expect(looks.wait { $0.contains { $0.contains(.lastLook) } })
    subscription.cancel()
    #expect(people.changes.isEmpty)
    slow.proceed(to: 1)
    #expect(test.turns { !people.changes.isEmpty })
    #expect(people.changes == [ChangeSet(mod: [0])])
    slow.proceed(to: 2)
    while !done.load(ordering: .acquiring) { sched_yield() }
  }

  @Test("A writer that was killed before its commit is looked after no longer than before")
  func killed() throws {
    #expect(!FileLocks.isLocked(byte: 120, ofInode: 1))
    let line = "12: POSIX  ADVISORY  WRITE 15321 fe:00:16238930 120 120"
    func isLock(_ line: String, _ byte: Int64, _ inode: UInt64) -> Bool {
      FileLocks.isLock(Array(line.utf8)[...], on: byte, ofInode: inode)
    }
    #expect(isLock(line, 120, 16_238_930))
    #expect(!isLock(line, 121, 16_238_930) && !isLock(line, 120, 16_238_931))
    #expect(isLock("1: OFDLCK ADVISORY  WRITE -1 00:1b:7 100 EOF", 120, 7))
    #expect(!isLock("1: -> POSIX  ADVISORY  WRITE 2 00:1b:7 120 120", 120, 7))
    #expect(!isLock(line.replacing("WRITE", with: "READ"), 120, 16_238_930))
    #expect(!isLock("nonsense", 120, 7))
  }
}

/// A file system of SQLite's on which the first sync of a log waits until a test lets it go on.
final class SlowFileSystem: @unchecked Sendable {
  // Everything is used under the lock.
  private static let monitor = Monitor()
  nonisolated(unsafe) private static var step = 0
  nonisolated(unsafe) private static var isSyncing = false
  nonisolated(unsafe) private static var methods: UnsafeMutablePointer<sqlite3_io_methods>?
  nonisolated(unsafe) private static var original: UnsafeMutablePointer<sqlite3_vfs>?
  nonisolated(unsafe) private static var originalSync:
    (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32)?

  init() throws {
    let original = try #require(sqlite3_vfs_find(nil))
    Self.original = original
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: original.pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(strdup("slow"))
    copy.pointee.xOpen = { _, path, file, flags, outFlags in
      guard let original = SlowFileSystem.original, let file else { return SQLITE_CANTOPEN }
      let result = original.pointee.xOpen(original, path, file, flags, outFlags)
      guard flags & SQLITE_OPEN_WAL != 0, result == SQLITE_OK, let methods = file.pointee.pMethods else {
        return result
      }
      if SlowFileSystem.methods == nil {
        let own = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        own.initialize(to: methods.pointee)
        SlowFileSystem.originalSync = methods.pointee.xSync
        own.pointee.xSync = { file, flags in
          SlowFileSystem.hold()
          return SlowFileSystem.originalSync?(file, flags) ?? SQLITE_OK
        }
        SlowFileSystem.methods = own
      }
      file.pointee.pMethods = SlowFileSystem.methods.map { UnsafePointer($0) }
      return result
    }
    #expect(sqlite3_vfs_register(copy, 0) == SQLITE_OK)
  }

  func open(_ path: String) -> OpaquePointer? {
    var database: OpaquePointer?
    #expect(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, "slow") == SQLITE_OK)
    return database
  }

  private static func hold() {
    monitor.withLock {
      isSyncing = true
      monitor.wakeAll()
      while step < 1 { monitor.wait() }
    }
  }

  func waitForSync() {
    Self.monitor.withLock { while !Self.isSyncing { Self.monitor.wait() } }
  }

  func proceed(to step: Int) {
    Self.monitor.withLock {
      Self.step = step
      Self.monitor.wakeAll()
    }
  }

  func wait(for step: Int) {
    Self.monitor.withLock { while Self.step < step { Self.monitor.wait() } }
  }
}
