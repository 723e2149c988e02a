import BenchmarkRunner
import Glibc

/// `make bench`: measures `tasks` as it is used, in a terminal.
///
/// The first argument is the program to be measured, as `make run` builds it.
@main
struct TasksBenchmarks {
  static let benchmarks: [any Benchmark.Type] = []

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let program = arguments.first, access(program, X_OK) == 0 else {
      throw Failure("The first argument must be the program to measure, such as .build/app/release/tasks.")
    }
    try BenchmarkProgram(name: "TasksBenchmarks PROGRAM", benchmarks: benchmarks)
      .run(Array(arguments.dropFirst()))
  }
}
