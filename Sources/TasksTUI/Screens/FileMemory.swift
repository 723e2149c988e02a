import FoundationEssentials
import LiveStore
import TasksModel

/// The findings of the last window about the file, as long as it is as it was then; and those of this window,
/// which are kept for the next.
final class FileMemory {
  private struct Counted {
    weak var count: OpenTaskCount?
  }

  private let store: TasksStore
  private var findings: FileFindings?
  private var counted: [Identifier: Counted] = [:]
  private var actions: [() -> Void] = []
  private var token: NotificationToken?

  /// The least number of open tasks in a list that is worth a file.
  private static let fewest = 1000

  init(_ store: TasksStore, _ findings: FileFindings?) {
    self.store = store
    self.findings = findings
    guard findings != nil else { return }
    token = store.store.observe { [weak self] notification, _ in
      if notification == .didChange { self?.forget() }
    }
  }

  deinit { token?.invalidate() }

  /// Whether all texts were read for dates, and are unchanged.
  var areTextsRead: Bool { findings?.areTextsRead ?? false }

  func openTasks(ofList id: Identifier) -> [Date?: Int]? { findings?.openTasks(ofList: id) }

  /// Adds an action for the first change of the file, by which the findings are lost.
  func atFirstChange(_ action: @escaping () -> Void) {
    if findings == nil { action() } else { actions.append(action) }
  }

  private func forget() {
    token?.invalidate()
    token = nil
    findings = nil
    let actions = actions
    self.actions = []
    for action in actions { action() }
  }

  func add(_ count: OpenTaskCount, ofList id: Identifier) { counted[id] = Counted(count: count) }

  /// The findings to keep; nil if the file is short, or the last ones are still true.
  ///
  /// - Parameter textsRead: The version at which all texts had been read for dates; nil if that is not known.
  func newFindings(textsRead: StoreVersion?) -> FileFindings? {
    guard findings == nil, let version = try? store.store.currentVersion() else { return nil }
    let counts = counted.sorted { $0.key.description < $1.key.description }.compactMap { id, counted in
      counted.count?.known.map { known in
        FileFindings.Counts(
          list: id, groups: known.map { FileFindings.Group(until: $0.key, count: $0.value) })
      }
    }
    guard counts.contains(where: { $0.groups.reduce(0) { $0 + $1.count } >= Self.fewest }) else { return nil }
    return FileFindings(
      version: version, counts: counts, areTextsRead: textsRead.map(isTextUnchanged(since:)) ?? false)
  }

  private func isTextUnchanged(since version: StoreVersion) -> Bool {
    guard let changes = try? store.store.changes(since: version) else { return false }
    return changes.allSatisfy { change in
      change.table != "\(TaskItem.self)"
        || change.properties?.isDisjoint(with: ["text", "readText"]) ?? false
    }
  }
}
