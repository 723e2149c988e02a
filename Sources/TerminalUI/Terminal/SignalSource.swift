import CTerminal
import Glibc

/// The signals that the event loop handles, as a file descriptor to wait on.
///
/// They are blocked, so that they interrupt nothing and stay pending until they are read. Create the only
/// instance at the start of the program, before any other thread: a thread inherits the blocked signals, and
/// a signal that a thread does not block would end the process.
package final class SignalSource {
  static let signals: [Int32] = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT]

  /// A descriptor that is readable when a signal is pending.
  let descriptor: Int32

  /// The initial signal mask of the program, which child processes need.
  let inheritedMask: sigset_t

  package init() throws(TerminalError) {
    var set = SignalSource.set(of: SignalSource.signals)
    var previous = sigset_t()
    guard pthread_sigmask(SIG_BLOCK, &set, &previous) == 0 else { throw .system("pthread_sigmask", errno) }
    inheritedMask = previous
    descriptor = cterminal_signal_descriptor(&set)
    guard descriptor >= 0 else {
      let code = errno
      pthread_sigmask(SIG_SETMASK, &previous, nil)
      throw .system("signalfd", code)
    }
  }

  deinit {
    close(descriptor)
    var mask = inheritedMask
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// The pending signals, each once, without blocking.
  func read() -> [Int32] {
    var signals: [Int32] = []
    while case let signal = cterminal_next_signal(descriptor), signal != 0 { signals.append(signal) }
    return signals
  }

  package static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
