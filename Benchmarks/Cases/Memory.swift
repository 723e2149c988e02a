import BenchmarkRunner
import Glibc
import LiveStore

/// The memory of a process that observes, above that before it opened the store.
enum Memory: Benchmark {
  static let name = "memory"
  static let summary = "memory of a process that observes a sorted collection, over the empty process"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 5, quick: 2)
    for rows in run.sizes {
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      var resident = Samples()
      var proportional = Samples()
      var peak = Samples()
      var fetched = Samples()
      for _ in 0..<samples {
        let observed = try measure(.memory, file)
        resident.append(observed.resident)
        proportional.append(observed.proportional)
        peak.append(observed.peak)
        fetched.append(try measure(.memoryBaseline, file).resident)
      }
      run.append(
        Measurement(
          operation: "observed", rows: rows, unit: .bytes, samples: samples, median: resident.median,
          baseline: ("all rows in an array", fetched.median),
          targets: [.median(atMost: 40_000_000)],
          note:
            "proportional set \(quantity(proportional.median, .bytes)), peak \(quantity(peak.median, .bytes))"
        ))
    }
  }

  private struct Usage {
    var resident: Int64
    var proportional: Int64
    /// The highest resident set, above the empty process.
    var peak: Int64
  }

  private static func measure(_ role: ChildRole, _ file: BenchmarkFile) throws -> Usage {
    let child = try ChildProcess(role, [file.path])
    guard let numbers = Wire.receive(3, from: child.answers) else { throw Failure("The process has ended.") }
    return Usage(resident: numbers[0], proportional: numbers[1], peak: numbers[2])
  }

  /// In the child: `--memory PATH`.
  static func observe(_ path: String) throws {
    let before = usage
    let source = NotificationSource()
    let store = try Store(
      Store.Configuration(path: path, objectTypes: [Record.self]), scheduler: .fileDescriptor(source))
    var isCalled = false
    let token = store.objects(Record.self).sorted(by: \.rank).observe { _ in isCalled = true }
    var descriptor = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while !isCalled {
      _ = poll(&descriptor, 1, -1)
      store.processNotifications()
    }
    answer(since: before)
    token.invalidate()
  }

  /// In the child: `--memory-baseline PATH`.
  static func fetch(_ path: String) throws {
    let before = usage
    let baseline = RequeryBaseline(path, query: SortedWorkload.query)
    baseline.read()
    answer(since: before)
    withExtendedLifetime(baseline) {}
  }

  private static func answer(since before: Usage) {
    let after = usage
    Wire.send(
      [
        after.resident - before.resident, after.proportional - before.proportional,
        after.peak - before.resident,
      ], to: 1)
  }

  private static var usage: Usage {
    let memory = contents(of: "/proc/self/smaps_rollup")
    return Usage(
      resident: bytes("Rss:", in: memory), proportional: bytes("Pss:", in: memory),
      peak: bytes("VmHWM:", in: contents(of: "/proc/self/status")))
  }

  /// The value of a line such as `Rss:    1234 kB`.
  private static func bytes(_ name: String, in text: String) -> Int64 {
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    let number = line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int64($0) } ?? 0
    return number * 1024
  }
}
