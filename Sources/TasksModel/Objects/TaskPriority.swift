import LiveStore

/// The priority of a task: todo.txt's letters, which correspond to Taskwarrior's H, M and L.
public enum TaskPriority: String, CaseIterable, PersistableEnum, Codable, Sendable {
  case none = ""
  case a = "A"
  case b = "B"
  case c = "C"

  /// - Parameter name: `A` or `!A`, `B` or `C`; `H`, `M` or `L`; `none` or `-`, in either case.
  public init?(named name: String) {
    switch name.uppercased().trimmedForRow {
    case "A", "!A", "H", "HIGH": self = .a
    case "B", "!B", "M", "MEDIUM": self = .b
    case "C", "!C", "L", "LOW": self = .c
    case "NONE", "-", "": self = .none
    default: return nil
    }
  }

  /// Takes the words `!A`, `!B` and `!C`, in either case, out of the text of a task; the last one counts.
  ///
  /// - Returns: The text that is left, and the priority; nil for a text without such a word, or without any
  ///   other.
  static func taken(from text: String) -> (text: String, priority: TaskPriority)? {
    guard text.utf8.contains(UInt8(ascii: "!")) else { return nil }
    var priority: TaskPriority?
    let words = text.wordsBetweenSpaces.filter { word in
      guard word.utf8.count == 2, word.utf8.first == UInt8(ascii: "!"),
        let found = TaskPriority(rawValue: word.dropFirst().uppercased())
      else { return true }
      priority = found
      return false
    }
    let rest = words.joined(separator: " ").trimmedForRow
    return priority.flatMap { rest.isEmpty ? nil : (rest, $0) }
  }

  /// The next higher priority; A stays.
  public var raised: TaskPriority { [.none: .c, .c: .b][self] ?? .a }

  /// The next lower priority; none stays.
  public var lowered: TaskPriority { [.a: .b, .b: .c][self] ?? TaskPriority.none }
}
