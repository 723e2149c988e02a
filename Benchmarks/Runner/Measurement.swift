/// The unit of a value.
package enum Unit: String {
  case nanoseconds = "ns"
  case perSecond = "1/s"
  case bytes = "B"
  case count = "1"
}

/// One line of a benchmark's table.
package struct Measurement {
  package let operation: String
  /// The size of the collection.
  package let rows: Int
  package let unit: Unit
  package let samples: Int
  package let median: Double
  package let p99: Double?
  /// The CPU time of one operation, in nanoseconds.
  package let processor: Double?
  /// The simplest program that does the same, measured in the same loop; its median.
  package let baseline: (name: String, median: Double)?
  package let targets: [Target]
  package let note: String?

  package init(
    operation: String, rows: Int, unit: Unit = .nanoseconds, samples: Int, median: Double, p99: Double? = nil,
    processor: Double? = nil, baseline: (name: String, median: Double)? = nil, targets: [Target] = [],
    note: String? = nil
  ) {
    self.operation = operation
    self.rows = rows
    self.unit = unit
    self.samples = samples
    self.median = median
    self.p99 = p99
    self.processor = processor
    self.baseline = baseline
    self.targets = targets
    self.note = note
  }

  /// The factor by which it is better than the baseline: faster, or smaller.
  var ratio: Double? {
    guard let baseline else { return nil }
    return unit == .perSecond ? median / baseline.median : baseline.median / median
  }
}

extension Measurement {
  package init(
    _ operation: String, rows: Int, times: Samples, processor: Double? = nil,
    baseline: (name: String, times: Samples)? = nil, targets: [Target] = [], note: String? = nil
  ) {
    self.init(
      operation: operation, rows: rows, samples: times.count, median: times.median, p99: times.p99,
      processor: processor,
      baseline: baseline.flatMap { $0.times.isEmpty ? nil : ($0.name, $0.times.median) },
      targets: targets, note: note)
  }
}

/// A target figure.
package enum Target {
  case median(atMost: Double)
  case p99(atMost: Double)
  case processor(atMost: Double)
  case rate(atLeast: Double)
  /// Times better than the baseline.
  case ratio(atLeast: Double)

  func text(_ unit: Unit) -> String {
    switch self {
    case .median(let limit): "≤ \(quantity(limit, unit))"
    case .p99(let limit): "p99 ≤ \(quantity(limit, unit))"
    case .processor(let limit): "CPU ≤ \(quantity(limit, .nanoseconds))"
    case .rate(let limit): "≥ \(quantity(limit, unit))"
    case .ratio(let limit): "≥ \(significant(limit))×"
    }
  }

  /// Whether it is reached, or would be on a machine faster by a factor. Memory and ratios do not depend on
  /// speed.
  func isMet(by measurement: Measurement, speedup: Double = 1) -> Bool {
    let speedup = measurement.unit == .bytes ? 1 : speedup
    return switch self {
    case .median(let limit): measurement.median / speedup <= limit
    case .p99(let limit): (measurement.p99 ?? .infinity) / speedup <= limit
    case .processor(let limit): (measurement.processor ?? .infinity) / speedup <= limit
    case .rate(let limit): measurement.median * speedup >= limit
    case .ratio(let limit): (measurement.ratio ?? 0) >= limit
    }
  }

  /// The text in the table.
  func mark(_ measurement: Measurement, slowdown: Double) -> String {
    isMet(by: measurement) ? "✓" : isMet(by: measurement, speedup: slowdown) ? "~" : "✗"
  }
}

/// The growth of an operation with the collection.
struct Growth {
  let operation: String
  let from: Int
  let to: Int
  /// The ratio of the figures at the largest and the smallest size.
  let factor: Double

  /// The project's definition of flat: a thousand times the rows, at most three times the cost.
  var isFlat: Bool { factor <= 3 }

  /// The name of the growth.
  var name: String {
    isFlat
      ? "flat" : factor <= 1.5 * Double(to / from) ? "no more than in proportion" : "more than in proportion"
  }

  /// For each operation that was measured at several sizes.
  static func of(_ measurements: [Measurement]) -> [Growth] {
    var operations: [String] = []
    for measurement in measurements where !operations.contains(measurement.operation) {
      operations.append(measurement.operation)
    }
    return operations.compactMap { operation in
      let line = measurements.filter { $0.operation == operation && $0.unit == .nanoseconds }
      guard let smallest = line.min(by: { $0.rows < $1.rows }),
        let largest = line.max(by: { $0.rows < $1.rows }), smallest.rows < largest.rows,
        // A callback may come before the call of commit has returned, and the time is then below zero.
        smallest.median > 0, largest.median > 0
      else { return nil }
      return Growth(
        operation: operation, from: smallest.rows, to: largest.rows,
        factor: largest.median / smallest.median)
    }
  }
}
