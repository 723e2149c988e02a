import BenchmarkRunner
import Glibc

/// The least that a program in C does for a command of `tasks`: `Benchmarks/Floor`, which is built beside
/// this program.
enum Floor {
  static let program: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
    let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } + "/TasksFloor"
  }()

  /// Throws if it has not been built.
  static func require() throws {
    guard access(program, X_OK) == 0 else {
      throw Failure("“\(program)” is missing; swift build -c release --product TasksFloor builds it.")
    }
  }
}
