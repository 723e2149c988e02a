import FoundationEssentials
import Glibc

/// A file that holds a note while another program edits it. Only its owner can read it, and it is removed
/// with this object.
final class NoteFile {
  let path: String

  init(_ text: String, environment: [String: String]) throws(RuntimeError) {
    let folder = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(folder)/tasks-note-XXXXXX.md".utf8CString)
    let descriptor = mkstemps(&template, 3)
    guard descriptor >= 0 else {
      throw RuntimeError(
        "a file for the note cannot be made in \(folder): \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    close(descriptor)
    // In place, so that it stays unreadable for others.
    guard (try? Data((text.isEmpty ? "" : text + "\n").utf8).write(to: URL(filePath: path))) != nil else {
      throw RuntimeError("the note cannot be written to \(path)")
    }
  }

  deinit { unlink(path) }

  /// - Returns: The text, and whether it had bytes that are no text, which are left out or replaced.
  func text() throws(RuntimeError) -> (text: String, wasDamaged: Bool) {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw RuntimeError("the note cannot be read from \(path)")
    }
    let isText = !data.contains(0) && String(validating: data, as: UTF8.self) != nil
    var text = Substring(String(decoding: data.lazy.filter { $0 != 0 }, as: UTF8.self))
    while text.last?.isNewline == true { text.removeLast() }
    return (String(text), !isText)
  }
}
