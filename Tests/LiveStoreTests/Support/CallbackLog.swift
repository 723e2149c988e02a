import Dispatch
import Synchronization
import TestSupport
import Testing

/// The calls of callbacks on another queue.
final class CallbackLog: Sendable {
  private let lines = Mutex<[String]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func append(_ line: String) {
    lines.withLock { $0.append(line) }
    arrived.signal()
  }

  /// Waits until there are so many lines, and returns them.
  func wait(for count: Int) -> [String] {
    while lines.withLock({ $0.count }) < count {
      if arrived.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .timedOut { break }
    }
    return lines.withLock { $0 }
  }

  /// Waits for a line, and takes it out.
  func next() -> String? {
    guard arrived.wait(timeout: .now() + .milliseconds(Int(Patience.milliseconds))) == .success else {
      return nil
    }
    return lines.withLock { $0.removeFirst() }
  }
}

/// Runs what a callback, which cannot throw, does in a test.
func recordingErrors(_ body: () throws -> Void) {
  do {
    try body()
  } catch {
    Issue.record(error)
  }
}
