import Glibc
import Testing

/// A child process: the program `LiveStorePeer`, which the package builds beside the tests.
final class Peer {
  private let process: pid_t
  private(set) var status: Int32?

  private init(process: pid_t) {
    self.process = process
  }

  deinit {
    kill()
  }

  /// - Parameter output: What becomes the standard output of the process.
  static func start(_ arguments: [String], output: Int32? = nil) throws -> Peer {
    try start(program(), arguments, output: output)
  }

  /// Starts it where the system gives it no inotify instance.
  static func startWithoutInotify(_ arguments: [String]) throws -> Peer {
    let script = "echo 0 > /proc/sys/user/max_inotify_instances && exec \"$0\" \"$@\""
    return try start(
      "/usr/bin/unshare", ["--user", "--map-root-user", "sh", "-c", script, program()] + arguments)
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

  private static func start(_ path: String, _ arguments: [String], output: Int32? = nil) throws -> Peer {
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { (text: String) in strdup(text) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var child: pid_t = 0
    try #require(posix_spawn(&child, path, &actions, nil, &words, environ) == 0)
    return Peer(process: child)
  }

  func signal(_ number: Int32) {
    if status == nil { Glibc.kill(process, number) }
  }

  /// Kills the process in the middle of whatever it does, and waits for its end.
  func kill() {
    guard status == nil else { return }
    Glibc.kill(process, SIGKILL)
    var code: Int32 = 0
    waitpid(process, &code, 0)
    status = code
  }

  /// Waits for the end of the process, and returns its status.
  func waitForEnd() -> Int32? {
    guard status == nil else { return status }
    var code: Int32 = 0
    guard waitpid(process, &code, 0) == process else { return nil }
    status = code
    return code
  }

  func hasEnded() -> Bool {
    if status != nil { return true }
    var code: Int32 = 0
    guard waitpid(process, &code, WNOHANG) == process else { return false }
    status = code
    return true
  }
}
