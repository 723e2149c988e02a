import Glibc

/// A program of benchmarks: it parses its options, measures and reports.
package struct BenchmarkProgram {
  private let name: String
  private let benchmarks: [any Benchmark.Type]

  package init(name: String, benchmarks: [any Benchmark.Type]) {
    self.name = name
    self.benchmarks = benchmarks
  }

  /// - Parameter arguments: The arguments without the program's name. Wrong ones are reported, and end the
  ///   program.
  package func run(_ arguments: [String]) throws {
    let options: Options
    do {
      options = try Options(arguments, known: benchmarks.map { $0.name })
    } catch {
      let message = "\(error.description)\nusage: \(name) \(Options.usage)\n"
      _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(2)
    }
    if options.isListing {
      var table = TextTable(columns: 2, alignedLeft: [0, 1])
      for benchmark in benchmarks { table.append([benchmark.name, benchmark.summary]) }
      print(table.text)
      return
    }
    let report = try Report(options: options, machine: Machine())
    var hasFailed = false
    for benchmark in benchmarks where options.includes(benchmark.name) {
      do {
        try report.measure(benchmark)
      } catch {
        // The others can be measured nevertheless.
        print("\(benchmark.name) has failed: \(error)\n")
        hasFailed = true
      }
    }
    report.finish()
    if hasFailed { exit(1) }
  }
}
