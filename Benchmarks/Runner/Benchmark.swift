/// One row of the table of figures to reach, or several that are measured together.
package protocol Benchmark: SendableMetatype {
  /// What `--only` calls it, and the name of its chart.
  static var name: String { get }
  /// What is measured, from when to when, against what.
  static var summary: String { get }
  static func run(_ run: Run) throws
}

/// What a benchmark is given: how much to measure, and where the results go.
package final class Run {
  package let options: Options
  private(set) var measurements: [Measurement] = []

  init(options: Options) {
    self.options = options
  }

  /// The sizes of the observed collection.
  package var sizes: [Int] { sizes(full: [1_000, 10_000, 100_000, 1_000_000], quick: [1_000, 20_000]) }

  package func sizes(full: [Int], quick: [Int]) -> [Int] {
    options.sizes ?? (options.isQuick ? quick : full)
  }

  package func samples(full: Int, quick: Int) -> Int {
    options.samples ?? (options.isQuick ? quick : full)
  }

  /// How often a baseline that reads all rows is measured: as often as is bearable.
  package func baselineSamples(rows: Int) -> Int {
    if options.isQuick { return rows <= 1_000 ? 20 : 1 }
    return rows <= 1_000 ? 50 : rows <= 10_000 ? 20 : rows <= 100_000 ? 3 : 1
  }

  package func append(_ measurement: Measurement) {
    measurements.append(measurement)
  }
}

extension Int {
  /// Whether this round, of `rounds`, is one of `count` rounds that are spread evenly.
  package func isOne(of count: Int, among rounds: Int) -> Bool {
    count >= rounds || (self * count) / rounds != ((self + 1) * count) / rounds
  }
}
