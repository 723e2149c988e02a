import Glibc

/// Nanoseconds of a clock that all processes share.
func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Measured times of one operation.
struct Samples {
  private var nanoseconds: [Int64] = []

  mutating func append(_ value: Int64) {
    nanoseconds.append(value)
  }

  /// The value that a share of the samples does not exceed, in microseconds.
  private func quantile(_ share: Double) -> Double {
    let sorted = nanoseconds.sorted()
    guard !sorted.isEmpty else { return .nan }
    return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1000
  }

  var median: Double { quantile(0.5) }
  var p99: Double { quantile(0.99) }
}

/// Formats a number of microseconds.
func text(microseconds: Double) -> String {
  let tenths = Int64((microseconds * 10).rounded())
  return "\(tenths / 10).\(abs(tenths % 10))"
}

/// Prints lines of columns, the first one left-aligned.
struct TextTable {
  private var lines: [[String]]

  init(_ heading: [String]) {
    lines = [heading]
  }

  mutating func append(_ line: [String]) {
    lines.append(line)
  }

  func print() {
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    for line in lines {
      let cells = zip(line, widths).enumerated().map { index, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + padding : padding + cell.0
      }
      Swift.print(cells.joined(separator: "  "))
    }
  }
}
