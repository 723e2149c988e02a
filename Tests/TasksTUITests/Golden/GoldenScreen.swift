import Foundation
import Testing

/// The file of a screen that was looked at.
///
/// After a change that is meant, `make golden` writes the files anew; `git diff` and `cat` show what has
/// become of them.
struct GoldenScreen {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let isRenewing = ProcessInfo.processInfo.environment["TASKS_GOLDEN"] == "renew"
  private let file: URL

  init(_ name: String) {
    file = Self.folder.appending(path: "Screens/\(name).ansi")
  }

  /// Expects a picture to be that of the file.
  func compare(_ picture: String) throws {
    if Self.isRenewing {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try picture.write(to: file, atomically: true, encoding: .utf8)
    }
    let expected = try? String(contentsOf: file, encoding: .utf8)
    #expect(
      picture == expected,
      "\(file.path) looks otherwise now:\n\(picture)\u{1B}[mIf that is meant, run make golden, and look."
    )
  }
}
