import FoundationEssentials
import Glibc
import LiveStore
import LiveStoreSync
import TasksModel
import VisibleText

/// `tasks sync status`.
struct StatusReport {
  private let file: SyncedFile

  init(_ file: SyncedFile) {
    self.file = file
  }

  /// - Returns: Whether the file is joined, and nothing keeps it from being in step.
  func write(json: Bool) throws -> Bool {
    guard access(file.path, F_OK) == 0 else { throw SyncError.notJoined(file.path) }
    // The server first: where it does not answer, the agent may only notice that meanwhile, or later.
    let machines = Result { try file.machines() }
    guard var report = try file.report() else { throw SyncError.notJoined(file.path) }
    if report.status.phase == .inStep, case .failure(let error as SyncError) = machines, error.isRetryable {
      report.status.enter(.connecting, error.description)
    }
    let others = try? machines.get()
    print(json ? try self.json(report, others) : text(report, others ?? []))
    return !report.status.phase.needsPerson
  }

  private func text(_ report: SyncedFile.Report, _ machines: [SpaceMachine]) -> String {
    let status = report.status
    var lines = ["“\(report.space)” on \(report.url), as \(report.machine)"]
    // Since the agent began, which may have been just now.
    let ago = status.exchanged == 0 ? nil : Self.ago(status.exchanged)
    let sentence =
      switch status.phase {
      case .inStep where status.waiting > 0:
        "Not everything is exchanged yet\(ago.map { "; last exchange \($0)" } ?? "")."
      case .inStep:
        "In step; \(ago.map { "last exchange \($0)" } ?? "there has been nothing to exchange yet")."
      case .connecting: status.sentence + (ago.map { " Last exchange \($0)." } ?? "")
      case .offline: "Offline for \(Self.time(since: status.since)): \(status.reason)"
      default: status.sentence
      }
    lines.append(sentence)
    if status.mayOnlyRead { lines.append(SyncStatus.readOnlySentence) }
    if status.waiting > 0 { lines.append(status.waitingSentence) }
    if report.conflicts > 0 {
      lines.append("\(report.conflicts) of your changes lost against others': see tasks sync conflicts.")
    }
    if status.leftOut > 0 { lines.append("\(status.leftOutSentence) An update may help.") }
    if status.setAside > 0, let rows = try? SyncJournal(path: file.path)?.keptRows() {
      lines += rows.map(\.sentence)
      lines.append(KeptRow.sentence(others: Int(status.setAside) - rows.count))
    }
    if machines.count > 1 {
      let others = machines.map { "\($0.name) (\($0.role), \(Self.ago($0.seen)))" }
      lines.append("Machines: " + others.joined(separator: ", "))
    }
    return lines.filter { !$0.isEmpty }.map(\.withControlsMadeVisible).joined(separator: "\n")
  }

  private struct JSONMachine: Encodable {
    var name: String
    var role: String
    var seen: Int64
  }

  private struct JSONReport: Encodable {
    var schema = 1
    var space: String
    var url: String
    var machine: String
    var phase: String
    var since: Int64
    var exchanged: Int64
    var done: Int64
    var total: Int64
    var waiting: Int64
    var conflicts: Int
    var mayOnlyRead: Bool
    var leftOut: Int64
    var setAside: Int64
    var reason: String
    /// Without an answer of the server it is not known which there are.
    var machines: [JSONMachine]?
  }

  private func json(_ report: SyncedFile.Report, _ machines: [SpaceMachine]?) throws -> String {
    let status = report.status
    let machines = machines?.map { JSONMachine(name: $0.name, role: $0.role, seen: $0.seen) }
    return try JSONReport(
      space: report.space, url: report.url, machine: report.machine, phase: status.phase.rawValue,
      since: status.since, exchanged: status.exchanged, done: status.done, total: status.total,
      waiting: status.waiting, conflicts: report.conflicts, mayOnlyRead: status.mayOnlyRead,
      leftOut: status.leftOut, setAside: status.setAside, reason: status.reason, machines: machines
    ).json
  }

  static func ago(_ milliseconds: Int64) -> String {
    guard milliseconds > 0 else { return "never" }
    return seconds(since: milliseconds) < 2 ? "just now" : "\(time(since: milliseconds)) ago"
  }

  private static func time(since milliseconds: Int64) -> String {
    let seconds = seconds(since: milliseconds)
    return switch seconds {
    case ..<120: seconds.counted("second")
    case ..<7200: (seconds / 60).counted("minute")
    case ..<172_800: (seconds / 3600).counted("hour")
    default: (seconds / 86_400).counted("day")
    }
  }

  private static func seconds(since milliseconds: Int64) -> Int {
    max(0, Int(Date().timeIntervalSince1970) - Int(milliseconds / 1000))
  }
}

extension Encodable {
  /// The value as JSON on one line, with the members of objects by name.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
