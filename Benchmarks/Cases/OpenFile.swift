import BenchmarkRunner
import LiveStore

/// Opening a file until the first rows can be shown.
enum OpenFile: Benchmark {
  static let name = "open"
  static let summary =
    "opening a file: until the first 50 rows are read, and until the whole order is known (first callback)"

  static func run(_ run: Run) throws {
    for rows in run.sizes {
      let samples = run.samples(full: rows >= 1_000_000 ? 10 : 50, quick: 10)
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      var first = Samples()
      var whole = Samples()
      var rawFirst = Samples()
      var rawWhole = Samples()
      for round in -2..<samples {
        let start = monotonicNanoseconds()
        let observer = try Observer(file, [Record.self])
        let records = observer.store.objects(Record.self).sorted(by: \.rank)
        let length = (0..<50).reduce(0) { $0 + records[$1].text.utf8.count }
        let shown = monotonicNanoseconds()
        observer.observe { _, called in records.observe { _ in called() } }
        observer.wait(forCall: 1)
        let known = observer.firstCall
        observer.close()

        let rawStart = monotonicNanoseconds()
        let raw = RawDatabase(file.path)
        let page = raw.prepare("SELECT id, rank, text FROM Record ORDER BY rank, id LIMIT 50")
        var rawLength = 0
        while page.step() { rawLength += page.text(2).utf8.count }
        let rawShown = monotonicNanoseconds()
        let keys = raw.prepare("SELECT rank, id FROM Record ORDER BY rank, id")
        var sum = 0
        while keys.step() { sum &+= keys.integer(0) &+ keys.integer(1) }
        let rawKnown = monotonicNanoseconds()
        guard length == rawLength, sum != 0 else { throw Failure("The rows are not the same.") }
        guard round >= 0 else { continue }
        first.append(shown - start)
        whole.append(known - shown)
        rawFirst.append(rawShown - rawStart)
        rawWhole.append(rawKnown - rawShown)
      }
      run.append(
        Measurement(
          "first 50 rows", rows: rows, times: first, baseline: ("SQLite in C: open, LIMIT 50", rawFirst),
          targets: [.median(atMost: 5_000_000)]))
      run.append(
        Measurement(
          "whole order", rows: rows, times: whole, baseline: ("SQLite in C: keys in order", rawWhole),
          targets: [.median(atMost: 160_000_000)]))
    }
  }
}
