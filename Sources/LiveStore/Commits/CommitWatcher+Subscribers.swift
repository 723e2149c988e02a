import Glibc

extension CommitWatcher {
  /// One handler, as the thread sees it.
  final class Subscriber: @unchecked Sendable {
    // `handler` is only used under `lock`, which is held while the handler runs, so that `cancel` waits for it, and is
    // recursive, so that the handler can cancel itself. What is private and variable beside it belongs to the watcher's
    // thread.
    private var handler: Handler?
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let rest: @Sendable () -> Int64

    /// What it has not been called for yet.
    private var event: CommitEvent = []
    private var schedule = LookAgainSchedule()
    /// Until when it need not be called; `nil` while it does not rest.
    private var restEnd: Int64?
    private var isOnAgenda = false

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

    // MARK: The watcher's thread

    var isResting: Bool { restEnd != nil }

    /// When to see whether it is due although nothing happens.
    var deadline: Int64? { restEnd ?? schedule.deadline }

    /// Notes what it is to be called for.
    func note(_ event: CommitEvent, onto agenda: inout [Subscriber]) {
      self.event.formUnion(event)
      if !isOnAgenda { agenda.append(self) }
      isOnAgenda = true
    }

    /// Whether it is to be called now.
    func isDue(at now: Int64) -> Bool {
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

    func call() {
      let event = event
      self.event = []
      guard let outcome = handle(event) else {
        schedule = LookAgainSchedule()
        restEnd = nil
        return
      }
      let now = SteadyClock.now()
      schedule.looked(for: event, outcome: outcome, at: now)
      let rest = rest()
      restEnd = rest == 0 ? nil : now + rest
    }

    /// Nil when cancelled.
    private func handle(_ event: CommitEvent) -> CommitEvent.Outcome? {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return handler?(event)
    }

    /// Whether there is nothing left that it is to be called for.
    func leavesAgenda() -> Bool {
      isOnAgenda = deadline != nil || !event.isEmpty
      return !isOnAgenda
    }
  }
}
