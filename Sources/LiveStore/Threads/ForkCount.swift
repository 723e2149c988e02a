import LibC
import Synchronization

/// The number of forks that lie between this process and the one that has loaded the library: a process that
/// was forked has no threads of the other, and SQLite's locks are not its own.
enum ForkCount {
  private static let count = Atomic(0)
  /// Counting, which begins with the first look. A look at the number of the process would be a call of the
  /// system each time.
  private static let isCounting = {
    _ = count.load(ordering: .relaxed)
    return pthread_atfork(nil, nil) { _ = ForkCount.count.add(1, ordering: .relaxed) } == 0
  }()

  static var present: Int {
    precondition(isCounting, "There is no memory to follow forks.")
    return count.load(ordering: .relaxed)
  }
}
