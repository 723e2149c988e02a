import Glibc
import Programs

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
  static func program() throws -> String { try Program.built("LiveStorePeer") }
}
