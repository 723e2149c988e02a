import BenchmarkRunner
import LiveStore

/// A change of one row by another process, against the least that an observer in C does for it.
enum OneChange: Benchmark {
  static let name = "one-change"
  static let summary =
    "one row modified by another process: call of commit → callback, and CPU time of the observer, against "
    + "the least that an observer in C does: wakes, looks, opens the snapshot, reads the log and the row "
    + "twice"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 2_000, quick: 300)
    for rows in run.sizes(full: [1_000, 100_000, 1_000_000], quick: [20_000]) {
      // Each has its own file and writer: two observers of one file would wait for each other.
      let file = try BenchmarkFile()
      try SortedWorkload.fill(file, rows: rows)
      let observer = try Observer(file, SortedWorkload.self)
      let writer = try ChildProcess(writing: SortedWorkload.self, file, rows: rows)
      let floorFile = try BenchmarkFile()
      try SortedWorkload.fill(floorFile, rows: rows)
      let floorWriter = try ChildProcess(writing: SortedWorkload.self, floorFile, rows: rows)
      _ = floorWriter.perform(.one(.modify))
      let floor = ObserverFloor(floorFile.path)

      var times = Samples()
      var processor = Samples()
      var floorTimes = Samples()
      var floorProcessor = Samples()
      for round in -20..<samples {
        let calls = observer.calls
        let used = processNanoseconds()
        writer.request(.one(.modify))
        observer.wait(forCall: calls + 1)
        // The worker may still have something to do.
        let answer = writer.answer()
        observer.settle(milliseconds: 1)
        let spent = processNanoseconds() - used

        let floorUsed = processNanoseconds()
        floorWriter.request(.one(.modify))
        floor.waitForChange()
        let floorAnswer = floorWriter.answer()
        let floorSpent = processNanoseconds() - floorUsed
        guard round >= 0 else { continue }
        // From the call: an observer in C may have read the row before the call returns.
        times.append(observer.lastCall - answer.commitCalled)
        processor.append(spent)
        floorTimes.append(floor.lastChange - floorAnswer.commitCalled)
        floorProcessor.append(floorSpent)
      }
      observer.close()
      for (what, ours, floor) in [
        ("call of commit → callback", times, floorTimes),
        ("CPU time of the observer", processor, floorProcessor),
      ] {
        run.append(
          Measurement(
            what, rows: rows, times: ours, baseline: ("observer in C", floor),
            targets: [.ratio(atLeast: 1 / 1.7)]))
      }
    }
  }
}
