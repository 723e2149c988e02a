import FoundationEssentials
import Glibc
import Programs
import TerminalEmulator
import TestSupport
import Testing

/// By this, files that need nothing else of `TestSupport` have it.
typealias TemporaryFolder = TestSupport.TemporaryFolder

/// A program that a test starts, with pipes for its standard streams.
final class ChildProcess {
  private let process: RunningProgram
  private let input: PrivatePipe
  private let output: PrivatePipe
  private let errors: PrivatePipe
  private var outputReader: OutputReader

  /// The program `tasks` that was built together with the tests.
  static let tasks = try! Program.built("tasks")

  /// - Parameters:
  ///   - command: The program, found in the test's own PATH unless it has a slash, and its arguments.
  ///   - environment: All of it; PATH and LANG are added when missing.
  init(_ command: [String], environment: [String: String] = [:]) throws {
    (input, output, errors) = (try PrivatePipe(), try PrivatePipe(), try PrivatePipe())
    outputReader = OutputReader(output.reading)
    let variables =
      environment
      .merging(["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]) { own, _ in own }
      .merging(SanitizerOptions.environment) { own, _ in own }
    let streams: [Int32: Program.Stream] = [
      0: .descriptor(input.reading), 1: .descriptor(output.writing), 2: .descriptor(errors.writing),
    ]
    process = try Program(command, environment: variables, streams: streams, hasDefaultSignals: true).start()
    input.closeReading()
    output.closeWriting()
    errors.closeWriting()
  }

  var processID: pid_t { process.id }

  func closeInput() { input.closeWriting() }

  func closeOutput() { output.closeReading() }

  /// Writes to the program's standard input, which has to fit into a pipe.
  func write(_ bytes: [UInt8]) {
    #expect(Glibc.write(input.writing, bytes, bytes.count) == bytes.count)
  }

  func send(_ signal: Int32) {
    process.signal(signal)
  }

  /// The next line of standard output, without its end; nil at the end of the stream.
  func readLine() throws -> String? { try outputReader.nextLine() }

  /// Waits for another line, or the end of the stream; returns whether it came in time.
  func waitForMore() -> Bool { outputReader.waitForMore() }

  /// The output and status of a program that has ended.
  struct Outcome: Equatable {
    /// The exit status, or the negative number of the signal that ended it.
    var status: Int32
    var output: String
    var errors: String
  }

  /// Closes standard input, reads all that is printed and waits for the end.
  func finish() throws -> Outcome {
    closeInput()
    let printed = output.reading < 0 ? "" : try outputReader.rest()
    var errorReader = OutputReader(errors.reading)
    let complaint = try errorReader.rest()
    return Outcome(status: process.waitForEnd(), output: printed, errors: complaint)
  }

  /// A time zone in which it is about noon, as `TZ` has it: no test that speaks of today runs over midnight.
  static var zoneOfNoon: String {
    let hour = Int(Date().timeIntervalSince1970 / 3600) % 24
    return "NOON\(hour - 12)"
  }

  /// Starts a program, feeds it the input and waits for its end.
  static func run(
    _ command: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Outcome {
    let child = try ChildProcess(command, environment: environment)
    child.write(Array(input.utf8))
    return try child.finish()
  }
}
