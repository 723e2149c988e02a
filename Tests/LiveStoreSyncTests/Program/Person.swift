import Foundation
import LiveStore
import Programs
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
    try run([Program.built("tasks")] + arguments)
  }

  /// Runs `tasks` on a terminal, to its end.
  ///
  /// - Parameter arguments: As they would be typed.
  /// - Returns: All that is shown, as output.
  func tasksOnTerminal(_ arguments: String) throws -> Outcome {
    try run(["script", "-qec", "\(Program.built("tasks")) \(arguments)", "/dev/null"])
  }

  /// Starts `tasks`, without a terminal.
  func start(_ arguments: String...) throws -> RunningProgram {
    try start([Program.built("tasks")] + arguments, [1: .nothing])
  }

  /// Starts `tasks` without a terminal, so that it reads commands as lines.
  ///
  /// - Parameters:
  ///   - lines: The descriptor that it reads.
  ///   - output: The file into which it writes.
  func startPlain(_ options: [String], reading lines: Int32, writing output: URL) throws -> RunningProgram {
    try start(
      [Program.built("tasks"), "--plain"] + options, [0: .descriptor(lines), 1: .file(output.path)])
  }

  private func start(_ words: [String], _ streams: [Int32: Program.Stream]) throws -> RunningProgram {
    let variables = ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
      .merging(SanitizerOptions.environment) { own, _ in own }.merging(environment) { $1 }
    return try Program(
      ["env", "-C", home.path] + words, environment: variables,
      streams: streams.merging([0: .nothing]) { own, _ in own }, hasDefaultSignals: true
    ).start()
  }

  func run(_ words: [String]) throws -> Outcome {
    // Files take what is more than a pipe holds.
    let (output, errors) = (home.appendingPathComponent("output"), home.appendingPathComponent("errors"))
    let status = try start(words, [1: .file(output.path), 2: .file(errors.path)]).waitForEnd()
    return Outcome(
      status: status, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}
