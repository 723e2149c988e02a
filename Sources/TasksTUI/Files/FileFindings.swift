import FoundationEssentials
import LiveStore
import TasksModel

/// The results of reading all tasks of a long file, kept when a window closes: the next window has them at
/// once if the file has not changed since.
struct FileFindings: Codable, Equatable {
  /// The numbers of open tasks of a list.
  struct Counts: Codable, Equatable {
    var list: Identifier
    var groups: [Group]
  }

  /// The open tasks that wait until one moment.
  struct Group: Codable, Equatable {
    /// The moment; nil for tasks that do not wait.
    var until: Date?
    var count: Int
  }

  /// The version of the file that was read.
  var version: StoreVersion
  var counts: [Counts]
  /// Whether all texts had been read for dates.
  var areTextsRead: Bool

  func openTasks(ofList id: Identifier) -> [Date?: Int]? {
    counts.first { $0.list == id }.map { Dictionary($0.groups.map { ($0.until, $0.count) }) { $1 } }
  }
}

extension StateFile {
  /// The greatest size in bytes; more findings are not kept.
  private static let mostFindings = 1 << 16

  /// The findings of the last window, if the file is still as it was then.
  func findings(about store: TasksStore) -> FileFindings? {
    guard let text = try? SmallFile.text(of: findingsPath, atMost: Self.mostFindings),
      let findings = try? JSONDecoder().decode(FileFindings.self, from: Data(text.utf8)),
      let changes = try? store.store.changes(since: findings.version), changes.isEmpty
    else { return nil }
    return findings
  }

  func remember(_ findings: FileFindings) {
    guard let json = try? JSONEncoder().encode(findings), json.count <= Self.mostFindings else { return }
    write(findingsPath, with: String(decoding: json, as: UTF8.self))
  }
}
