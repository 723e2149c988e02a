import FoundationEssentials
import Glibc
import Testing

/// A new folder that goes away with its owner.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/tasks-tests-XXXXXX".utf8CString)
    path = String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// A path in the folder.
  func callAsFunction(_ name: String) -> String { path + "/" + name }
}
