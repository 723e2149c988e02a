import Glibc
import LiveStore
import LiveStoreSync

/// `tasks sync conflicts`: the work of the person at this machine that lost against others'.
struct ConflictReport {
  private let file: SyncedFile

  init(_ file: SyncedFile) {
    self.file = file
  }

  func write() throws {
    let conflicts = try file.conflicts()
    if conflicts.isEmpty { print("Nothing of yours lost against others' changes.") }
    for conflict in conflicts { print("\(conflict.number)  \(sentence(conflict))") }
  }

  private func sentence(_ conflict: SyncConflict) -> String {
    let who = conflict.author.isEmpty ? "someone" : conflict.author
    let name = text(conflict.mine["text"]) ?? "a row"
    switch conflict.kind {
    case .deleted: return "You changed “\(name)”, which \(who) deleted."
    case .displaced: return "You put “\(name)” into a list that \(who) deleted."
    case .refused: return "You may not change “\(name)”: it is as it was."
    case .overwritten:
      let changes = conflict.mine.sorted { $0.key < $1.key }.map { cell, mine in
        "\(cell) “\(text(mine) ?? "")” is “\(text(conflict.theirs[cell]) ?? "")” now"
      }
      return "\(who) changed what you had changed: \(changes.joined(separator: ", "))."
    }
  }

  private func text(_ value: SQLiteValue?) -> String? {
    switch value {
    case .text(let text): String(text.map { $0.isNewline ? " " : $0 })
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    default: nil
    }
  }
}
