import LibC

/// A mutex with a condition to wait on.
final class Monitor: @unchecked Sendable {
  // The memory holds the mutex and the condition at fixed addresses, as their functions require.

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    condition.deallocate()
  }

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Acquires the lock until ``unlock()``, where no closure can enclose what happens meanwhile.
  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Releases the lock, which the caller holds, until another thread calls ``wakeAll()``.
  func wait() {
    pthread_cond_wait(condition, mutex)
  }

  func wakeAll() {
    pthread_cond_broadcast(condition)
  }
}
