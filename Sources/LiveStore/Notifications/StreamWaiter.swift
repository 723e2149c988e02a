import Synchronization

/// Lets a consumer wait until there is something for it, and be woken once: by the store, by cancellation, or
/// because nothing can come any more.
final class StreamWaiter: Sendable {
  private enum State {
    case idle
    /// Something has come that nobody has waited for yet.
    case signalled
    case waiting(CheckedContinuation<Void, Never>)
    case finished
  }

  private let state = Mutex(State.idle)

  /// Whether nothing can come any more.
  var isFinished: Bool {
    state.withLock { if case .finished = $0 { true } else { false } }
  }

  /// Wakes the consumer, or spares it the next wait. From any thread.
  func signal() {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      switch state {
      case .idle, .signalled:
        state = .signalled
        return nil
      case .waiting(let continuation):
        state = .idle
        return continuation
      case .finished:
        return nil
      }
    }?.resume()
  }

  /// Wakes the consumer for the last time. From any thread.
  func finish() {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .finished }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }?.resume()
  }

  /// Waits for ``signal()`` or ``finish()``; one consumer at a time.
  func wait(isolation: isolated (any Actor)?) async {
    await withCheckedContinuation(isolation: isolation) { continuation in
      let mustResume = state.withLock { state -> Bool in
        switch state {
        case .idle:
          state = .waiting(continuation)
          return false
        case .signalled:
          state = .idle
          return true
        case .finished:
          return true
        case .waiting:
          preconditionFailure("A stream of changes has one consumer; make another stream for another one.")
        }
      }
      if mustResume { continuation.resume() }
    }
  }
}

/// Ends a stream's waiting when it goes.
final class StreamEnd {
  private let waiter: StreamWaiter

  init(_ waiter: StreamWaiter) {
    self.waiter = waiter
  }

  deinit {
    waiter.finish()
  }
}
