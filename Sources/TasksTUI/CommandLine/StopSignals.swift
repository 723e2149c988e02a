import CTerminal
import Glibc
import TerminalUI

/// A descriptor that is readable after SIGINT, SIGTERM or SIGHUP, none of which ends the process by itself
/// any more.
struct StopSignals {
  let fileDescriptor: Int32

  /// Created on the main thread, before any other thread starts: a thread inherits the blocked signals of its
  /// parent, and a thread that does not block a signal receives it.
  init() throws(RuntimeError) {
    var signals = SignalSource.set(of: [SIGINT, SIGTERM, SIGHUP])
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    fileDescriptor = cterminal_signal_descriptor(&signals)
    guard fileDescriptor >= 0 else {
      throw RuntimeError("cannot wait for signals: \(String(cString: strerror(errno)))")
    }
  }
}
