import BenchmarkRunner
import Foundation
import LiveStore

/// Changes of half of the objects by one call each.
enum Batches: Benchmark {
  static let name = "batches"
  static let summary =
    "half of the objects deleted, and changed, in one transaction; against the same statement in C"

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [10_000, 100_000], quick: [10_000]) {
      let samples = run.samples(full: 10, quick: 4)
      func measure(
        _ name: String, _ sql: String, _ change: (Results<Record>) -> Int, isObserved: Bool = false
      ) throws {
        var (times, rawTimes) = (Samples(), Samples())
        for round in -1..<samples {
          let (file, rawFile) = (try BenchmarkFile(), try BenchmarkFile())
          for file in [file, rawFile] { try Record.fill(file, rows: rows) }
          let source = NotificationSource()
          let store = try file.store([Record.self], source: source)
          let half = rows / 2
          let lower = try store.objects(Record.self).filter(#Predicate { $0.id <= half })
          let token = isObserved ? store.objects(Record.self).observe { _ in } : nil
          if isObserved { try store.refresh() }
          let database = RawDatabase(rawFile.path, firesTriggers: false)
          var changed = 0
          let time = try nanoseconds { changed = try store.write { change(lower) } }
          let rawTime = nanoseconds { database.execute("BEGIN IMMEDIATE; \(sql); COMMIT") }
          guard changed == rows / 2 else { throw Failure("\(name): \(changed) of \(rows / 2).") }
          token?.invalidate()
          guard round >= 0 else { continue }
          times.append(time)
          rawTimes.append(rawTime)
        }
        run.append(
          Measurement("\(name), committed", rows: rows, times: times, baseline: ("SQLite in C", rawTimes)))
      }
      let delete = "DELETE FROM Record WHERE id <= \(rows / 2)"
      try measure("half deleted", delete, { $0.deleteAll() })
      try measure("half deleted, all observed", delete, { $0.deleteAll() }, isObserved: true)
      try measure(
        "a text of half assigned",
        "UPDATE Record SET text = 'same' WHERE id <= \(rows / 2) AND text IS NOT 'same'",
        { $0.update(.set(\.text, to: "same")) })
    }
  }
}
