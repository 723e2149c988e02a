import Glibc

/// The reason why the terminal cannot be used; `description` is one sentence for the person.
package enum TerminalError: Error, Equatable, CustomStringConvertible {
  /// Standard input or output is a file, a pipe or nothing.
  case notATerminal(stream: String)
  case typeNotSet
  case unknownType(String)
  /// The terminal cannot move its cursor, such as `dumb`.
  case incapable(type: String)
  /// A system call failed with this `errno`.
  case system(String, Int32)

  package var description: String {
    switch self {
    case .notATerminal(let stream): "\(stream) is not a terminal; tasks --plain does without one"
    case .typeNotSet:
      "the environment variable TERM does not say what terminal this is; TERM=xterm-256color does for most"
    case .unknownType(let type):
      "no description of the terminal “\(Self.printable(type))” (TERM) is installed; "
        + "TERM=xterm-256color does for most"
    case .incapable(let type):
      "the terminal “\(Self.printable(type))” (TERM) cannot place its cursor; tasks --plain does without that"
    case .system(let call, let code):
      "the terminal cannot be set up: \(call): \(String(cString: strerror(code)))"
    }
  }

  private static func printable(_ text: String) -> String {
    DisplayText(text, clippedTo: 40).string
  }
}
