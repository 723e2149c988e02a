import LibC

/// The signals that the library's own threads leave to the program.
enum SignalMask {
  /// The signals that an instruction of a thread causes, such as SIGBUS for a mapped file that was cut short.
  /// Where they are blocked, the system ends the process without calling the program's handler.
  private static let ofInstructions = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS]

  /// Runs `start`. Threads that it starts inherit a mask that blocks all other signals: the program handles
  /// them on its own threads.
  static func blocking<R>(whileStarting start: () -> R) -> R {
    var blocked = sigset_t()
    var previous = sigset_t()
    sigfillset(&blocked)
    for signal in ofInstructions { sigdelset(&blocked, signal) }
    pthread_sigmask(SIG_SETMASK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    return start()
  }
}
