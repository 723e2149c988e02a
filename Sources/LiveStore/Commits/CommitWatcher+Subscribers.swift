extension CommitWatcher {
  /// A handler with its schedule, as the watcher's threads use it.
  final class Subscriber: @unchecked Sendable {
    // `handler` is only used under `lock`, which is held while the handler runs, so that `cancel` waits for
    // it, and is recursive, so that the handler can cancel itself. The other private variables are guarded by
    // the watcher's lock, except that the thread that calls the handler reads `calledFor`.
    private var handler: Handler?
    let lock = RecursiveLock()
    private let rest: @Sendable () -> Int64

    /// The reasons for which it has yet to be called.
    private var event: CommitEvent = []
    private var schedule = LookAgainSchedule()
    /// The end of its rest period; `nil` outside of one.
    private var restEnd: Int64?
    private var isOnAgenda = false
    /// Whether a thread is calling it, and the reasons for that.
    private var isCalled = false
    private var calledFor: CommitEvent = []

    init(rest: @escaping @Sendable () -> Int64, handler: @escaping Handler) {
      self.rest = rest
      self.handler = handler
    }

    /// Releases the handler, from any thread.
    func cancel() {
      let released = lock.withLock { handler.take() }
      // The objects that the handler holds may be released here, and run their own code: outside the lock.
      _ = consume released
    }

    var isResting: Bool { restEnd != nil }

    /// The time at which to check whether it is due although nothing happens.
    var deadline: Int64? { isCalled ? nil : restEnd ?? schedule.deadline }

    /// Adds a reason to call it.
    func note(_ event: CommitEvent, onto agenda: inout [Subscriber]) {
      self.event.formUnion(event)
      if !isOnAgenda { agenda.append(self) }
      isOnAgenda = true
    }

    /// Whether it is due, so that the caller has to call it now.
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
        event.formUnion(schedule.reason)
      }
      return !event.isEmpty
    }

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

    /// Whether it needs no further call.
    func leavesAgenda() -> Bool {
      isOnAgenda = isCalled || deadline != nil || !event.isEmpty
      return !isOnAgenda
    }

    /// Calls the handler; `nil` when cancelled. For the caller for which ``beginCall(at:)`` returned true.
    func call() -> CommitEvent.Outcome? {
      lock.withLock { handler?(calledFor) }
    }
  }
}
