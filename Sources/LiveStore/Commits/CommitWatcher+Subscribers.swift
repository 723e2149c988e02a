import Glibc

extension CommitWatcher {
  /// One handler, as the watcher's threads see it.
  final class Subscriber: @unchecked Sendable {
    // `handler` is only used under `lock`, which is held while the handler runs, so that `cancel` waits for
    // it, and is recursive, so that the handler can cancel itself. What is private and variable beside it is
    // guarded by the watcher's lock, except that the thread that calls the handler reads what it calls it
    // for.
    private var handler: Handler?
    let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let rest: @Sendable () -> Int64

    /// What it has not been called for yet.
    private var event: CommitEvent = []
    private var schedule = LookAgainSchedule()
    /// Until when it need not be called; `nil` while it does not rest.
    private var restEnd: Int64?
    private var isOnAgenda = false
    /// Whether a thread is calling it, and what for.
    private var isCalled = false
    private var calledFor: CommitEvent = []

    init(rest: @escaping @Sendable () -> Int64, handler: @escaping Handler) {
      self.rest = rest
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

    /// From any thread.
    func cancel() {
      pthread_mutex_lock(lock)
      let released = handler
      handler = nil
      pthread_mutex_unlock(lock)
      // What the handler holds may end here, and run code of its own: outside the lock.
      _ = consume released
    }

    // MARK: Under the watcher's lock

    var isResting: Bool { restEnd != nil }

    /// When to see whether it is due although nothing happens.
    var deadline: Int64? { isCalled ? nil : restEnd ?? schedule.deadline }

    /// Notes what it is to be called for.
    func note(_ event: CommitEvent, onto agenda: inout [Subscriber]) {
      self.event.formUnion(event)
      if !isOnAgenda { agenda.append(self) }
      isOnAgenda = true
    }

    /// Whether it is to be called now, by the caller.
    func beginCall(at now: Int64) -> Bool {
      guard !isCalled, isDue(at: now) else { return false }
      isCalled = true
      calledFor = event
      event = []
      return true
    }

    private func isDue(at now: Int64) -> Bool {
      if let end = restEnd {
        if now >= end || rest() == 0 {
          restEnd = nil
        } else if event.isDisjoint(with: [.file, .overflow]) {
          return false
        }
      }
      if let due = schedule.deadline, due <= now {
        event.formUnion(schedule.isLast ? [.lookAgain, .lastLook] : .lookAgain)
      }
      return !event.isEmpty
    }

    /// - Parameter outcome: What ``call()`` has returned.
    func endCall(_ outcome: CommitEvent.Outcome?) {
      isCalled = false
      guard let outcome else {
        schedule = LookAgainSchedule()
        restEnd = nil
        return
      }
      let now = SteadyClock.now()
      schedule.looked(for: calledFor, outcome: outcome, at: now)
      let rest = rest()
      restEnd = rest == 0 ? nil : now + rest
    }

    /// Whether there is nothing left that it is to be called for.
    func leavesAgenda() -> Bool {
      isOnAgenda = isCalled || deadline != nil || !event.isEmpty
      return !isOnAgenda
    }

    // MARK: Without it

    /// Nil when cancelled. By the one for whom ``beginCall(at:)`` was true.
    func call() -> CommitEvent.Outcome? {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return handler?(calledFor)
    }
  }
}
