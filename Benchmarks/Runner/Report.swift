import Glibc

/// Runs benchmarks, prints what they measure and keeps it in files.
final class Report {
  private let options: Options
  private let machine: Machine
  private let calibration: Calibration
  private let start = monotonicNanoseconds()
  private var results: [(benchmark: String, line: String)] = []

  init(options: Options, machine: Machine) throws {
    self.options = options
    self.machine = machine
    calibration = try Calibration()
    print(machine.description)
    print(
      "Load \(significant(machine.load)) before the run. Times are medians; p99 of fewer than 100 samples "
        + "is their maximum."
    )
    print(
      "“Times better” compares with the baseline, the simplest thing that does the same, measured in the "
        + "same loop."
    )
    print(calibration.description)
  }

  func measure(_ benchmark: any Benchmark.Type) throws {
    print("\n\(benchmark.name): \(benchmark.summary)\n")
    // A reader through a pipe sees what is being measured.
    fflush(nil)
    let run = Run(options: options)
    try benchmark.run(run)
    let measurements = run.measurements
    let growths = Growth.of(measurements)
    var figures = table(measurements)
    for growth in growths {
      figures +=
        "\n  \(growth.operation): \(significant(growth.factor)) times the cost for "
        + "\(grouped(growth.to / growth.from)) times the rows: \(growth.name)"
    }
    print(figures)
    results += measurements.map { (benchmark.name, json($0, benchmark.name)) }
    results += growths.map { (benchmark.name, json($0, benchmark.name)) }
    if let folder = options.folder {
      try save(to: folder)
      try write(
        "\(benchmark.name): \(benchmark.summary)\n\n\(machine.description), \(machine.day)\n"
          + "\(calibration.description)\n\n\(figures)\n",
        to: "\(folder)/\(benchmark.name).txt")
      if let chart = LineChart(title: benchmark.summary, measurements) {
        try write(chart.svg, to: "\(folder)/\(benchmark.name).svg")
      }
    }
  }

  func finish() {
    print("\nTook \(quantity(Double(monotonicNanoseconds() - start), .nanoseconds)).")
  }

  /// Writes the results, and keeps those of other benchmarks from earlier runs.
  private func save(to folder: String) throws {
    let path = "\(folder)/results.jsonl"
    let measured = Set(results.map { "\"benchmark\":\($0.benchmark.json)," })
    let kept = contents(of: path).split(separator: "\n").filter { line in
      !measured.contains { line.contains($0) }
    }
    try write((kept.map(String.init) + results.map(\.line)).joined(separator: "\n") + "\n", to: path)
  }

  private func table(_ measurements: [Measurement]) -> String {
    let baselines = Set(measurements.compactMap(\.baseline?.name))
    var table = TextTable(
      columns: 11, alignedLeft: [0, 7, 9, 10],
      heading: [
        "what", "rows", "samples", "median", "p99", "CPU", "baseline", "", "times better", "target", "",
      ])
    for measurement in measurements {
      let unit = measurement.unit
      table.append([
        measurement.operation, grouped(measurement.rows), grouped(measurement.samples),
        quantity(measurement.median, unit), measurement.p99.map { quantity($0, unit) } ?? "",
        measurement.processor.map { quantity($0, .nanoseconds) } ?? "",
        measurement.baseline.map { quantity($0.median, unit) } ?? "",
        baselines.count > 1 ? measurement.baseline?.name ?? "" : "",
        measurement.ratio.map { significant($0) } ?? "",
        measurement.targets
          .map { "\($0.mark(measurement, slowdown: calibration.slowdown)) \($0.text(unit))" }
          .joined(separator: ", "),
        measurement.note ?? "",
      ])
    }
    let heading = baselines.count == 1 ? baselines.map { "baseline: \($0)\n\n" }.joined() : ""
    return heading + table.text
  }

  private func json(_ measurement: Measurement, _ benchmark: String) -> String {
    var fields: [(String, String)] = [
      ("benchmark", benchmark.json), ("operation", measurement.operation.json),
      ("rows", "\(measurement.rows)"),
      ("unit", measurement.unit.rawValue.json), ("samples", "\(measurement.samples)"),
      ("median", measurement.median.json),
    ]
    if let p99 = measurement.p99 { fields.append(("p99", p99.json)) }
    if let processor = measurement.processor { fields.append(("cpu_ns", processor.json)) }
    if let baseline = measurement.baseline {
      fields.append(("baseline", baseline.name.json))
      fields.append(("baseline_median", baseline.median.json))
    }
    if let ratio = measurement.ratio { fields.append(("times_better", ratio.json)) }
    if !measurement.targets.isEmpty {
      let texts = measurement.targets.map { $0.text(measurement.unit).json }
      fields.append(("targets", "[\(texts.joined(separator: ","))]"))
      fields.append(("met", "\(measurement.targets.allSatisfy { $0.isMet(by: measurement) })"))
      let areMetScaled = measurement.targets.allSatisfy {
        $0.isMet(by: measurement, speedup: calibration.slowdown)
      }
      fields.append(("met_scaled", "\(areMetScaled)"))
    }
    if let note = measurement.note { fields.append(("note", note.json)) }
    return object(fields)
  }

  private func json(_ growth: Growth, _ benchmark: String) -> String {
    object([
      ("benchmark", benchmark.json), ("operation", growth.operation.json), ("from", "\(growth.from)"),
      ("to", "\(growth.to)"), ("factor", growth.factor.json), ("flat", "\(growth.isFlat)"),
    ])
  }

  private func object(_ fields: [(String, String)]) -> String {
    let all =
      fields + [
        ("quick", "\(options.isQuick)"), ("time", "\(machine.time)"), ("load", machine.load.json),
        ("machine", machine.description.json),
        ("sqlite_bulk_rate", calibration.bulkRate.json),
        ("sqlite_transaction_rate", calibration.transactionRate.json),
      ]
    return "{" + all.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private func write(_ text: String, to path: String) throws {
    makeFolders(of: path)
    guard let file = fopen(path, "w") else {
      throw Failure("“\(path)” cannot be written: \(String(cString: strerror(errno)))")
    }
    fputs(text, file)
    fclose(file)
  }

  private func makeFolders(of path: String) {
    var folder = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/").dropLast() {
      folder += part + "/"
      mkdir(folder, 0o777)
    }
  }
}

extension String {
  fileprivate var json: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension Double {
  fileprivate var json: String { isFinite ? "\((self * 1000).rounded() / 1000)" : "null" }
}
