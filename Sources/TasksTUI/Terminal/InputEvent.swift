/// What the event loop hears from the terminal and from the system about it.
enum InputEvent: Equatable, Sendable {
  case key(Key)
  /// Text that was pasted, in one piece, with its lines separated by `\n`; it may hold control characters.
  case paste(String)
  case mouse(MouseEvent)
  /// The terminal has told what was asked of it.
  case reply(TerminalReply)
  /// The terminal has another size now; what it shows is stale until the next `present`.
  case resize(width: Int, height: Int)
  /// Ctrl-Z was struck, or another process asks with SIGTSTP: put things in order, then call
  /// `Terminal.suspend()`.
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

extension ArraySlice<InputEvent> {
  /// Takes the first event. Keys that have come at once, and type nothing but characters, are one paste: that
  /// is what they are on a terminal that does not say so, and one change costs less than many.
  mutating func popJoiningTyped() -> InputEvent? {
    let typed = prefix { if case .key(let key) = $0 { key.typed != nil } else { false } }
    // No person types so many at once.
    guard typed.count > 8 else { return popFirst() }
    removeFirst(typed.count)
    var text = ""
    for case .key(let key) in typed { if let character = key.typed { text.append(character) } }
    return .paste(text)
  }
}

/// What was done with the mouse, on a cell counted from 0 at the upper left.
struct MouseEvent: Equatable, Sendable {
  enum Action: Equatable, Sendable {
    /// Of the left button.
    case press, drag, release
    case wheelUp, wheelDown
  }

  var action: Action
  var column: Int
  var line: Int
}

/// An answer of the terminal.
enum TerminalReply: Equatable, Sendable {
  /// The colour that lies behind text that has none of its own.
  case background(RGB)
  /// Whether it can hold a frame back until it is complete.
  case synchronizedOutput(Bool)
  /// What kind of terminal it is: every one answers that, and whatever was asked before has been answered by
  /// then, or never will be.
  case attributes
}
