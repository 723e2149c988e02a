import Foundation
import LiveStore
import TestSupport
import Testing

/// A person at a machine, with a home of their own, who runs `tasks`.
final class Person {
  let home: URL
  /// More variables of the environment in which the person's programs run.
  var environment: [String: String] = [:]

  init(_ name: String, in folder: URL) throws {
    home = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  /// The default file.
  var file: String { home.appendingPathComponent(".local/share/tasks/tasks.db").path }

  /// Dates what was changed in the file, and is not sent yet, a minute back: each machine measures the
  /// server's clock, and where its answers take long, two of them may differ by more than the time between
  /// two commands.
  func dateChangesBack() throws {
    try Connection(path: file, create: false).execute("UPDATE _livestore_log SET time = time - 60000")
  }

  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs `tasks`, without a terminal, to its end.
  @discardableResult
  func tasks(_ arguments: String...) throws -> Outcome { try tasks(arguments) }

  func tasks(_ arguments: [String]) throws -> Outcome {
    try run(Self.program(), arguments)
  }

  /// Runs `tasks` on a terminal, to its end.
  ///
  /// - Parameter arguments: As they would be typed.
  /// - Returns: All that is shown, as output.
  func tasksOnTerminal(_ arguments: String) throws -> Outcome {
    let script = URL(fileURLWithPath: "/usr/bin/script")
    return try run(script, ["-qec", "\(Self.program().path) \(arguments)", "/dev/null"])
  }

  /// Starts `tasks`, without a terminal.
  func start(_ arguments: String...) throws -> Process {
    let process = process(try Self.program(), arguments)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func process(_ program: URL, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
      .merging(SanitizerOptions.environment) { own, _ in own }.merging(environment) { $1 }
    process.currentDirectoryURL = home
    return process
  }

  private func run(_ program: URL, _ arguments: [String]) throws -> Outcome {
    let process = process(program, arguments)
    // Files take what is more than a pipe holds.
    let output = try FileHandle(forUpdating: empty("output"))
    let errors = try FileHandle(forUpdating: empty("errors"))
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: try text("output"), errors: try text("errors"))
  }

  private func empty(_ name: String) throws -> URL {
    let url = home.appendingPathComponent(name)
    try Data().write(to: url)
    return url
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: home.appendingPathComponent(name)), as: UTF8.self)
  }

  /// Beside the tests, and `tasks-sync` beside it.
  private static func program() throws -> URL {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let program = tests.deletingLastPathComponent().appendingPathComponent("tasks")
    try #require(
      FileManager.default.isExecutableFile(atPath: program.path), "\(program.path) has not been built")
    return program
  }
}
