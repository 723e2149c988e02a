import Glibc
import Programs
import Testing

/// The program `LiveStorePeer`, which the package builds beside the tests, as another process.
enum Peer {
  /// - Parameter output: What becomes the standard output of the process.
  static func start(_ arguments: [String], output: Int32? = nil) throws -> RunningProgram {
    let streams: [Int32: Program.Stream] = output.map { [STDOUT_FILENO: .descriptor($0)] } ?? [:]
    return try Program([program()] + arguments, streams: streams).start()
  }

  /// Starts it where the system gives it no inotify instance.
  static func startWithoutInotify(_ arguments: [String]) throws -> RunningProgram {
    let script = "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$0\" \"$@\""
    let words = try ["unshare", "--user", "--map-root-user", "sh", "-c", script, program()] + arguments
    return try Program(words).start()
  }

  /// The path of the program.
  static func program() throws -> String {
    var pathBytes = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &pathBytes, pathBytes.count - 1)
    try #require(count > 0)
    var program = String(decoding: pathBytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The tests run in a program of the toolchain; the package's products are found beside the test bundle.
    if !program.contains(".build") {
      program = CommandLine.arguments.first { $0.contains(".build") } ?? program
    }
    let folder = program.split(separator: "/").prefix { !$0.hasSuffix(".xctest") && $0 != "LiveStorePeer" }
    var path = "/" + folder.joined(separator: "/")
    if access(path + "/LiveStorePeer", X_OK) != 0 { path = "/" + folder.dropLast().joined(separator: "/") }
    path += "/LiveStorePeer"
    try #require(access(path, X_OK) == 0, "\(path) is not built")
    return path
  }
}
