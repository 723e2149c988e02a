import CLinux
import LibC

/// The threads of a watcher: the leader, and the deputy that monitors it.
extension CommitWatcher {
  /// Waits for events and calls handlers, until the deputy has become the leader.
  func lead(term: Int) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    var nextPoll: Int64?
    while let wait = state.withLock({ $0.beginWaiting(term: term) }) {
      nextPoll = wait.isPolling ? nextPoll ?? SteadyClock.now() + Self.pollingInterval : nil
      var descriptors = [wait.wakeUp, wait.inotify].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let deadline = [wait.deadline, nextPoll].compactMap(\.self).min()
      let timeout = deadline.map { max(0, $0 - SteadyClock.now()) } ?? -1
      // The only possible error is EINTR, after which the call is repeated. `poll` ignores a negative
      // descriptor.
      guard clinux_poll(&descriptors, 2, timeout) >= 0 else { continue }
      let hasEvents = descriptors[1].revents != 0
      let now = SteadyClock.now()
      let isPollDue = nextPoll.map { $0 <= now } ?? false
      if isPollDue { nextPoll = nil }
      let agenda = state.withLock { state in
        state.takeEvents(hasEvents ? buffer : nil)
        if isPollDue {
          if state.inotify < 0 { state.inotify = makeInotify() }
          state.poll()
        }
        return state.agenda
      }
      call(agenda, at: now, term: term)
    }
  }

  /// Calls the subscribers that are due, until the deputy has become the leader.
  private func call(_ agenda: [Subscriber], at now: Int64, term: Int) {
    var isTimed = false
    for subscriber in agenda {
      let isDue = state.withLock { state in
        guard subscriber.beginCall(at: now) else { return false }
        state.isCalling = true
        if !isTimed, state.hasDeputy { clinux_set_timer(state.timer, Self.patience) }
        isTimed = true
        return true
      }
      guard isDue else { continue }
      let outcome = subscriber.call()
      let leads = state.withLock { state in
        subscriber.endCall(outcome)
        if state.term == term { return true }
        // The new leader does not know this subscriber's next deadline yet.
        Self.signalLeader(&state)
        return false
      }
      guard leads else { return }
    }
  }

  /// Becomes the leader when a handler occupies the present one for too long.
  func watchLeader() {
    let timer = state.withLock { $0.timer }
    while true {
      clinux_wait_for_timer(timer)
      let term = state.withLock { state -> Int? in
        // The handler may have returned meanwhile.
        guard state.isCalling else { return nil }
        state.term += 1
        state.hasDeputy = false
        startDeputy(&state)
        // The former leader has taken the events of subscribers that it has not come to.
        Self.signalLeader(&state)
        return state.term
      }
      guard let term else { continue }
      lead(term: term)
      // The new leader was the deputy, and has started another one if a thread was available.
      let isDeputy = state.withLock { state in
        defer { state.hasDeputy = true }
        return !state.hasDeputy
      }
      guard isDeputy else { return }
    }
  }
}

extension CommitWatcher.State {
  /// The events that a leader waits for.
  struct Wait {
    let wakeUp: Int32
    /// The inotify descriptor; -1 if events of the kernel are ignored.
    let inotify: Int32
    let deadline: Int64?
    let isPolling: Bool
  }

  /// Whether one subscriber could delay another.
  var isShared: Bool {
    databases.count > 1 || databases.values.contains { $0.subscribers.count > 1 }
  }

  /// The events that a leader waits for next; `nil` when it is no longer the leader.
  mutating func beginWaiting(term: Int) -> Wait? {
    guard self.term == term else { return nil }
    if isCalling, hasDeputy { clinux_set_timer(timer, 0) }
    isCalling = false
    agenda.removeAll { $0.leavesAgenda() }
    return Wait(
      wakeUp: wakeUp, inotify: updateIsDeaf() ? -1 : inotify,
      deadline: agenda.lazy.compactMap(\.deadline).min(), isPolling: isPolling)
  }
}
