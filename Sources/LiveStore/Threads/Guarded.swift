/// A value behind a lock that ThreadSanitizer knows. It does not see the standard library's `Mutex` (Swift
/// 6.3 on Linux), and reports every use of a value under it as a race.
final class Guarded<Value>: @unchecked Sendable {
  // Used under the lock only.
  private var value: Value
  private let monitor = Monitor()

  init(_ value: Value) {
    self.value = value
  }

  func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    try monitor.withLock { () throws(E) in try body(&value) }
  }

  /// Keeps other threads from the value until ``unlock()``.
  func lock() { monitor.lock() }

  func unlock() { monitor.unlock() }
}
