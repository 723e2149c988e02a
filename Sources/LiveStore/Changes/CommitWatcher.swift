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
/// or deleted. Reading the database causes no event.
final class CommitWatcher: Sendable {
  static let shared = CommitWatcher()

  typealias Handler = @Sendable (CommitEvent) -> CommitEvent.Outcome

  /// inotify could not be had: the system's limit of instances or watches is reached, as a rule.
  struct Failure: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    var description: String {
      let limits = "see fs.inotify.max_user_instances and fs.inotify.max_user_watches in sysctl"
      return
        "cannot watch for changes of other processes: \(call): \(String(cString: strerror(code))) (\(limits))"
    }
  }

  private struct State {
    var inotify: Int32 = -1
    var wakeUp: Int32 = -1
    var isWakeUpPending = false
    var databases: [String: Database] = [:]
    /// What each watch descriptor is there for. A list, since the kernel gives one descriptor per file, and one directory
    /// may hold several databases.
    var uses: [Int32: [Use]] = [:]
  }

  private struct Database {
    let files: DatabaseFiles
    let walName: String
    let signalName: String
    var watches: [Role: Int32] = [:]
    var subscribers: [Subscriber] = []
    /// What `wake` left for the thread.
    var pending: CommitEvent = []

    init(files: DatabaseFiles) {
      self.files = files
      walName = files.name + DatabaseFiles.walSuffix
      signalName = files.name + DatabaseFiles.signalSuffix
    }
  }

  private struct Use: Equatable {
    let database: String
    let role: Role
  }

  private enum Role: CaseIterable {
    case signal
    case wal
    case directory
  }

  private let state = Guarded(State())

  private init() {}

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
  func subscribe(
    path: String, watchesFiles: Bool = true, handler: @escaping Handler
  ) throws(Failure) -> Subscription {
    let files = DatabaseFiles(databasePath: path)
    let subscriber = Subscriber(handler: handler)
    try state.withLock { (state) throws(Failure) in
      try start(&state)
      var database = state.databases[files.path] ?? Database(files: files)
      database.subscribers.append(subscriber)
      state.databases[files.path] = database
      guard watchesFiles else { return }
      do throws(Failure) {
        try Self.watch(.directory, of: files.path, in: &state)
        // Made here, so that there is something to watch before the first commit.
        if database.watches[.signal] == nil { _ = CommitSignal(files: files) }
        for role in [Role.signal, .wal] { try Self.watch(role, of: files.path, in: &state) }
      } catch {
        Self.remove(subscriber, of: files.path, from: &state)
        throw error
      }
    }
    return Subscription(watcher: self, path: files.path, subscriber: subscriber)
  }

  /// Has every handler of the database called with `.wake`, soon, on the watcher's thread.
  ///
  /// From any thread; many calls may become one event. Cheap for `Subscription.path`; another path is resolved first.
  func wake(path: String) {
    state.withLock { state in
      let known = state.databases[path] != nil ? path : DatabaseFiles(databasePath: path).path
      guard state.databases[known] != nil else { return }
      state.databases[known]?.pending.insert(.wake)
      guard !state.isWakeUpPending else { return }
      state.isWakeUpPending = true
      var one: UInt64 = 1
      _ = write(state.wakeUp, &one, MemoryLayout.size(ofValue: one))
    }
  }

  fileprivate func cancel(_ subscriber: Subscriber, path: String) {
    subscriber.cancel()
    state.withLock { Self.remove(subscriber, of: path, from: &$0) }
  }

  /// How many databases and inotify watches there are now.
  var load: (databases: Int, watches: Int) {
    state.withLock { ($0.databases.count, $0.uses.count) }
  }

  // MARK: Watches

  private static let directoryMask = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
  private static let fileMask = UInt32(IN_MODIFY | IN_DONT_FOLLOW)

  /// Watches what has the role's name now, instead of what had it before. A file that is missing is no error: the
  /// directory will tell when it comes.
  private static func watch(_ role: Role, of path: String, in state: inout State) throws(Failure) {
    guard let files = state.databases[path]?.files else { return }
    let (target, mask) =
      switch role {
      case .signal: (files.signal, fileMask)
      case .wal: (files.wal, fileMask)
      case .directory: (files.directory, directoryMask)
      }
    let descriptor = inotify_add_watch(state.inotify, target, mask | UInt32(IN_MASK_ADD))
    let code = errno
    let previous = state.databases[path]?.watches[role]
    if previous == descriptor { return }
    unwatch(role, of: path, in: &state)
    guard descriptor >= 0 else {
      if code == ENOENT, role != .directory { return }
      throw Failure(call: "inotify_add_watch \(target)", code: code)
    }
    let use = Use(database: path, role: role)
    state.uses[descriptor, default: []].append(use)
    state.databases[path]?.watches[role] = descriptor
  }

  private static func unwatch(_ role: Role, of path: String, in state: inout State) {
    guard let descriptor = state.databases[path]?.watches.removeValue(forKey: role) else { return }
    state.uses[descriptor]?.removeAll { $0 == Use(database: path, role: role) }
    if state.uses[descriptor]?.isEmpty == true {
      state.uses[descriptor] = nil
      inotify_rm_watch(state.inotify, descriptor)
    }
  }

  private static func remove(_ subscriber: Subscriber, of path: String, from state: inout State) {
    state.databases[path]?.subscribers.removeAll { $0 === subscriber }
    guard state.databases[path]?.subscribers.isEmpty == true else { return }
    for role in Role.allCases { unwatch(role, of: path, in: &state) }
    state.databases[path] = nil
  }

  // MARK: The thread

  /// As `ps -L` and debuggers show it; 15 bytes at most.
  static let threadName = "LiveStore.watch"

  private func start(_ state: inout State) throws(Failure) {
    guard state.inotify < 0 else { return }
    let inotify = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard inotify >= 0 else { throw Failure(call: "inotify_init", code: errno) }
    let wakeUp = clinux_eventfd()
    guard wakeUp >= 0 else {
      let code = errno
      close(inotify)
      throw Failure(call: "eventfd", code: code)
    }
    // A new thread inherits the mask: signals are for the threads of the program, which expects them there.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { _ in CommitWatcher.shared.run() }, nil)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
    guard code == 0 else {
      close(inotify)
      close(wakeUp)
      throw Failure(call: "pthread_create", code: code)
    }
    pthread_detach(thread)
    state.inotify = inotify
    state.wakeUp = wakeUp
  }

  private func run() -> Never {
    clinux_set_thread_name(Self.threadName)
    // Waits for the lock that `start` runs under.
    let (inotify, wakeUp) = state.withLock { ($0.inotify, $0.wakeUp) }
    var descriptors = [
      pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
    ]
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    var schedules: [ObjectIdentifier: (subscriber: Subscriber, schedule: LookAgainSchedule)] = [:]
    while true {
      let deadline = schedules.values.lazy.compactMap(\.schedule.deadline).min()
      let timeout = deadline.map { max(0, $0 - Self.now()) } ?? -1
      // An error can only be EINTR, after which looking at everything does no harm.
      _ = clinux_poll(&descriptors, nfds_t(descriptors.count), timeout)
      var calls = state.withLock { Self.takeEvents(&$0, buffer) }
      if deadline != nil {
        let now = Self.now()
        for (id, entry) in schedules {
          guard let due = entry.schedule.deadline, due <= now else { continue }
          calls[id, default: (entry.subscriber, [])].event.insert(.lookAgain)
        }
      }
      for (id, call) in calls {
        guard let outcome = call.subscriber.call(call.event) else {
          schedules[id] = nil
          continue
        }
        var schedule = schedules[id]?.schedule ?? LookAgainSchedule()
        schedule.looked(for: call.event, outcome: outcome, at: Self.now())
        schedules[id] = schedule.deadline == nil ? nil : (call.subscriber, schedule)
      }
    }
  }

  private typealias Calls = [ObjectIdentifier: (subscriber: Subscriber, event: CommitEvent)]

  /// Takes all that has come since the last time, as one call for each subscriber concerned.
  private static func takeEvents(_ state: inout State, _ buffer: UnsafeMutableRawBufferPointer) -> Calls {
    var calls: Calls = [:]
    func add(_ event: CommitEvent, _ database: Database) {
      for subscriber in database.subscribers {
        calls[ObjectIdentifier(subscriber), default: (subscriber, [])].event.formUnion(event)
      }
    }
    if state.isWakeUpPending {
      state.isWakeUpPending = false
      var count: UInt64 = 0
      _ = read(state.wakeUp, &count, MemoryLayout.size(ofValue: count))
      for (path, database) in state.databases where !database.pending.isEmpty {
        add(database.pending, database)
        state.databases[path]?.pending = []
      }
    }
    var length: Int
    repeat {
      length = read(state.inotify, buffer.baseAddress, buffer.count)
      var offset = 0
      while offset < length {
        let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let name = UnsafeRawBufferPointer(
          rebasing: buffer[(offset + MemoryLayout<inotify_event>.size)...].prefix(Int(event.len)))
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
          for (path, database) in state.databases {
            rewatch(path, in: &state)
            add(.overflow, database)
          }
          continue
        }
        for use in state.uses[event.wd] ?? [] {
          let reasons = take(event, name, for: use, in: &state)
          if !reasons.isEmpty, let database = state.databases[use.database] { add(reasons, database) }
        }
        if event.mask & UInt32(IN_IGNORED) != 0 { state.uses[event.wd] = nil }
      }
      // A read that leaves room for the longest event has taken all there was.
    } while length > buffer.count - MemoryLayout<inotify_event>.size - Int(NAME_MAX) - 1
    return calls
  }

  /// What an event means for one database; brings its watches up to date.
  private static func take(
    _ event: inotify_event, _ name: UnsafeRawBufferPointer, for use: Use, in state: inout State
  ) -> CommitEvent {
    if event.mask & UInt32(IN_IGNORED) != 0 {
      // The kernel has dropped the watch, because the file is gone.
      state.databases[use.database]?.watches[use.role] = nil
      return []
    }
    switch use.role {
    case .signal: return event.mask & UInt32(IN_MODIFY) != 0 ? .signal : []
    case .wal: return event.mask & UInt32(IN_MODIFY) != 0 ? .wal : []
    case .directory: break
    }
    guard let database = state.databases[use.database] else { return [] }
    if name.isCString(equalTo: database.files.name) { return .file }
    let (role, reason): (Role, CommitEvent)
    if name.isCString(equalTo: database.walName) {
      (role, reason) = (.wal, .wal)
    } else if name.isCString(equalTo: database.signalName) {
      (role, reason) = (.signal, .signal)
    } else {
      return []
    }
    rewatch(role, of: use.database, in: &state)
    guard let watch = state.databases[use.database]?.watches[role] else {
      // Made, written and deleted again before it could be watched: a program that was alone with the database.
      return event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 ? reason : []
    }
    // The same watch as before has told of the writes already.
    return watch == database.watches[role] ? [] : reason
  }

  private static func rewatch(_ path: String, in state: inout State) {
    guard state.databases[path]?.watches.isEmpty == false else { return }
    for role in Role.allCases { rewatch(role, of: path, in: &state) }
  }

  /// A limit that is reached while running leaves the file unwatched: there is nobody to tell, and the other watches
  /// still work.
  private static func rewatch(_ role: Role, of path: String, in state: inout State) {
    do { try watch(role, of: path, in: &state) } catch {}
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension CommitWatcher {
  /// Keeps a handler subscribed; ends with `cancel` or with its last reference.
  final class Subscription: Sendable {
    /// The database's path, absolute and without links.
    let path: String
    private let watcher: CommitWatcher
    private let subscriber: Subscriber

    fileprivate init(watcher: CommitWatcher, path: String, subscriber: Subscriber) {
      self.watcher = watcher
      self.path = path
      self.subscriber = subscriber
    }

    deinit {
      cancel()
    }

    /// Ends the subscription, from any thread, any number of times.
    ///
    /// Once this has returned, the handler is neither running nor called again, and it is released. A call that is running
    /// on another thread is waited for, so do not hold a lock that the handler takes. From within a handler, its own or
    /// another's, it returns at once; the handler that called it runs to its end.
    func cancel() {
      watcher.cancel(subscriber, path: path)
    }
  }

  /// One handler, as the thread sees it.
  fileprivate final class Subscriber: @unchecked Sendable {
    // `handler` is only used under `lock`, which is held while the handler runs, so that `cancel` waits for it, and is
    // recursive, so that the handler can cancel itself.
    private var handler: Handler?
    private let lock: UnsafeMutablePointer<pthread_mutex_t>

    init(handler: @escaping Handler) {
      self.handler = handler
      lock = .allocate(capacity: 1)
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
      pthread_mutex_init(lock, &attributes)
      pthread_mutexattr_destroy(&attributes)
    }

    deinit {
      pthread_mutex_destroy(lock)
      lock.deallocate()
    }

    /// Nil when cancelled.
    func call(_ event: CommitEvent) -> CommitEvent.Outcome? {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      guard let handler else { return nil }
      return handler(event)
    }

    func cancel() {
      pthread_mutex_lock(lock)
      let released = handler
      handler = nil
      pthread_mutex_unlock(lock)
      // What the handler holds may end here, and run code of its own: outside the lock.
      _ = consume released
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes up to the first NUL are the text's.
  fileprivate func isCString(equalTo text: String) -> Bool {
    prefix { $0 != 0 }.elementsEqual(text.utf8)
  }
}
