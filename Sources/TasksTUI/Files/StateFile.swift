import FoundationEssentials
import Glibc
import LiveStore
import TasksModel

/// The state of one person for one database, outside the shared file: the list that was open last, whether
/// completed tasks are hidden, which due tasks have been told, and findings about a long file.
///
/// Each is a small file in `tasks/` in `$XDG_STATE_HOME` or `~/.local/state`. They are a convenience: if they
/// cannot be read or written, nothing is stored. Beside them are texts that were being typed when a window
/// was closed (see `UnsavedText`).
struct StateFile {
  private let folder: String
  private let name: String

  /// The greatest size; a longer id is not stored.
  private static let greatestSize = 4096

  /// - Parameter database: The path of the database; it need not exist.
  /// - Returns: `nil` if the folder is unknown.
  init?(database: String, environment: [String: String]) {
    guard let state = environment.baseFolder("XDG_STATE_HOME", inHome: "/.local/state") else { return nil }
    folder = state + "/tasks"
    name = Self.name(of: database)
  }

  private func path(_ kind: String) -> String { "\(folder)/\(kind)-\(name)" }

  var lastList: Identifier? {
    let text = try? SmallFile.text(of: path("last-list"), atMost: Self.greatestSize)
    guard let text, text.hasSuffix("\n") else {
      return nil
    }
    return Identifier(String(text.dropLast()))
  }

  func remember(list id: Identifier) {
    guard lastList != id, let text = id.text, text.utf8.count < Self.greatestSize else { return }
    write(path("last-list"), with: text + "\n")
  }

  /// The moment up to which the person has been told what is due; nil if never.
  var lastTold: Date? {
    (try? SmallFile.text(of: path("told"), atMost: 64)).flatMap { Double($0.dropLast()) }
      .map(Date.init(timeIntervalSince1970:))
  }

  func rememberTold(_ moment: Date) {
    write(path("told"), with: "\(moment.timeIntervalSince1970)\n")
  }

  /// The tasks of which the person could not be told when they became due.
  var failedToTell: Set<Identifier> {
    let text = try? SmallFile.text(of: path("failed-to-tell"), atMost: Self.mostFailures)
    return Set((text ?? "").split(separator: "\n").map { Identifier(String($0)) })
  }

  /// Those beyond the greatest size are forgotten, as is an id that is not one line.
  func remember(failedToTell tasks: Set<Identifier>) {
    var text = ""
    for line in tasks.compactMap(\.text).sorted() where !line.utf8.contains(UInt8(ascii: "\n")) {
      if text.utf8.count + line.utf8.count < Self.mostFailures { text += line + "\n" }
    }
    write(path("failed-to-tell"), with: text)
  }

  /// In bytes; some two thousand ids.
  private static let mostFailures = 1 << 16

  /// Whether the person has hidden the completed tasks of this file, or has shown them again; nil if neither.
  var hidesCompleted: Bool? {
    let text = try? SmallFile.text(of: path("hide-completed"), atMost: 8)
    return text.flatMap { ["on\n": true, "off\n": false][$0] }
  }

  func remember(hidesCompleted: Bool) {
    write(path("hide-completed"), with: hidesCompleted ? "on\n" : "off\n")
  }

  /// The path of what was found out about the file; see `FileFindings`.
  var findingsPath: String { path("findings") }

  /// Replaces one of these files, in their folder, which is made if it is missing.
  func write(_ path: String, with text: String) {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    SmallFile.replace(path, with: text)
  }

  /// The path of unsaved texts, without the number of the process.
  var unsavedPrefix: String { path("unsaved") + "-" }

  /// The name, the same for every spelling of the path of a file.
  private static func name(of database: String) -> String {
    var canonical = database
    if let resolved = realpath(database, nil) {
      canonical = String(cString: resolved)
      free(resolved)
    }
    return FNV1a.digits(canonical.utf8)
  }
}

extension [String: String] {
  /// A folder of the XDG Base Directory Specification: that of a variable, or else the usual one in the home
  /// folder; nil if neither is known. Relative paths are ignored.
  func baseFolder(_ name: String, inHome usual: String) -> String? {
    func folder(_ name: String) -> String? { self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    return folder(name) ?? folder("HOME").map { $0 + usual }
  }
}
