import BenchmarkRunner
import Glibc
import LiveStore
import LiveStoreSync

/// One change, from the commit in one machine's file to the callback for the other's, with an agent on each.
enum FileLatency: Benchmark {
  static let name = "file-latency"
  static let summary =
    "a task completed on one machine until the callback on another; against COMMIT, NOTIFY and a read in C"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 1_000, quick: 100)
    for rows in run.sizes(full: [1_000, 100_000], quick: [10_000]) {
      let server = try BenchmarkServer()
      let url = try ServerURL(server.address)
      let (writer, reader) = (try BenchmarkMachine(), try BenchmarkMachine())
      defer { for machine in [writer, reader] { machine.close() } }
      try writer.add(0..<rows)
      for machine in [writer, reader] {
        _ = try machine.synced.join(url, space: "Home", classes: BenchmarkMachine.classes)
        try machine.startAgent()
      }
      var lastCall: Int64 = 0
      let tasks = reader.store.objects(SyncedTask.self)
      let token = tasks.observe { _ in lastCall = monotonicNanoseconds() }
      defer { token.invalidate() }
      reader.wait { lastCall > 0 && tasks.count == rows }
      let floor = try LatencyFloor(address: server.address)
      var (arrivals, floors) = (Samples(), Samples())
      let own = writer.store.objects(SyncedTask.self)
      for round in -50..<samples {
        let task = own[Int.random(in: 0..<rows)]
        try writer.store.write { task.completed.toggle() }
        let committed = monotonicNanoseconds()
        lastCall = 0
        reader.wait { lastCall > 0 }
        let least = floor.measure(round)
        guard round >= 0 else { continue }
        arrivals.append(lastCall - committed)
        floors.append(least)
      }
      run.append(
        Measurement(
          "commit until the callback elsewhere", rows: rows, times: arrivals, baseline: ("in C", floors),
          targets: [.ratio(atLeast: 0.4), .p99(atMost: 15e6)]))
    }
  }
}
