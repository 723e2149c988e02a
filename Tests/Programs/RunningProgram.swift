import LibC

/// The process of a program, which is killed when nobody has this object any more.
package final class RunningProgram {
  package let id: pid_t
  /// How it was seen to end: its exit status, or the negative number of the signal that ended it.
  package private(set) var status: Int32?

  init(id: pid_t) {
    self.id = id
  }

  deinit {
    kill()
  }

  /// Sends a signal, unless the process was seen to end: its number may be another's by then.
  package func signal(_ number: Int32) {
    if status == nil { LibC.kill(id, number) }
  }

  /// Kills the process in the middle of whatever it does, and waits for its end.
  @discardableResult
  package func kill() -> Int32 {
    signal(SIGKILL)
    return waitForEnd()
  }

  /// Waits for the end of the process; returns its exit status, or the negative number of the signal that
  /// ended it.
  @discardableResult
  package func waitForEnd() -> Int32 {
    while true {
      if let status { return status }
      look(0)
    }
  }

  package var hasEnded: Bool {
    if status == nil { look(WNOHANG) }
    return status != nil
  }

  private func look(_ options: Int32) {
    var code: Int32 = 0
    let process = waitpid(id, &code, options)
    precondition(process >= 0 || errno == EINTR, "another has waited for process \(id)")
    guard process == id else { return }
    let signal = code & 0x7F
    status = signal == 0 ? (code >> 8) & 0xFF : -signal
  }
}
