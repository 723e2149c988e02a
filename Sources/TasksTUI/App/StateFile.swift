import FoundationEssentials
import Glibc

/// Remembers which list was open last, outside the file that is shared: it is nobody else's business.
///
/// One small file for each database, `tasks/last-list-…` in `$XDG_STATE_HOME` or `~/.local/state`. It is a convenience: where
/// it cannot be read or written, nothing is remembered.
struct StateFile {
  private let folder: String
  private let path: String

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

  var lastList: UUID? {
    guard let data = try? Data(contentsOf: URL(filePath: path)), data.count < 100 else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return UUID(uuidString: String(text.prefix { !$0.isWhitespace }))
  }

  func remember(list id: UUID) {
    guard lastList != id else { return }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Written aside and renamed, so that a crash leaves the old or the new one.
    try? Data((id.uuidString + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
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
