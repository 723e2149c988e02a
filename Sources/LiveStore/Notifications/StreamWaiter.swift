import Synchronization

/// The wait of a stream's consumer, which is woken once: by the store, by cancellation, or because the stream
/// has ended.
final class StreamWaiter: Sendable {
  private enum State {
    case idle
    /// An element has arrived before the consumer waited for it.
    case signalled
    case waiting(CheckedContinuation<Void, Never>)
    case finished
  }

  private let state = Mutex(State.idle)

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

/// A guard that finishes a stream when it is released.
final class StreamEnd {
  private let waiter: StreamWaiter

  init(_ waiter: StreamWaiter) {
    self.waiter = waiter
  }

  deinit {
    waiter.finish()
  }
}
