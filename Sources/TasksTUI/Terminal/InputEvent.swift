/// What the event loop hears from the terminal and from the system about it.
enum InputEvent: Equatable, Sendable {
  case key(Key)
  /// Text that was pasted, in one piece, with its lines separated by `\n`; it may hold control characters.
  case paste(String)
  /// The terminal has another size now; what it shows is stale until the next `present`.
  case resize(width: Int, height: Int)
  /// Ctrl-Z was struck, or another process asks with SIGTSTP: put things in order, then call `Terminal.suspend()`.
  case suspend
  /// The program was stopped and runs again; what the terminal shows is stale until the next `present`.
  case resumed
  /// SIGINT (Ctrl-C), SIGTERM or SIGHUP: save and leave.
  case interrupted(signal: Int32)
  /// The terminal has answered how it is; `Terminal` keeps this to itself.
  case statusReport
  /// The terminal is gone: save and leave.
  case endOfInput
}
