@testable import TasksTUI
@testable import TerminalUI

/// The steps of a session file, one a line; empty lines and those that begin with `#` are passed over.
///
///     one  a "Buy milk" Enter      keys by their names, and texts that are typed, in a window one  d  =>
///     Deleted 2 rows    and what the bottom line says then; `=> two:`, in the other window one  size 60x20
///                the window gets another size one  suspend                 Ctrl-Z; `resume` is fg in the
///     shell two  quit                    q, back to the shell; `start` starts the program again else
///     complete Buy milk       another program writes: complete, delete, rename A to B, or add, by the
///     command line
struct SessionScript {
  struct Step {
    enum Action {
      case keys([Key])
      case size(columns: Int, lines: Int)
      case suspend, resume, quit, start
      /// By another program: what it does, and with what.
      case elsewhere(String, String)
    }

    var number: Int
    var line: String
    var window: Int
    var action: Action
    /// The text of the bottom line of a window.
    var words: (window: Int, text: String)?
  }

  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  static let windows = ["one", "two"]

  let steps: [Step]

  init(_ text: String) throws {
    var steps: [Step] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = String(line).trimmingSpaces
      guard !line.isEmpty, line.first != "#" else { continue }
      steps.append(try Self.step(line, number: index + 1))
    }
    self.steps = steps
  }

  private static func step(_ line: String, number: Int) throws -> Step {
    let parts = line.split(separator: "=>", maxSplits: 1).map { String($0).trimmingSpaces }
    let words = parts[0].split(separator: " ", maxSplits: 1).map { String($0).trimmingSpaces }
    guard words.count == 2 else { throw Problem(description: "line \(number) says nothing to do: \(line)") }
    var said: (window: Int, text: String)?
    if parts.count > 1 {
      let other = windows.firstIndex { parts[1].hasPrefix($0 + ": ") }
      let text = other.map { String(parts[1].dropFirst(windows[$0].count + 2)) } ?? parts[1]
      said = (other ?? windows.firstIndex(of: words[0]) ?? 0, text)
    }
    if words[0] == "else" {
      let parts = words[1].split(separator: " ", maxSplits: 1).map(String.init)
      return Step(number: number, line: line, window: 0, action: .elsewhere(parts[0], parts[1]), words: said)
    }
    guard let window = windows.firstIndex(of: words[0]) else {
      throw Problem(description: "line \(number) names no window: \(line)")
    }
    return Step(number: number, line: line, window: window, action: try action(words[1], number), words: said)
  }

  private static func action(_ text: String, _ number: Int) throws -> Step.Action {
    switch text {
    case "suspend": return .suspend
    case "resume": return .resume
    case "quit": return .quit
    case "start": return .start
    default: break
    }
    if text.hasPrefix("size ") {
      let numbers = text.dropFirst(5).split(separator: "x").compactMap { Int($0) }
      guard numbers.count == 2 else { throw Problem(description: "line \(number) has no size") }
      return .size(columns: numbers[0], lines: numbers[1])
    }
    var keys: [Key] = []
    var rest = text[...]
    while let first = rest.first {
      if first == " " {
        rest = rest.dropFirst()
      } else if first == "\"" {
        let typed = rest.dropFirst().prefix { $0 != "\"" }
        keys += typed.map { Key(.character($0)) }
        rest = rest.dropFirst(typed.count + 2)
      } else {
        let name = rest.prefix { $0 != " " }
        guard let key = Key(String(name)) else {
          throw Problem(description: "line \(number): there is no key \(name)")
        }
        keys.append(key)
        rest = rest.dropFirst(name.count)
      }
    }
    return .keys(keys)
  }
}
