import LiveStoreSync
import TasksModel

/// A mistake in the words after `tasks sync`.
struct SyncUsageError: Error {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The words after `tasks sync`, read.
struct SyncArguments {
  enum Command: Equatable {
    case help
    case initialize(url: String)
    case join(url: String, space: String, mergesWithoutAsking: Bool)
    case run(once: Bool, withWindows: Bool)
    case status(json: Bool)
    case conflicts
    case restore(Int64)
    case forget(Int64)
    case members(json: Bool)
    case share(role: String, SpaceRight?)
    case spaces(url: String, json: Bool)
    case machines(forgetting: String?)
    case address(url: String)
    case leave(isConfirmed: Bool)

    /// Whether there has to be a file, which would be created otherwise by opening it.
    var needsFile: Bool {
      switch self {
      case .help, .initialize, .join, .spaces, .status: false
      default: true
      }
    }
  }

  let command: Command
  /// The file of tasks.
  let file: String

  /// The space that is joined where none is named.
  static let defaultSpace = "tasks"

  /// The words of what `share` lets a role do; the last one is for no member.
  private static let rights: [(word: String, right: SpaceRight?)] = [
    ("read", .read), ("write", .write), ("manage", .manage), ("none", nil),
  ]

  static func word(for right: SpaceRight) -> String { rights.first { $0.right == right }!.word }

  static let usage = """
    usage: tasks sync COMMAND [--file FILE]

      init URL                  prepare a PostgreSQL database, as its owner
      spaces URL [--json]       the spaces that you may use, with their owners
      join URL [--space NAME]   make the file the same as those of the space (“\(defaultSpace)” if not named)
           [--yes]              merge them without asking, also with another person's
      run [--once]              carry changes, until ended or once
      status [--json]           how the file stands: connected, what waits, who else
      conflicts                 what was changed here and lost against others' changes
      restore NUMBER            bring back one of these
      forget NUMBER             leave one of these lost, and speak of it no more
      share [--json]            who may use the space, and what each may do
      share ROLE --read|--write|--manage|--none
                                let another role of the database use the space, or no more
      machines                  which machines there are, and when each was last there
           [--forget MACHINE]   forget one that does not come back, by its name or number
      address URL               find the space at another address, where its server has moved
      leave                     leave the space; the tasks stay here and there
           [--yes]              without asking about what is not sent, or lost and may be brought back

    URL is an address as PostgreSQL's programs take it: postgresql://anna@db.example.org/tasks.
    A password is read from ~/.pgpass, where each server has a line; it is never asked for.

    """

  init(_ words: [String], environment: [String: String]) throws(SyncUsageError) {
    var words = words
    let file = try Self.value(of: "--file", or: "-f", "the name of a file", in: &words)
    guard let path = DatabaseLocation.path(file: file, environment: environment) else {
      throw SyncUsageError("There is no home folder: name the file with --file FILE")
    }
    self.file = path
    command = try Self.command(words)
  }

  /// Takes an option out of words, and the value behind it: `--space NAME` or `--space=NAME`; nil where it is
  /// not among them.
  private static func value(
    of option: String, or short: String? = nil, _ what: String, in words: inout [String]
  ) throws(SyncUsageError) -> String? {
    if let index = words.firstIndex(where: { $0 == option || $0 == short }) {
      guard index + 1 < words.count else { throw SyncUsageError("\(words[index]) needs \(what)") }
      defer { words.removeSubrange(index...(index + 1)) }
      return words[index + 1]
    }
    guard let index = words.firstIndex(where: { $0.hasPrefix(option + "=") }) else { return nil }
    return String(words.remove(at: index).dropFirst(option.count + 1))
  }

  private static func command(_ words: [String]) throws(SyncUsageError) -> Command {
    guard let name = words.first else { throw SyncUsageError("Say what to do") }
    var rest = Array(words.dropFirst())
    func take(_ option: String) -> Bool {
      guard let index = rest.firstIndex(of: option) else { return false }
      rest.remove(at: index)
      return true
    }
    func argument(_ what: String) throws(SyncUsageError) -> String {
      guard let index = rest.firstIndex(where: { !$0.hasPrefix("--") }) else {
        throw SyncUsageError("\(name) needs \(what)")
      }
      return rest.remove(at: index)
    }
    if take("--help") || take("-h") { return .help }
    let command: Command
    switch name {
    case "help", "--help", "-h": return .help
    case "init": command = .initialize(url: try argument("the address of the server"))
    case "join":
      let merges = take("--yes")
      let space = try value(of: "--space", "a name", in: &rest) ?? defaultSpace
      command = .join(
        url: try argument("the address of the server"), space: space, mergesWithoutAsking: merges)
    case "run": command = .run(once: take("--once"), withWindows: take("--with-windows"))
    case "status": command = .status(json: take("--json"))
    case "conflicts": command = .conflicts
    case "restore", "forget":
      guard let number = Int64(try argument("the number of a conflict")) else {
        throw SyncUsageError("\(name) needs a number that tasks sync conflicts has printed")
      }
      command = name == "restore" ? .restore(number) : .forget(number)
    case "spaces":
      let isJSON = take("--json")
      command = .spaces(url: try argument("the address of the server"), json: isJSON)
    case "share" where Set(rest).isSubset(of: ["--json"]): command = .members(json: take("--json"))
    case "share":
      let rights = Self.rights.filter { take("--\($0.word)") }
      guard rights.count == 1 else {
        throw SyncUsageError("share needs one of --read, --write, --manage and --none")
      }
      command = .share(role: try argument("the name of a role"), rights[0].right)
    case "machines":
      let machine = try value(of: "--forget", "a machine that tasks sync machines has printed", in: &rest)
      command = .machines(forgetting: machine)
    case "address": command = .address(url: try argument("the address of the server"))
    case "leave": command = .leave(isConfirmed: take("--yes"))
    default: throw SyncUsageError("“\(name)” is no command")
    }
    if let option = rest.first(where: { $0.hasPrefix("-") }) {
      throw SyncUsageError("\(name) has no option “\(option)”")
    }
    if let word = rest.first { throw SyncUsageError("“\(word)” is one word too many") }
    return command
  }
}
