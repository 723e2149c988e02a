import Programs
import TestSupport

/// A program that may be killed at any moment.
final class ChaosProcess {
  private let process: RunningProgram
  private let pipe: PrivatePipe

  struct Outcome {
    /// The exit status; that of a signal is negative.
    var status: Int32
    /// The text that it has written, errors too.
    var output: String
  }

  init(_ words: [String], environment: [String: String]) throws {
    pipe = try PrivatePipe()
    let streams: [Int32: Program.Stream] = [0: .nothing, 1: .descriptor(pipe.writing), 2: .same(as: 1)]
    process = try Program(words, environment: environment, streams: streams).start()
    pipe.closeWriting()
  }

  /// Little, so that the pipe holds all of it until the program has ended.
  private lazy var output: String = {
    var reader = OutputReader(pipe.reading)
    return (try? reader.rest()) ?? ""
  }()

  /// Kills it, if it has not ended, and waits for its end.
  @discardableResult
  func kill() -> Outcome { Outcome(status: process.kill(), output: output) }

  /// Whether it has ended by itself.
  var hasEnded: Bool { process.hasEnded }

  /// Waits for its end.
  @discardableResult
  func finish() -> Outcome { Outcome(status: process.waitForEnd(), output: output) }
}
