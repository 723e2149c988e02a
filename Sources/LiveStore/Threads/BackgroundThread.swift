import Glibc

/// A thread for one piece of work.
///
/// Not a dispatch queue: once one of the global queues has been used, libdispatch wakes every second for as
/// long as the process lives, to see whether it should start more threads (measured, Swift 6.3 on Linux). An
/// idle program must not.
enum BackgroundThread {
  /// Runs `work` on a thread of its own, or at once where the system has no thread left.
  static func run(_ work: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Work(work))
    // A new thread inherits the mask: signals are for the threads of the program, which expects them there.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    if code == 0 {
      pthread_detach(thread)
    } else {
      context.takeRetainedValue().run()
    }
  }

  private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
