import BenchmarkRunner
import Glibc
import LiveStore
import LiveStoreSync

/// Writes of a program to a file that is joined, against one that is not.
enum JoinedWrites: Benchmark {
  static let name = "joined-writes"
  static let summary =
    "commits of one change, and of 1,000 new tasks, in a file that is joined; against one that is not"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [10_000], quick: [1_000]) {
      let server = try BenchmarkServer()
      let (plain, joined) = (try BenchmarkMachine(), try BenchmarkMachine())
      defer { for machine in [plain, joined] { machine.close() } }
      for machine in [plain, joined] { try machine.add(0..<rows) }
      _ = try joined.synced.join(
        ServerURL(server.address), space: "Home", classes: BenchmarkMachine.classes)
      var (changes, baseline) = (Samples(), Samples())
      var (additions, plainAdditions) = (Samples(), Samples())
      for round in 0..<run.samples(full: 3_000, quick: 300) {
        for machine in round % 2 == 0 ? [plain, joined] : [joined, plain] {
          let task = machine.store.objects(SyncedTask.self)[round * 7 % rows]
          let time = try nanoseconds(of: { try machine.store.write { task.notes = "\(round)" } })
          if machine === joined { changes.append(time) } else { baseline.append(time) }
        }
      }
      for round in 0..<run.samples(full: 30, quick: 5) {
        for machine in round % 2 == 0 ? [plain, joined] : [joined, plain] {
          let first = rows + round * 1_000
          let time = try nanoseconds(of: { try machine.add(first..<first + 1_000) })
          if machine === joined { additions.append(time) } else { plainAdditions.append(time) }
        }
      }
      run.append(
        Measurement(
          "commit of one change", rows: rows, times: changes, baseline: ("not joined", baseline),
          targets: [.ratio(atLeast: 0.85)]))
      run.append(
        Measurement(
          "1,000 new tasks", rows: rows, times: additions, baseline: ("not joined", plainAdditions),
          targets: [.ratio(atLeast: 0.85)]))
    }
  }
}
