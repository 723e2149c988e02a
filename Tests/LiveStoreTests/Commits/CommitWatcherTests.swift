import Glibc
import Synchronization
import TestSupport
import Testing

@testable import LiveStore

@Suite("Commits of any process wake the watcher")
struct CommitWatcherTests {
  @Test("A post in this process is a signal event")
  func post() throws {
    let fixture = WatchedDatabase()
    let signal = CommitSignal(databasePath: fixture.path)
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe(fixture.path)
    signal.post()
    #expect(recorder.wait(for: .signal))
    subscription.cancel()
  }

  @Test("A write to the signal file by another process is a signal event")
  func foreignPost() throws {
    let fixture = WatchedDatabase()
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
    let fixture = WatchedDatabase()
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
    let fixture = WatchedDatabase()
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
    let directory = TemporaryFolder()
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

  @Test("A signal file that is deleted is made again by the next post, and watched")
  func newSignalFile() throws {
    let fixture = WatchedDatabase()
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
    let fixture = WatchedDatabase()
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
    let fixture = WatchedDatabase()
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
    let fixture = WatchedDatabase()
    let recorder = EventRecorder()
    let subscription = try recorder.subscribe(fixture.path)
    let other = fixture.directory.path + "/tasks.db2"
    #expect(runProgram("sqlite3", other, "pragma journal_mode = wal; create table t (a)") == 0)
    CommitSignal(databasePath: other).post()
    #expect(recorder.settle(subscription))
    #expect(recorder.events == [.wake])
    subscription.cancel()
  }

  @Test("Many posts never block, and none after the last call is missed")
  func manyPosts() throws {
    let fixture = WatchedDatabase()
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

  /// A subscription whose handler is stuck in its first call, for a signal, until the gate records a wake.
  private func stuck(
    _ fixture: WatchedDatabase, _ gate: EventRecorder, _ recorder: EventRecorder
  ) throws -> CommitSubscription {
    let entered = EventRecorder()
    let subscription = try CommitWatcher.shared.subscribe(path: fixture.path) { event in
      _ = entered.record(event)
      if entered.events.count == 1 { _ = gate.wait(for: .wake) }
      return recorder.record(event)
    }
    CommitSignal(databasePath: fixture.path).post()
    #expect(entered.wait(for: .signal))
    return subscription
  }

  @Test("A watcher whose handler is stuck does not hold up a post, and is called once for all it missed")
  func drained() throws {
    let fixture = WatchedDatabase()
    let (recorder, gate) = (EventRecorder(), EventRecorder())
    let subscription = try stuck(fixture, gate, recorder)
    let signal = CommitSignal(databasePath: fixture.path)
    for _ in 0..<1000 { signal.post() }
    fixture.connection.rows("insert into t values (1)")
    _ = gate.record(.wake)
    #expect(recorder.wait(for: .wal))
    #expect(recorder.events.prefix(2) == [.signal, [.signal, .wal]])
    subscription.cancel()
  }

  @Test("A log that is moved away and back before the watcher takes the events is an event of the file")
  func movedAndBack() throws {
    let fixture = WatchedDatabase()
    let (recorder, gate) = (EventRecorder(), EventRecorder())
    let subscription = try stuck(fixture, gate, recorder)
    let (log, away) = (fixture.path + "-wal", fixture.path + "-away")
    #expect(rename(log, away) == 0 && rename(away, log) == 0)
    _ = gate.record(.wake)
    CommitWatcher.shared.wake(path: fixture.path)
    #expect(recorder.wait(for: .wake))
    #expect(recorder.events.contains { $0.contains(.file) })
    subscription.cancel()
  }

  @Test("With nothing to do the thread does not run at all")
  func idle() async {
    // In a process of its own: stores of other tests wake the thread.
    await #expect(processExitsWith: .success) {
      let fixture = WatchedDatabase()
      let recorder = EventRecorder { _ in .moreMayFollow }
      let subscription = try recorder.subscribe(fixture.path)
      fixture.connection.rows("insert into t values (1)")
      // Until the last look after that insert.
      #expect(
        recorder.wait { $0.filter { $0.contains(.lookAgain) }.count == LookAgainSchedule.intervals.count })
      #expect(recorder.settle(subscription))
      // The thread is on its way to sleep.
      var before = ""
      var after = try WatchedDatabase.watcherActivity()
      for _ in 0..<10 where after != before {
        before = after
        poll(nil, 0, 2000)
        after = try WatchedDatabase.watcherActivity()
      }
      #expect(after == before)
      subscription.cancel()
    }
  }

  @Test("A forked process watches with threads of its own")
  func forked() async {
    await #expect(processExitsWith: .success) {
      let fixture = WatchedDatabase()
      let outer = EventRecorder()
      let subscription = try outer.subscribe(fixture.path)
      // Swift's runtime makes the tables of types at their first use, under locks that no fork may meet.
      for _ in 0..<3 {
        outer.forget()
        #expect(outer.settle(subscription))
      }
      let status = try fork {
        let recorder = EventRecorder()
        let own = try? recorder.subscribe(fixture.path)
        CommitWatcher.shared.wake(path: fixture.path)
        return recorder.wait(for: .wake) && own != nil
      }
      #expect(status == 0)
      subscription.cancel()
    }
  }

  @Test("A process forks while another thread takes the watcher's lock, and the new one can take it")
  func forkedMeanwhile() async {
    await #expect(processExitsWith: .success) {
      _ = CommitWatcher.shared.load
      let user = Task.detached { while !Task.isCancelled { _ = CommitWatcher.shared.load } }
      for _ in 0..<100 {
        let status = try fork {
          _ = CommitWatcher.shared.load
          return true
        }
        try #require(status == 0)
      }
      user.cancel()
    }
  }

  @Test("A store that a forked process has inherited stops that process, and not its parent, with a sentence")
  func inheritedStore() async {
    expect(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let test = try TestFile().open()
        let status = try fork {
          _ = try? test.store.refresh()
          return true
        }
        #expect(status & 0x7F != 0)
        try test.store.refresh()
      },
      says: "A store cannot be used by a process that was forked from the one that has opened it; "
        + "open another one there.")
  }
}

/// Runs a closure in a forked process, and returns how that ends: with 0 if the closure returns true. A
/// signal ends one that hangs.
private func fork(_ body: () -> Bool) throws -> Int32 {
  typealias Fork = @convention(c) () -> pid_t
  let child = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)()
  if child == 0 {
    // Threads of tasks block it.
    var signals = sigset_t()
    sigemptyset(&signals)
    pthread_sigmask(SIG_SETMASK, &signals, nil)
    alarm(30)
    _exit(body() ? 0 : 1)
  }
  var status: Int32 = 0
  #expect(waitpid(child, &status, 0) == child)
  return status
}
