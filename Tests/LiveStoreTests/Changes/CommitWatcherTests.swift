import CSQLite
import Glibc
import Synchronization
import Testing

@testable import LiveStore

/// Records the events of a subscription and lets a test wait for them.
private final class EventRecorder: Sendable {
  private struct State {
    var events: [CommitEvent] = []
    var answer: @Sendable (CommitEvent) -> CommitEvent.Outcome
  }

  private let state: Mutex<State>
  private let pipe: (read: Int32, write: Int32)

  init(answer: @escaping @Sendable (CommitEvent) -> CommitEvent.Outcome = { _ in .upToDate }) {
    var descriptors: [Int32] = [0, 0]
    _ = Glibc.pipe(&descriptors)
    pipe = (descriptors[0], descriptors[1])
    _ = fcntl(pipe.write, F_SETFL, O_NONBLOCK)
    state = Mutex(State(answer: answer))
  }

  deinit {
    close(pipe.read)
    close(pipe.write)
  }

  func subscribe(_ path: String, watchesFiles: Bool = true) throws -> CommitWatcher.Subscription {
    try CommitWatcher.shared.subscribe(path: path, watchesFiles: watchesFiles) { self.record($0) }
  }

  func record(_ event: CommitEvent) -> CommitEvent.Outcome {
    let answer = state.withLock {
      $0.events.append(event)
      return $0.answer
    }
    let outcome = answer(event)
    _ = write(pipe.write, [UInt8(0)], 1)
    return outcome
  }

  var events: [CommitEvent] { state.withLock { $0.events } }

  func forget() { state.withLock { $0.events = [] } }

  /// Waits until the events so far satisfy the condition; false after a minute.
  func wait(until isEnough: ([CommitEvent]) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isEnough(events) {
      guard ContinuousClock.now < deadline else { return false }
      var descriptor = pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 1000) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 256)
      _ = read(pipe.read, &bytes, bytes.count)
    }
    return true
  }

  func wait(for event: CommitEvent) -> Bool {
    wait { $0.contains { $0.contains(event) } }
  }

  /// True once everything that was caused before this call has been handled: events of one watcher come in order, and
  /// there is one thread, so the wake after them is the last of them.
  func settle(_ subscription: CommitWatcher.Subscription) -> Bool {
    CommitWatcher.shared.wake(path: subscription.path)
    return wait(for: .wake)
  }
}

private struct Fixture {
  let directory = TemporaryDirectory()
  let path: String
  /// Keeps the `-wal` from being deleted by others.
  let connection: TestDatabase

  init() {
    path = directory.path + "/tasks.db"
    connection = TestDatabase(path: path)
    connection.rows("pragma journal_mode = wal")
    connection.rows("create table t (a)")
  }

  /// What is watched once the stores of other tests have gone; a thread that filled a collection lets its store go last.
  static func loadAtRest() -> (databases: Int, watches: Int) {
    for _ in 0..<6_000 where CommitWatcher.shared.load.databases > 0 { poll(nil, 0, 10) }
    return CommitWatcher.shared.load
  }

  func runSQLite(_ sql: String) {
    #expect(runProgram("sqlite3", path, sql) == 0)
  }

  /// The time the watcher's thread has spent on the processor, in clock ticks, and how often it was switched out.
  static func watcherActivity() throws -> String {
    let directory = try #require(opendir("/proc/self/task"))
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let id = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard contents("/proc/self/task/\(id)/comm") == CommitWatcher.threadName + "\n" else { continue }
      let status = contents("/proc/self/task/\(id)/status").split(separator: "\n")
      return status.filter { $0.contains("ctxt_switches") }.joined(separator: ";")
    }
    Issue.record("no watcher thread")
    return ""
  }

  private static func contents(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

// Serialized, because there is one watcher for the process and two of the tests measure it.
@Suite("Commits of any process wake the watcher", .serialized)
struct CommitWatcherTests {
  @Test("A post in this process is a signal event")
  func post() throws {
    let fixture = Fixture()
    let signal = CommitSignal(databasePath: fixture.path)
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe(fixture.path)
    signal.post()
    #expect(recorder.wait(for: .signal))
    subscription.cancel()
  }

  @Test("A write to the signal file by another process is a signal event")
  func foreignPost() throws {
    let fixture = Fixture()
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe(fixture.path)
    #expect(
      runProgram("sh", "-c", "printf 12345678 | dd of='\(fixture.path)-live' conv=notrunc status=none") == 0)
    #expect(recorder.wait(for: .signal))
    subscription.cancel()
  }

  @Test(
    "A commit by the sqlite3 program is seen, also where an fsync lies between its write and its commit",
    arguments: ["off", "normal", "full"])
  func foreignCommit(synchronous: String) throws {
    let fixture = Fixture()
    let observer = Mutex(TestDatabase(path: fixture.path))
    let recorder = EventRecorder()
    let subscription = try CommitWatcher.shared.subscribe(path: fixture.path) { event in
      // Recorded only when the commit was visible.
      let seen = observer.withLock { $0.rows("select count(*) from t")[0][0] } == .integer(1)
      return seen ? recorder.record(event) : .moreMayFollow
    }
    fixture.runSQLite("pragma synchronous = \(synchronous); insert into t values (1)")
    #expect(recorder.wait { !$0.isEmpty })
    subscription.cancel()
  }

  @Test("A commit that becomes visible after its write was looked at is found by looking again")
  func lookAgain() throws {
    let fixture = Fixture()
    let looks = Atomic(0)
    let recorder = EventRecorder { event in
      guard event.contains(.lookAgain) else { return .moreMayFollow }
      return looks.wrappingAdd(1, ordering: .relaxed).newValue >= 3 ? .upToDate : .moreMayFollow
    }
    let subscription = try recorder.subscribe(fixture.path)
    fixture.connection.rows("insert into t values (1)")
    #expect(recorder.wait { $0.filter { $0.contains(.lookAgain) }.count >= 3 })
    subscription.cancel()
  }

  @Test("A -wal that is deleted and made anew is watched again")
  func newWAL() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/tasks.db"
    #expect(runProgram("sqlite3", path, "pragma journal_mode = wal; create table t (a)") == 0)
    // The program was the last to close it, so there is no -wal now.
    #expect(access(path + "-wal", F_OK) != 0)
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe(path)
    for _ in 0..<5 {
      recorder.forget()
      #expect(runProgram("sqlite3", path, "insert into t values (1)") == 0)
      #expect(recorder.wait(for: .wal))
      #expect(access(path + "-wal", F_OK) != 0)
    }
    // One that stays is watched for writes, not only for being made.
    let connection = TestDatabase(path: path)
    connection.rows("insert into t values (2)")
    #expect(recorder.settle(subscription))
    recorder.forget()
    connection.rows("insert into t values (3)")
    #expect(recorder.wait(for: .wal))
    subscription.cancel()
  }

  @Test("A signal file that was given another name is made again after some posts")
  func movedSignalFile() {
    let fixture = Fixture()
    let signal = CommitSignal(databasePath: fixture.path)
    #expect(rename(fixture.path + "-live", fixture.path + "-moved") == 0)
    for _ in 0..<64 { signal.post() }
    #expect(access(fixture.path + "-live", F_OK) == 0)
    unlink(fixture.path + "-moved")
  }

  @Test("A signal file that is deleted is made again by the next post, and watched")
  func newSignalFile() throws {
    let fixture = Fixture()
    let signal = CommitSignal(databasePath: fixture.path)
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe(fixture.path)
    for _ in 0..<3 {
      unlink(fixture.path + "-live")
      recorder.forget()
      signal.post()
      #expect(recorder.wait(for: .signal))
      #expect(recorder.settle(subscription))
      recorder.forget()
      signal.post()
      #expect(recorder.wait(for: .signal))
    }
    subscription.cancel()
  }

  @Test("A database that is replaced by a rename is an event")
  func replaced() throws {
    let fixture = Fixture()
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe(fixture.path)
    #expect(runProgram("sqlite3", fixture.directory.path + "/other.db", "create table t (a)") == 0)
    #expect(recorder.settle(subscription))
    #expect(!recorder.events.contains { $0.contains(.file) })
    #expect(rename(fixture.directory.path + "/other.db", fixture.path) == 0)
    #expect(recorder.wait(for: .file))
    subscription.cancel()
  }

  @Test("Readers cause no event")
  func readers() throws {
    let fixture = Fixture()
    fixture.connection.rows("insert into t values (1)")
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe(fixture.path)
    #expect(runProgram("sqlite3", fixture.path, "select * from t where a is null; begin; commit") == 0)
    fixture.connection.rows("select * from t")
    _ = TestDatabase(path: fixture.path).rows("select * from t")
    #expect(recorder.settle(subscription))
    #expect(recorder.events == [.wake])
    subscription.cancel()
  }

  @Test("Files of other databases in the directory cause no event")
  func otherNames() throws {
    let fixture = Fixture()
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe(fixture.path)
    let other = fixture.directory.path + "/tasks.db2"
    #expect(runProgram("sqlite3", other, "pragma journal_mode = wal; create table t (a)") == 0)
    CommitSignal(databasePath: other).post()
    #expect(recorder.settle(subscription))
    #expect(recorder.events == [.wake])
    subscription.cancel()
  }

  @Test("A link to a database and the database share their watches and events")
  func links() throws {
    let fixture = Fixture()
    let link = fixture.directory.path + "/link.db"
    #expect(symlink(fixture.path, link) == 0)
    let (direct, linked) = (EventRecorder(), EventRecorder())
    let before = Fixture.loadAtRest()
    let first = try direct.subscribe(fixture.path)
    let watches = CommitWatcher.shared.load.watches
    let second = try linked.subscribe(link)
    #expect(first.path == second.path)
    #expect(CommitWatcher.shared.load == (before.databases + 1, watches))
    CommitSignal(databasePath: link).post()
    #expect(direct.wait(for: .signal))
    #expect(linked.wait(for: .signal))
    direct.forget()
    linked.forget()
    CommitWatcher.shared.wake(path: link)
    #expect(direct.wait(for: .wake))
    #expect(linked.wait(for: .wake))
    first.cancel()
    second.cancel()
    #expect(CommitWatcher.shared.load == before)
  }

  @Test("Twenty subscriptions on four databases in one directory each get their database's events")
  func manySubscriptions() throws {
    let directory = TemporaryDirectory()
    let before = Fixture.loadAtRest()
    let paths = (0..<4).map { directory.path + "/\($0).db" }
    for path in paths { TestDatabase(path: path).rows("create table t (a)") }
    let recorders = (0..<20).map { _ in EventRecorder() }
    let subscriptions = try recorders.enumerated().map { try $1.subscribe(paths[$0 % 4]) }
    for posted in 0..<4 {
      for recorder in recorders { recorder.forget() }
      CommitSignal(databasePath: paths[posted]).post()
      for (index, recorder) in recorders.enumerated() {
        if index % 4 == posted { #expect(recorder.wait(for: .signal)) }
        #expect(recorder.settle(subscriptions[index]))
        #expect(recorder.events.contains { $0.contains(.signal) } == (index % 4 == posted))
      }
    }
    for subscription in subscriptions { subscription.cancel() }
    #expect(CommitWatcher.shared.load == before)
  }

  @Test("After cancel the handler is neither running nor called")
  func cancel() throws {
    let fixture = Fixture()
    let signal = CommitSignal(databasePath: fixture.path)
    let other = EventRecorder()
    let keeper = try other.subscribe(fixture.path)
    for _ in 0..<200 {
      let isCancelled = Atomic(false)
      let calledLate = Atomic(false)
      let started = EventRecorder()
      let subscription = try CommitWatcher.shared.subscribe(path: fixture.path) { event in
        _ = started.record(event)
        // Long enough for the cancel to come in between.
        for _ in 0..<1000 where isCancelled.load(ordering: .sequentiallyConsistent) {
          calledLate.store(true, ordering: .sequentiallyConsistent)
        }
        return .moreMayFollow
      }
      signal.post()
      #expect(started.wait(for: .signal))
      signal.post()
      subscription.cancel()
      isCancelled.store(true, ordering: .sequentiallyConsistent)
      signal.post()
      other.forget()
      #expect(other.settle(keeper))
      let wasCalledLate = calledLate.load(ordering: .sequentiallyConsistent)
      #expect(!wasCalledLate)
      subscription.cancel()
    }
    keeper.cancel()
  }

  @Test("A handler may cancel itself and others, subscribe, and wake")
  func reentrant() throws {
    let fixture = Fixture()
    let held = Mutex<[CommitWatcher.Subscription]>([])
    let (recorder, victim, late) = (EventRecorder(), EventRecorder(), EventRecorder())
    let path = fixture.path
    let own = try CommitWatcher.shared.subscribe(path: path) { event in
      let subscriptions = held.withLock { (held: inout [CommitWatcher.Subscription]) in
        defer { held = [] }
        return held
      }
      for subscription in subscriptions { subscription.cancel() }
      if let subscription = try? late.subscribe(path) { held.withLock { $0.append(subscription) } }
      CommitWatcher.shared.wake(path: path)
      return recorder.record(event)
    }
    held.withLock { $0 = [own] }
    let other = try victim.subscribe(path)
    held.withLock { $0.append(other) }
    CommitWatcher.shared.wake(path: path)
    #expect(recorder.wait(for: .wake))
    #expect(late.wait(for: .wake))
    #expect(recorder.events == [.wake])
    #expect(victim.events.count <= 1)
    for subscription in held.withLock({ $0 }) { subscription.cancel() }
  }

  @Test("Dropping the last reference to a subscription ends it and releases the handler")
  func dropped() throws {
    final class Witness: Sendable {}
    let fixture = Fixture()
    let before = Fixture.loadAtRest()
    weak var released: Witness?
    do {
      let witness = Witness()
      released = witness
      let subscription = try CommitWatcher.shared.subscribe(path: fixture.path) { _ in
        withExtendedLifetime(witness) { .moreMayFollow }
      }
      #expect(CommitWatcher.shared.load.databases == before.databases + 1)
      _ = consume subscription
    }
    #expect(released == nil)
    #expect(CommitWatcher.shared.load == before)
  }

  @Test("Many posts never block, and none after the last call is missed")
  func manyPosts() throws {
    let fixture = Fixture()
    let signal = CommitSignal(databasePath: fixture.path)
    let posted = Atomic(0)
    let seen = Atomic(0)
    let recorder = EventRecorder { _ in
      seen.store(posted.load(ordering: .sequentiallyConsistent), ordering: .sequentiallyConsistent)
      return .upToDate
    }
    let subscription = try recorder.subscribe(fixture.path)
    for count in 1...20_000 {
      posted.store(count, ordering: .sequentiallyConsistent)
      signal.post()
    }
    #expect(recorder.wait { _ in seen.load(ordering: .sequentiallyConsistent) == 20_000 })
    subscription.cancel()
  }

  @Test("A watcher whose handler is stuck does not hold up a post, and is called once for all it missed")
  func drained() throws {
    let fixture = Fixture()
    let signal = CommitSignal(databasePath: fixture.path)
    let gate = EventRecorder()
    let recorder = EventRecorder()
    let entered = EventRecorder()
    let subscription = try CommitWatcher.shared.subscribe(path: fixture.path) { event in
      _ = entered.record(event)
      if entered.events.count == 1 { _ = gate.wait(for: .wake) }
      return recorder.record(event)
    }
    signal.post()
    #expect(entered.wait(for: .signal))
    for _ in 0..<1000 { signal.post() }
    fixture.connection.rows("insert into t values (1)")
    _ = gate.record(.wake)
    #expect(recorder.wait(for: .wal))
    #expect(recorder.events.prefix(2) == [.signal, [.signal, .wal]])
    subscription.cancel()
  }

  @Test("With nothing to do the thread does not run at all")
  func idle() throws {
    let fixture = Fixture()
    let recorder = EventRecorder { _ in .moreMayFollow }
    let subscription = try recorder.subscribe(fixture.path)
    fixture.connection.rows("insert into t values (1)")
    // Until the last look after that insert.
    #expect(
      recorder.wait { $0.filter { $0.contains(.lookAgain) }.count == LookAgainSchedule.intervals.count })
    #expect(recorder.settle(subscription))
    // The thread is on its way to sleep, and stores of other tests may have some way to go.
    var before = ""
    var after = try Fixture.watcherActivity()
    for _ in 0..<10 where after != before {
      before = after
      poll(nil, 0, 2000)
      after = try Fixture.watcherActivity()
    }
    #expect(after == before)
    subscription.cancel()
  }

  @Test("What has no files is woken only from within")
  func withoutFiles() throws {
    let before = Fixture.loadAtRest()
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe("memory:tasks", watchesFiles: false)
    #expect(CommitWatcher.shared.load == (before.databases + 1, before.watches))
    CommitWatcher.shared.wake(path: "memory:tasks")
    #expect(recorder.wait(for: .wake))
    subscription.cancel()
  }

  @Test("A directory that is missing is an error with a sentence")
  func missingDirectory() {
    let before = Fixture.loadAtRest()
    let error = #expect(throws: CommitWatcher.Failure.self) {
      try EventRecorder().subscribe("/nonexistent/tasks.db")
    }
    #expect(error?.description.contains("No such file or directory") == true)
    #expect(CommitWatcher.shared.load == before)
  }
}

@Suite("The signal file")
struct CommitSignalTests {
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : 0
  }

  @Test(
    "It lies next to the database, with the database's permissions",
    arguments: [0o600, 0o640, 0o664] as [mode_t])
  func permissions(mode: mode_t) {
    let fixture = Fixture()
    chmod(fixture.path, mode)
    CommitSignal(databasePath: fixture.path).post()
    #expect(self.mode(fixture.path + "-live") == S_IFREG | mode)
    var status = stat()
    #expect(stat(fixture.path + "-live", &status) == 0 && status.st_size == 8)
  }

  @Test("A link or a FIFO under its name is left alone")
  func planted() {
    let fixture = Fixture()
    let victim = fixture.directory.path + "/victim"
    #expect(runProgram("sh", "-c", "printf precious > '\(victim)'; ln -s victim '\(fixture.path)-live'") == 0)
    let signal = CommitSignal(databasePath: fixture.path)
    signal.post()
    #expect(runProgram("grep", "-qx", "precious", victim) == 0)
    unlink(fixture.path + "-live")
    mkfifo(fixture.path + "-live", 0o600)
    signal.post()
    #expect(mode(fixture.path + "-live") & S_IFMT == S_IFIFO)
  }

  @Test("A post without a directory does nothing")
  func missing() {
    CommitSignal(databasePath: "/nonexistent/tasks.db").post()
  }

  @Test("The locks that SQLite holds on the database survive every call")
  func locks() throws {
    let fixture = Fixture()
    fixture.connection.rows("begin immediate")
    let signal = CommitSignal(databasePath: fixture.path)
    signal.post()
    let subscription = try CommitWatcher.shared.subscribe(path: fixture.path) { _ in .moreMayFollow }
    unlink(fixture.path + "-live")
    signal.post()
    subscription.cancel()
    #expect(runProgram("sqlite3", "-bail", fixture.path, "insert into t values (1)") != 0)
    fixture.connection.rows("rollback")
    #expect(runProgram("sqlite3", "-bail", fixture.path, "insert into t values (1)") == 0)
  }
}

@Suite("When to look again")
struct LookAgainScheduleTests {
  private func delays(after event: CommitEvent, _ outcomes: CommitEvent.Outcome...) -> [Int64?] {
    var schedule = LookAgainSchedule()
    var time: Int64 = 1_000
    var delays: [Int64?] = []
    for (index, outcome) in outcomes.enumerated() {
      schedule.looked(for: index == 0 ? event : .lookAgain, outcome: outcome, at: time)
      delays.append(schedule.deadline.map { $0 - time })
      time = schedule.deadline ?? time
    }
    return delays
  }

  @Test("After a write of the -wal, at growing intervals and then no more")
  func sequence() {
    let expected: [Int64?] = LookAgainSchedule.intervals + [nil]
    #expect(
      delays(
        after: .wal, .moreMayFollow, .moreMayFollow, .moreMayFollow, .moreMayFollow, .moreMayFollow,
        .moreMayFollow,
        .moreMayFollow,
        .moreMayFollow) == expected)
  }

  @Test("Once everything written is known, no more")
  func upToDate() {
    let first = LookAgainSchedule.intervals[0]
    #expect(delays(after: .wal, .upToDate) == [nil])
    #expect(delays(after: .wal, .moreMayFollow, .upToDate) == [first, nil])
    #expect(delays(after: .signal, .upToDate) == [nil])
  }

  @Test("A signal or a wake moves no deadline")
  func signal() {
    #expect(delays(after: .wake, .moreMayFollow) == [LookAgainSchedule.intervals[0]])
    var schedule = LookAgainSchedule()
    schedule.looked(for: .wal, outcome: .moreMayFollow, at: 0)
    let deadline = schedule.deadline
    schedule.looked(for: .signal, outcome: .moreMayFollow, at: 100_000)
    #expect(schedule.deadline == deadline)
    schedule.looked(for: [.signal, .wal], outcome: .moreMayFollow, at: 200_000)
    #expect(schedule.deadline == 450_000)
  }

  @Test(
    "Lost events and a replaced file are looked after as a write is",
    arguments: [CommitEvent.overflow, .file])
  func others(event: CommitEvent) {
    #expect(delays(after: event, .moreMayFollow) == [LookAgainSchedule.intervals[0]])
  }
}
