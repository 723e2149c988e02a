import FoundationEssentials
import Glibc
import TasksModel

/// Remembers which list was open last, outside the file that is shared: it is nobody else's business.
///
/// One small file for each database, `tasks/last-list-…` in `$XDG_STATE_HOME` or `~/.local/state`. It is a
/// convenience: where it cannot be read or written, nothing is remembered.
struct StateFile {
  private let folder: String
  private let path: String

  /// A list with a longer id is not remembered.
  private static let greatestSize = 4096

  /// - Parameter database: the path of the database; it need not exist.
  /// - Returns: `nil` where nothing says in which folder to remember things.
  init?(database: String, environment: [String: String]) {
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let state = variable("XDG_STATE_HOME") ?? variable("HOME").map({ $0 + "/.local/state" }) else {
      return nil
    }
    folder = state + "/tasks"
    path = folder + "/last-list-" + Self.name(of: database)
  }

  var lastList: Identifier? {
    guard let text = try? SmallFile.text(of: path, atMost: Self.greatestSize), text.hasSuffix("\n") else {
      return nil
    }
    return Identifier(String(text.dropLast()))
  }

  func remember(list id: Identifier) {
    guard lastList != id, let text = id.text, text.utf8.count < Self.greatestSize else { return }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    SmallFile.replace(path, with: text + "\n")
  }

  /// The same for every way to write the path of a file.
  private static func name(of database: String) -> String {
    var canonical = database
    if let resolved = realpath(database, nil) {
      canonical = String(cString: resolved)
      free(resolved)
    }
    return StableHash.digits(canonical.utf8)
  }
}
