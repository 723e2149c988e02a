import FoundationEssentials
import Glibc
import TasksModel

/// A text that was being typed when its window was closed.
struct UnsavedText: Codable, Equatable {
  /// The rows that were shown; nil for tasks of all lists.
  var place: Place?
  /// The row, or the task of a note; nil for a new row.
  var row: Identifier?
  /// The position of a new row; nil for after the open rows.
  var point: InsertionPoint?
  /// The title of the tasks of all lists among which it was typed.
  var collection: String?
  var isNote = false
  var text: String
  /// The text with which the person began.
  var original: String
}

/// Unsaved texts are stored outside the shared file, because nobody else has seen them: one file for each
/// window, which is written before the text is shown, so that it stays however the window ends.
extension StateFile {
  /// Stores the text of this window; nil removes it. If it cannot be stored, it would be lost.
  func keep(_ unsaved: UnsavedText?) {
    let path = unsavedPrefix + "\(getpid())"
    guard let unsaved, let data = try? JSONEncoder().encode(unsaved) else {
      unlink(path)
      return
    }
    write(path, with: String(decoding: data, as: UTF8.self))
  }

  /// Takes the text of a window that has ended. No other window takes it too.
  func takeUnsaved() -> UnsavedText? {
    guard let folder = unsavedPrefix.lastIndex(of: "/") else { return nil }
    let prefix = unsavedPrefix[folder...].dropFirst()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: String(unsavedPrefix[..<folder]))) ?? []
    for name in names.sorted() where name.hasPrefix(prefix) {
      // Windows that are open keep theirs.
      guard let process = pid_t(name.dropFirst(prefix.count)), !Self.isWindow(process) else { continue }
      let path = unsavedPrefix + "\(process)"
      let taken = path + ".taken"
      guard rename(path, taken) == 0 else { continue }
      defer { unlink(taken) }
      guard let text = try? SmallFile.text(of: taken, atMost: Self.mostUnsavedBytes),
        let unsaved = try? JSONDecoder().decode(UnsavedText.self, from: Data(text.utf8))
      else { continue }
      return unsaved
    }
    return nil
  }

  /// Whether a process is one of this program that has not ended. Another program may have got the number
  /// since then, after a restart of the machine for instance.
  private static func isWindow(_ process: pid_t) -> Bool {
    guard kill(process, 0) == 0 || errno != ESRCH else { return false }
    guard let theirs = status(of: process), let own = status(of: getpid()) else { return true }
    return theirs.program == own.program && theirs.state != "Z"
  }

  /// The name of a process, and the letter of its state, as `/proc` tells them; nil if it does not.
  private static func status(of process: pid_t) -> (program: String, state: Character)? {
    guard let text = try? SmallFile.text(of: "/proc/\(process)/stat", atMost: 1 << 16),
      let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"),
      let state = text[end...].dropFirst(2).first
    else { return nil }
    return (String(text[start..<end].dropFirst()), state)
  }

  private static let mostUnsavedBytes = 64 * 1024 * 1024
}
