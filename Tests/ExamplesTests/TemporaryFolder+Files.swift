import Foundation
import Programs
import TestSupport

extension TemporaryFolder {
  func write(_ text: String, to name: String) throws {
    try text.write(toFile: self(name), atomically: true, encoding: .utf8)
  }

  /// Runs SQL in a program that knows nothing of LiveStore.
  func sqlite3(_ name: String, _ sql: String) throws {
    let words = ["sqlite3", "-bail", "-cmd", ".timeout 10000", self(name), sql]
    guard try Program(words).start().waitForEnd() == 0 else { throw CocoaError(.executableLoad) }
  }
}
