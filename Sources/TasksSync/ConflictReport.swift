import TasksModel
import VisibleText

/// `tasks sync conflicts`.
struct ConflictReport {
  private let path: String

  init(of path: String) {
    self.path = path
  }

  func write() throws {
    let changes = try SyncJournal(path: path)?.lostChanges() ?? []
    if changes.isEmpty { print("Nothing of yours lost against others' changes.") }
    // The texts are others' too.
    for change in changes { print("\(change.number)  \(change.sentence)".withControlsMadeVisible) }
  }
}
