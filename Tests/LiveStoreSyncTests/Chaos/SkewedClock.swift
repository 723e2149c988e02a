import Foundation
import Programs
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

  private static let library = Result {
    let tests = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    return try PreloadedLibrary.compile(tests + "/SkewedClock/skewed-clock.c")
  }
}
