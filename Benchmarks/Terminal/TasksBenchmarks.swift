import BenchmarkRunner
import Glibc

/// `make bench`: measures `tasks` in use, in a terminal.
///
/// The first argument is the program to measure, as built by `make run`.
@main
struct TasksBenchmarks {
  static let program = CommandLine.arguments.dropFirst().first ?? ""
  static let benchmarks: [any Benchmark.Type] = [
    Start.self, Keys.self, OtherWindow.self, Animation.self, Idle.self, Commands.self, Import.self,
    Formats.self, Listing.self, Undoing.self,
    SearchAsYouType.self, WindowMemory.self, ManyRowsChanged.self, AllRows.self, SlowLine.self,
  ]

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if program == Import.baselineArgument, arguments.count == 3, let rows = Int(arguments[2]) {
      return Import.importWithoutTasks(arguments[1], rows: rows)
    }
    guard access(program, X_OK) == 0 else {
      let message = "The first argument must be the program to measure, such as .build/app/release/tasks.\n"
      _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(2)
    }
    try BenchmarkProgram(name: "TasksBenchmarks PROGRAM", benchmarks: benchmarks)
      .run(Array(arguments.dropFirst()))
  }
}

extension Run {
  /// The numbers of tasks in the open list.
  var taskCounts: [Int] { sizes(full: [10_000, 1_000_000], quick: [10_000]) }
}
