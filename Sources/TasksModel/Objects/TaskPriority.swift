import LiveStore

/// How important a task is: todo.txt's letters, which are Taskwarrior's H, M and L too.
public enum TaskPriority: String, CaseIterable, PersistableEnum, Codable, Sendable {
  case none = ""
  case a = "A"
  case b = "B"
  case c = "C"

  /// - Parameter name: `A`, `B` or `C`; `H`, `M` or `L`; `none` or `-`, in whichever case.
  public init?(named name: String) {
    switch name.uppercased() {
    case "A", "H", "HIGH": self = .a
    case "B", "M", "MEDIUM": self = .b
    case "C", "L", "LOW": self = .c
    case "NONE", "-", "": self = .none
    default: return nil
    }
  }

  /// The next higher one; A stays.
  public var raised: TaskPriority {
    switch self {
    case .none: .c
    case .c: .b
    case .b, .a: .a
    }
  }

  /// The next lower one; none stays.
  public var lowered: TaskPriority {
    switch self {
    case .a: .b
    case .b: .c
    case .c, .none: .none
    }
  }
}
