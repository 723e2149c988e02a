import CLinux
import Glibc

/// Calls its subscribers when a database may have a new version, whoever committed it: this process, another one that
/// uses LiveStore, or any other program.
///
/// One inotify descriptor and one thread serve all databases of the process. The thread starts with the first
/// subscription, sleeps in the kernel while nothing happens, and takes no signals. From the event to the handler there is
/// no other hop.
///
/// For each database three things are watched: the signal file, written after a commit by LiveStore; the `-wal`, written
/// before a commit by every program; and the directory, for either of them or the database itself being made, replaced
/// or deleted. Reading the database causes no event. Where the system lets the user watch no more, its subscribers are
/// called ten times a second instead, until it does.
///
/// Commits may come faster than it makes sense to look at each, and a program that writes causes events for itself. So a
/// subscriber may ask for a rest after a call, and while all of them rest the thread does not listen: what has come
/// meanwhile is told when the rest is over.
final class CommitWatcher: Sendable {
  static let shared = CommitWatcher()

  typealias Handler = @Sendable (CommitEvent) -> CommitEvent.Outcome

  /// There is nothing to watch, or no thread.
  struct Failure: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String {
      "cannot be watched for changes of other processes: \(call): \(String(cString: strerror(code)))"
    }
  }

  struct State {
    /// -1 while the system gives none.
    var inotify: Int32 = -1
    var isRunning = false
    var wakeUp: Int32 = -1
    var isWakeUpPending = false
    /// Whether the thread waits for nothing but to be woken.
    var isDeaf = false
    var databases: [String: Database] = [:]
    /// What each watch descriptor is there for. A list, since the kernel gives one descriptor per file, and one directory
    /// may hold several databases.
    var uses: [Int32: [Use]] = [:]
  }

  struct Database {
    let files: DatabaseFiles
    let walName: String
    let memoryName: String
    let signalName: String
    var watches: [Role: Int32] = [:]
    /// Whether something of it could not be watched, so that it is looked at again and again.
    var isPolled = false
    var subscribers: [Subscriber] = []
    /// What `wake` left for the thread.
    var pending: CommitEvent = []

    init(files: DatabaseFiles) {
      self.files = files
      walName = files.name + DatabaseFiles.walSuffix
      memoryName = files.name + DatabaseFiles.memorySuffix
      signalName = files.name + DatabaseFiles.signalSuffix
    }
  }

  private let state = Guarded(State())
  private let makeInotify: @Sendable () -> Int32

  /// - Parameter makeInotify: The call that gives an inotify descriptor, or -1.
  init(makeInotify: @escaping @Sendable () -> Int32 = { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }) {
    self.makeInotify = makeInotify
  }

  /// Starts watching a database, which should exist already.
  ///
  /// What was committed before this returns may cause no event: look once after it.
  ///
  /// The handler is called on the watcher's thread, one at a time. It delays every other subscriber, so it should find out
  /// no more than it must and never wait. It may subscribe, cancel and wake.
  ///
  /// - Parameters:
  ///   - path: Any path of the database; subscriptions by different paths of one file share their watches.
  ///   - watchesFiles: False for what has no files and is only told by `wake`.
  ///   - rest: How many nanoseconds after a call the handler need not be called again; asked on the watcher's thread after
  ///     each call. When it is asked again because of a `wake` and says zero, the rest is over.
  func subscribe(
    path: String, watchesFiles: Bool = true, rest: @escaping @Sendable () -> Int64 = { 0 },
    handler: @escaping Handler
  ) throws(Failure) -> CommitSubscription {
    let files = DatabaseFiles(databasePath: path)
    let subscriber = Subscriber(rest: rest, handler: handler)
    try state.withLock { (state) throws(Failure) in
      try start(&state)
      var database = state.databases[files.path] ?? Database(files: files)
      database.subscribers.append(subscriber)
      state.databases[files.path] = database
      // There is one now who does not rest.
      if state.isDeaf { Self.signalThread(&state) }
      guard watchesFiles else { return }
      state.databases[files.path]?.isPolled = false
      do throws(Failure) {
        try state.watch(.directory, of: files.path)
        // Made here, so that there is something to watch before the first commit.
        if database.watches[.signal] == nil { _ = CommitSignal(files: files) }
        for role in [Role.signal, .wal] { try state.watch(role, of: files.path) }
      } catch {
        state.remove(subscriber, of: files.path)
        throw error
      }
      // The thread does not know yet that it has to.
      if state.databases[files.path]?.isPolled == true { Self.signalThread(&state) }
    }
    return CommitSubscription(watcher: self, path: files.path, subscriber: subscriber)
  }

  /// Has every handler of the database called with `.wake`, soon, on the watcher's thread.
  ///
  /// From any thread; many calls may become one event. Cheap for `CommitSubscription.path`; another path is resolved first.
  func wake(path: String) {
    state.withLock { state in
      let known = state.databases[path] != nil ? path : DatabaseFiles(databasePath: path).path
      guard state.databases[known] != nil else { return }
      state.databases[known]?.pending.insert(.wake)
      Self.signalThread(&state)
    }
  }

  private static func signalThread(_ state: inout State) {
    guard !state.isWakeUpPending else { return }
    state.isWakeUpPending = true
    var one: UInt64 = 1
    _ = write(state.wakeUp, &one, MemoryLayout.size(ofValue: one))
  }

  func cancel(_ subscriber: Subscriber, path: String) {
    subscriber.cancel()
    state.withLock { $0.remove(subscriber, of: path) }
  }

  /// How many databases and inotify watches there are now.
  var load: (databases: Int, watches: Int) {
    state.withLock { ($0.databases.count, $0.uses.count) }
  }

  func isPolling(path: String) -> Bool {
    state.withLock { $0.databases[path]?.isPolled ?? false }
  }

  // MARK: The thread

  /// How long, in nanoseconds, what cannot be watched is not looked at.
  static let pollingInterval: Int64 = 100_000_000

  /// As `ps -L` and debuggers show it; 15 bytes at most.
  static let threadName = "LiveStore.watch"

  private func start(_ state: inout State) throws(Failure) {
    if state.inotify < 0 { state.inotify = makeInotify() }
    guard !state.isRunning else { return }
    let wakeUp = clinux_eventfd()
    guard wakeUp >= 0 else { throw Failure(call: "eventfd", code: errno) }
    // A new thread inherits the mask: signals are for the threads of the program, which expects them there.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { watcher in
        guard let watcher else { fatalError("The thread has been given no watcher.") }
        Unmanaged<CommitWatcher>.fromOpaque(watcher).takeUnretainedValue().run()
      }, Unmanaged.passRetained(self).toOpaque())
    pthread_sigmask(SIG_SETMASK, &previous, nil)
    guard code == 0 else {
      Unmanaged.passUnretained(self).release()
      close(wakeUp)
      throw Failure(call: "pthread_create", code: code)
    }
    pthread_detach(thread)
    state.wakeUp = wakeUp
    state.isRunning = true
  }

  private func run() -> Never {
    clinux_set_thread_name(Self.threadName)
    // Waits for the lock that `start` runs under.
    let wakeUp = state.withLock { $0.wakeUp }
    var nextPoll: Int64?
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    var agenda: [Subscriber] = []
    while true {
      let (isDeaf, isPolling, inotify) = state.withLock { ($0.updateIsDeaf(), $0.isPolling, $0.inotify) }
      nextPoll = isPolling ? nextPoll ?? SteadyClock.now() + Self.pollingInterval : nil
      var deadline = agenda.lazy.compactMap(\.deadline).min()
      if let poll = nextPoll { deadline = min(poll, deadline ?? poll) }
      var descriptors = [
        pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
        pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
      ]
      let timeout = deadline.map { max(0, $0 - SteadyClock.now()) } ?? -1
      // An error can only be EINTR, after which it is done again.
      guard clinux_poll(&descriptors, isDeaf || inotify < 0 ? 1 : 2, timeout) >= 0 else { continue }
      let hasEvents = descriptors[1].revents != 0
      let now = SteadyClock.now()
      let isPollDue = nextPoll.map { $0 <= now } ?? false
      if isPollDue { nextPoll = nil }
      state.withLock { state in
        state.takeEvents(hasEvents ? buffer : nil, onto: &agenda)
        guard isPollDue else { return }
        if state.inotify < 0 { state.inotify = makeInotify() }
        state.poll(onto: &agenda)
      }
      for subscriber in agenda where subscriber.isDue(at: now) { subscriber.call() }
      agenda.removeAll { $0.leavesAgenda() }
    }
  }
}
