import BenchmarkRunner
import Glibc
import Programs

/// The role of this program when a benchmark starts another instance.
enum ChildRole: String {
  /// `--writer WORKLOAD PATH ROWS`: makes the requested transactions.
  case writer = "--writer"
  /// `--foreign-writer PATH ROWS`: the same, by SQLite alone.
  case foreignWriter = "--foreign-writer"
  /// `--memory PATH`: observes and reports the memory for it.
  case memory = "--memory"
  /// `--memory-baseline PATH`: reads the same rows into an array.
  case memoryBaseline = "--memory-baseline"

  func run(_ arguments: [String]) throws -> Never {
    switch self {
    case .writer:
      guard arguments.count == 3, let rows = Int(arguments[2]) else {
        throw Failure("--writer WORKLOAD PATH ROWS")
      }
      let loop = WriterLoop(try workload(named: arguments[0]), path: arguments[1], rows: rows)
      try loop.run(requests: 0, answers: 1)
    case .foreignWriter:
      guard arguments.count == 2, let rows = Int(arguments[1]) else {
        throw Failure("--foreign-writer PATH ROWS")
      }
      ForeignProgram.write(arguments[0], rows: rows)
    case .memory: try Memory.observe(arguments.first ?? "")
    case .memoryBaseline: try Memory.fetch(arguments.first ?? "")
    }
    exit(0)
  }
}

/// Another instance of this program, with a pipe in each direction.
final class ChildProcess {
  private let process: RunningProgram
  private let toChild: PrivatePipe
  private let fromChild: PrivatePipe
  var requests: Int32 { toChild.writing }
  var answers: Int32 { fromChild.reading }

  init(_ role: ChildRole, _ arguments: [String]) throws {
    (toChild, fromChild) = (try PrivatePipe(), try PrivatePipe())
    process = try Program(
      ["/proc/self/exe", role.rawValue] + arguments,
      streams: [0: .descriptor(toChild.reading), 1: .descriptor(fromChild.writing)]
    ).start()
    toChild.closeReading()
    fromChild.closeWriting()
  }

  deinit {
    // It ends when there is nothing more to read.
    toChild.closeWriting()
    fromChild.closeReading()
    process.waitForEnd()
  }
}

/// Numbers through a pipe.
enum Wire {
  static func send(_ numbers: [Int64], to descriptor: Int32) {
    numbers.withUnsafeBytes { bytes in
      _ = write(descriptor, bytes.baseAddress, bytes.count)
    }
  }

  /// - Returns: `nil` when the other side has ended.
  static func receive(_ count: Int, from descriptor: Int32) -> [Int64]? {
    var numbers = [Int64](repeating: 0, count: count)
    // A pipe passes on what is this small as a whole.
    let received = numbers.withUnsafeMutableBytes { bytes in read(descriptor, bytes.baseAddress, bytes.count)
    }
    return received == count * 8 ? numbers : nil
  }
}
