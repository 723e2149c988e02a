/// A row of the table of target figures, or several that are measured together.
package protocol Benchmark: SendableMetatype {
  /// The name for `--only`, and of the chart.
  static var name: String { get }
  /// The measured interval, and the baseline.
  static var summary: String { get }
  static func run(_ run: Run) throws
}

/// The settings of a benchmark: the amount to measure, and the destination of the results.
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

  /// The number of measurements of a baseline that reads all rows: as many as are bearable.
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
