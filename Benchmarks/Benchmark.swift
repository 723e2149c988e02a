import Glibc

/// `make bench`: prints a table of what notifications cost, by size of the observed collection.
@main
struct Benchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "--writer", let rows = Int(arguments[3]) {
      try CrossProcessLatency.write(path: arguments[2], rows: rows)
    }
    let isQuick = arguments.contains("--quick")
    print(
      "Commit in another process → callback here with the change set, the snapshot advanced. Microseconds.")
    var table = TextTable(["rows", "operation", "median", "p99", "CPU here", "first callback"])
    for rows in isQuick ? [1_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000] {
      try CrossProcessLatency(rows: rows, samples: isQuick ? 200 : 1_000).run(&table)
    }
    table.print()
  }
}
