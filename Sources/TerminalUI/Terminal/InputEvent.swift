/// An event from the terminal, or from the system about it.
package enum InputEvent: Equatable, Sendable {
  case key(Key)
  /// Pasted text, in one piece, with its lines separated by `\n`; it may contain control characters.
  case paste(String)
  case mouse(MouseEvent)
  /// The terminal has replied to a question.
  case reply(TerminalReply)
  /// The terminal has another size; its content is stale until the next `present`.
  case resize(width: Int, height: Int)
  /// Ctrl-Z was typed, or another process has sent SIGTSTP: prepare, then call `Terminal.suspend()`.
  case suspend
  /// The program was stopped and runs again; the terminal's content is stale until the next `present`.
  case resumed
  /// SIGINT (Ctrl-C), SIGTERM or SIGHUP: save and exit.
  case interrupted(signal: Int32)
  /// The terminal has replied with its status; handled by `Terminal` itself.
  case statusReport
  /// The terminal was closed: save and exit.
  case endOfInput
}

extension ArraySlice<InputEvent> {
  /// Takes the first event. Keys that arrived together, and type only characters, are one paste: on a
  /// terminal without bracketed paste they are one, and one change costs less than many.
  package mutating func popJoiningTyped() -> InputEvent? {
    let typed = prefix { if case .key(let key) = $0 { key.typed != nil } else { false } }
    // No person types so many at once.
    guard typed.count > 8 else { return popFirst() }
    removeFirst(typed.count)
    let characters = typed.compactMap { if case .key(let key) = $0 { key.typed } else { nil } }
    return .paste(String(characters))
  }
}

/// A mouse event, on a cell counted from 0 at the upper left.
package struct MouseEvent: Equatable, Sendable {
  package enum Action: Equatable, Sendable {
    /// Of the left button.
    case press, drag, release
    case wheelUp, wheelDown
  }

  package var action: Action
  package var column: Int
  package var line: Int
}

package enum TerminalReply: Equatable, Sendable {
  /// The background color of text without its own.
  case background(RGB)
  /// Whether it can hold back a frame until it is complete.
  case synchronizedOutput(Bool)
  /// The kind of the terminal: every terminal replies to that, and earlier questions have been answered by
  /// then, or never will be.
  case attributes
}
