import CTerminal
import Glibc

/// SIGINT, SIGTERM and SIGHUP as a descriptor to poll: it is readable once one of them has come, and none of
/// them ends the process by itself any more.
struct StopSignals {
  let fileDescriptor: Int32

  /// Call it on the main thread, before any other thread is started: a thread takes over what its parent
  /// blocks, and a thread that does not block a signal gets it.
  init() throws(RuntimeError) {
    var signals = SignalSource.set(of: [SIGINT, SIGTERM, SIGHUP])
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    fileDescriptor = cterminal_signal_descriptor(&signals)
    guard fileDescriptor >= 0 else {
      throw RuntimeError("cannot wait for signals: \(String(cString: strerror(errno)))")
    }
  }
}
