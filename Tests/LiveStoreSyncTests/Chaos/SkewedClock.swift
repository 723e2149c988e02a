import Foundation
import Glibc
import TestSupport

/// The clock on the wall of a machine, which is wrong by so many seconds: that of all programs that are
/// started with its environment, by the library of `skewed-clock.c`. It can be set while they run.
final class SkewedClock {
  private let path: String
  private(set) var seconds: Int64 = 0
  let environment: [String: String]

  init(path: String) throws {
    self.path = path
    environment = SanitizerOptions.environment(preloading: try Self.library.get())
      .merging(["SKEWED_CLOCK": path]) { $1 }
    try Data(count: 8).write(to: URL(fileURLWithPath: path))
  }

  func set(_ seconds: Int64) throws {
    self.seconds = seconds
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    // In place: the programs have mapped this file.
    try file.write(contentsOf: withUnsafeBytes(of: seconds) { Data($0) })
    try file.close()
  }

  struct Unavailable: Error {}

  /// Compiled once in a process.
  private static let library: Result<String, any Error> = Result {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("clock-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let library = folder.appendingPathComponent("libskewed-clock.so").path
    removedAtExit = folder.path
    atexit { try? FileManager.default.removeItem(atPath: SkewedClock.removedAtExit) }
    for compiler in ["clang", "cc"] {
      let words = ["/usr/bin/env", compiler, "-shared", "-fPIC", "-O1", "-o", library]
      let process = try ChaosProcess(
        words + [tests.appendingPathComponent("SkewedClock/skewed-clock.c").path, "-ldl"],
        environment: ProcessInfo.processInfo.environment)
      if process.finish().status == 0 { return library }
    }
    throw Unavailable()
  }

  // Written once, by the initializer of `library`, before it is read at the end of the process.
  nonisolated(unsafe) private static var removedAtExit = ""
}
