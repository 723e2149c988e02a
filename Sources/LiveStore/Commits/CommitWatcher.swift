import CLinux
import LibC

/// A watcher that calls its subscribers when a database may have a new version, committed by this process,
/// another one that uses LiveStore, or any other program.
///
/// One inotify descriptor and one thread, the leader, serve all databases of the process. The leader starts
/// with the first subscription, sleeps in the kernel while nothing happens, and blocks all signals. It calls
/// the handlers itself, so that no other thread lies between the event and the handler.
///
/// A handler may take long, and must not delay other stores. Once there are two subscriptions, a second
/// thread, the deputy, sleeps beside the leader. A timer runs while the leader calls handlers; when it fires,
/// the deputy becomes the leader and a new deputy starts. The former leader ends after the handler that
/// delayed it.
///
/// For each database three things are watched: the signal file, written after a commit by LiveStore; the
/// `-wal`, written before a commit by every program; and the directory, where each of them and the database
/// itself may be created, replaced or deleted. Reading the database causes no event. If the system does not
/// let the user watch more files, the subscribers are called ten times a second instead, until it does.
///
/// Commits may come faster than each is worth a look, and a program that writes causes events for itself. A
/// subscriber may therefore have a rest period after a call. While all of them have one, the thread ignores
/// events, and delivers them afterwards.
package final class CommitWatcher: Sendable {
  package static let shared: CommitWatcher = {
    let watcher = CommitWatcher()
    // A forked process has no other threads, and could never take a lock that one of them held: the thread
    // that forks takes it before.
    let result = pthread_atfork(
      { CommitWatcher.shared.state.lock() }, { CommitWatcher.shared.state.unlock() },
      { CommitWatcher.shared.state.unlock() })
    precondition(result == 0, "There is no memory to follow forks.")
    return watcher
  }()

  package typealias Handler = @Sendable (CommitEvent) -> CommitEvent.Outcome

  /// The failure to watch a file or to start a thread.
  package struct Failure: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    package var description: String {
      "cannot be watched for changes of other processes: \(call): \(String(cString: strerror(code)))"
    }
  }

  struct State {
    /// The forks until then: a process that was forked since has none of the threads.
    var forks = ForkCount.present
    /// The inotify descriptor; -1 while the system provides none.
    var inotify: Int32 = -1
    var isRunning = false
    /// The timer that wakes the deputy; -1 until there is one.
    var timer: Int32 = -1
    var hasDeputy = false
    /// The number of leaders so far.
    var term = 0
    var isCalling = false
    /// The subscribers that are due, or have a deadline.
    var agenda: [Subscriber] = []
    var wakeUp: Int32 = -1
    var isWakeUpPending = false
    /// Whether the leader waits only for its wake-up descriptor.
    var isDeaf = false
    var databases: [String: Database] = [:]
    /// The purposes of each watch descriptor. An array, since the kernel provides one descriptor per file,
    /// and one directory may hold several databases.
    var uses: [Int32: [Use]] = [:]
  }

  struct Database {
    let files: DatabaseFiles
    let walName: String
    let memoryName: String
    let signalName: String
    var watches: [Role: Int32] = [:]
    /// Whether one of its files could not be watched, so that the database is polled.
    var isPolled = false
    var subscribers: [Subscriber] = []
    /// The events that `wake` left for the thread.
    var pending: CommitEvent = []

    init(files: DatabaseFiles) {
      self.files = files
      walName = files.name + DatabaseFiles.walSuffix
      memoryName = files.name + DatabaseFiles.memorySuffix
      signalName = files.name + DatabaseFiles.signalSuffix
    }
  }

  let state = Guarded(State())
  let makeInotify: @Sendable () -> Int32

  /// - Parameter makeInotify: The call that returns an inotify descriptor, or -1.
  init(makeInotify: @escaping @Sendable () -> Int32 = { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }) {
    self.makeInotify = makeInotify
  }

  /// Starts watching a database, which should exist already.
  ///
  /// Commits before this returns may cause no event: look once after it.
  ///
  /// The handler is called on a thread of the watcher, never on two at a time. It may delay the handlers of
  /// others by a millisecond, and no more however long it takes. It may subscribe, cancel and wake.
  ///
  /// - Parameters:
  ///   - path: Any path of the database; subscriptions by different paths of one file share their watches.
  ///   - rest: Returns the nanoseconds of the rest period in which the handler need not be called. Called
  ///     after each call of the handler, and again because of a `wake`, when zero ends the rest period. It
  ///     must not use the watcher.
  package func subscribe(
    path: String, rest: @escaping @Sendable () -> Int64 = { 0 }, handler: @escaping Handler
  ) throws(Failure) -> CommitSubscription {
    let files = DatabaseFiles(databasePath: path)
    let subscriber = Subscriber(rest: rest, handler: handler)
    try state.withLock { (state) throws(Failure) in
      try start(&state)
      var database = state.databases[files.path] ?? Database(files: files)
      database.subscribers.append(subscriber)
      state.databases[files.path] = database
      if state.isShared { startDeputy(&state) }
      // The new subscriber has no rest period.
      if state.isDeaf { Self.signalLeader(&state) }
      state.databases[files.path]?.isPolled = false
      do throws(Failure) {
        try state.watch(.directory, of: files.path)
        // Created here, so that it can be watched before the first commit.
        if database.watches[.signal] == nil { _ = CommitSignal(files: files) }
        for role in [Role.signal, .wal] { try state.watch(role, of: files.path) }
      } catch {
        state.remove(subscriber, of: files.path)
        throw error
      }
      // The thread does not know yet that it has to poll.
      if state.databases[files.path]?.isPolled == true { Self.signalLeader(&state) }
    }
    return CommitSubscription(watcher: self, path: files.path, subscriber: subscriber)
  }

  /// Calls every handler of the database with `.wake`, soon, on a thread of the watcher.
  ///
  /// From any thread; many calls may become one event. Cheap for `CommitSubscription.path`; any other path is
  /// resolved first.
  func wake(path: String) {
    state.withLock { state in
      let known = state.databases[path] != nil ? path : DatabaseFiles(databasePath: path).path
      guard state.databases[known] != nil else { return }
      state.databases[known]?.pending.insert(.wake)
      Self.signalLeader(&state)
    }
  }

  /// Wakes the leader, which then finds its next task.
  static func signalLeader(_ state: inout State) {
    guard !state.isWakeUpPending else { return }
    state.isWakeUpPending = true
    var one: UInt64 = 1
    _ = write(state.wakeUp, &one, MemoryLayout.size(ofValue: one))
  }

  func cancel(_ subscriber: Subscriber, path: String) {
    subscriber.cancel()
    state.withLock { $0.remove(subscriber, of: path) }
  }

  /// The present numbers of databases and inotify watches.
  var load: (databases: Int, watches: Int) {
    state.withLock { ($0.databases.count, $0.uses.count) }
  }

  func isPolling(path: String) -> Bool {
    state.withLock { $0.databases[path]?.isPolled ?? false }
  }

  /// The nanoseconds between two polls.
  static let pollingInterval: Int64 = 100_000_000

  /// The nanoseconds for which handlers may keep the leader from calling others.
  static let patience: Int64 = 1_000_000

  /// The name in `ps -L` and debuggers; 15 bytes at most.
  static let threadName = "LiveStore.watch"

  private func start(_ state: inout State) throws(Failure) {
    // A forked process must not read the events of its parent either. The descriptors stay open: a daemon may
    // have closed them, and opened others by their numbers.
    if state.forks != ForkCount.present { state = State() }
    if state.inotify < 0 { state.inotify = makeInotify() }
    guard !state.isRunning else { return }
    let wakeUp = clinux_eventfd()
    guard wakeUp >= 0 else { throw Failure(call: "eventfd", code: errno) }
    state.wakeUp = wakeUp
    do throws(Failure) {
      try startThread { $0.lead(term: 0) }
    } catch {
      close(wakeUp)
      throw error
    }
    state.isRunning = true
  }

  /// Starts a thread that monitors the leader. If the system has no thread left, stores wait for one another.
  func startDeputy(_ state: inout State) {
    guard !state.hasDeputy else { return }
    if state.timer < 0 { state.timer = clinux_make_timer() }
    guard state.timer >= 0 else { return }
    state.hasDeputy = true
    do throws(Failure) {
      try startThread { $0.watchLeader() }
    } catch {
      state.hasDeputy = false
    }
  }

  private func startThread(_ body: @escaping @Sendable (CommitWatcher) -> Void) throws(Failure) {
    let code = BackgroundThread.start { [self] in
      clinux_set_thread_name(Self.threadName)
      body(self)
    }
    guard code == 0 else { throw Failure(call: "pthread_create", code: code) }
  }
}
