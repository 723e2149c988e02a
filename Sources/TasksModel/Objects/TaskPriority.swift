import LiveStore

/// The priority of a task: todo.txt's letters, which correspond to Taskwarrior's H, M and L.
public enum TaskPriority: String, CaseIterable, PersistableEnum, Codable, Sendable {
  case none = ""
  case a = "A"
  case b = "B"
  case c = "C"

  /// - Parameter name: `A`, `B` or `C`; `H`, `M` or `L`; `none` or `-`, in either case.
  public init?(named name: String) {
    switch name.uppercased() {
    case "A", "H", "HIGH": self = .a
    case "B", "M", "MEDIUM": self = .b
    case "C", "L", "LOW": self = .c
    case "NONE", "-", "": self = .none
    default: return nil
    }
  }

  /// The next higher priority; A stays.
  public var raised: TaskPriority {
    switch self {
    case .none: .c
    case .c: .b
    case .b, .a: .a
    }
  }

  /// The next lower priority; none stays.
  public var lowered: TaskPriority {
    switch self {
    case .a: .b
    case .b: .c
    case .c, .none: .none
    }
  }
}
