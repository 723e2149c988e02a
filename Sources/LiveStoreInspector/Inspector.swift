import Foundation
import LiveStore

/// `livestore FILE`: prints what is in a file of LiveStore, whatever program has made it.
@main
struct Inspector {
  private static let usage = """
    usage: livestore FILE           classes, objects, indexes, changes, and who has the file open
           livestore FILE --json    the same for programs
           livestore FILE OTHER     the differences of two files' classes

    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch (arguments.count, arguments.last) {
      case (1, "--help"): print(usage, terminator: "")
      case (1, let path?) where !path.hasPrefix("-"): print(text(of: try FileDescription(path: path)))
      case (2, "--json"): print(try json(of: FileDescription(path: arguments[0])))
      case (2, let other?) where !other.hasPrefix("-"):
        let differences = try differences(
          FileDescription(path: arguments[0]), FileDescription(path: other))
        print(differences.isEmpty ? "Their classes are the same." : differences.joined(separator: "\n"))
        exit(differences.isEmpty ? 0 : 1)
      default:
        complain(usage, status: 2)
      }
    } catch {
      complain(printable("livestore: \(error)\n"), status: 1)
    }
  }

  private static func complain(_ sentence: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data(sentence.utf8))
    exit(status)
  }

  private static func json(of file: FileDescription) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(file), as: UTF8.self)
  }

  private static func text(of file: FileDescription) -> String {
    var lines = [
      "\(file.path): \(bytes(file.sizes.database)), \(bytes(file.sizes.unused)) of it unused, "
        + "and \(bytes(file.sizes.log)) of write-ahead log",
      "schema version \(file.schemaVersion), application \(file.applicationID)",
    ]
    for described in file.classes {
      lines += ["", "\(described.name), \(number(described.objectCount, "object"))"]
      let width = described.properties.map(\.name.count).max() ?? 0
      lines += described.properties.map { "  \(padded($0.name, width))  \(words($0))" }
      if described.isSearchable { lines.append("  with a full-text index") }
      lines += described.indexes.map { "  \($0)" }
    }
    if !file.otherTables.isEmpty {
      lines += ["", "tables of other programs: \(file.otherTables.joined(separator: ", "))"]
    }
    lines.append("")
    if let log = file.log {
      lines.append(
        "\(number(log.changeCount, "change")) since version \(log.oldestVersion); "
          + "the newest version is \(log.newestVersion)")
    } else {
      lines.append("no store has made this file")
    }
    lines += file.processes.map {
      "\($0.isObserver ? "observed" : "opened") by process \($0.processID), \($0.name)"
    }
    return printable(lines.joined(separator: "\n"))
  }

  private static func words(_ property: FileDescription.PropertyDescription) -> String {
    var words: String
    switch property.kind {
    case .value: words = property.type.lowercased() + (property.isOptional ? ", optional" : "")
    case .link: words = "link to \(property.type)"
    case .list: words = "list of \(property.type), \(number(property.entryCount ?? 0, "entry", "entries"))"
    }
    if property.isPrimaryKey { words += ", primary key" }
    return words
  }

  /// The differences of the first file's classes from the second's, a line each.
  private static func differences(_ file: FileDescription, _ other: FileDescription) -> [String] {
    func names(_ file: FileDescription) -> [String: String] {
      let pairs = file.classes.flatMap { described in
        described.properties.map { property in
          // Not the number of entries.
          let words = words(property).prefix { property.kind != .list || $0 != "," }
          return ("\(described.name).\(property.name)", String(words))
        }
      }
      return Dictionary(pairs) { first, _ in first }
    }
    let (old, new) = (names(other), names(file))
    let lines = Set(old.keys).union(new.keys).sorted().compactMap { name -> String? in
      switch (old[name], new[name]) {
      case (let old?, nil): "- \(name): \(old)"
      case (nil, let new?): "+ \(name): \(new)"
      case (let old?, let new?) where old != new: "~ \(name): \(new), and \(old) in the other"
      default: nil
      }
    }
    return lines.map(printable)
  }

  private static func bytes(_ count: Int) -> String {
    count < 1_000_000 ? "\((count + 512) / 1_024) KB" : "\(Double(count / 100_000) / 10) MB"
  }

  private static func number(_ count: Int, _ name: String, _ plural: String? = nil) -> String {
    "\(count.grouped) \(count == 1 ? name : plural ?? name + "s")"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A text without characters that a terminal would obey: names come from the file.
  private static func printable(_ text: String) -> String {
    String(
      text.map {
        $0 == "\n" || !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? $0 : "?"
      })
  }
}
