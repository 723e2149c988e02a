import CLinux

/// A thread that runs one closure.
///
/// Not a dispatch queue: once one of the global queues has been used, libdispatch wakes every second during
/// the rest of the process, to check whether it should start more threads (measured, Swift 6.3 on Linux). An
/// idle program must not wake.
enum BackgroundThread {
  /// Runs `work` on its own thread, or at once if the system has no thread left.
  static func run(_ work: @escaping @Sendable () -> Void) {
    if start(work) != 0 { work() }
  }

  /// Runs `work` on its own thread; returns the error number of the system, or 0 if the thread has started.
  static func start(_ work: @escaping @Sendable () -> Void) -> Int32 {
    let context = Unmanaged.passRetained(Work(work))
    let code = SignalMask.blocking {
      clinux_start_thread(
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
          return nil
        }, context.toOpaque())
    }
    if code != 0 { context.release() }
    return code
  }

  private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
