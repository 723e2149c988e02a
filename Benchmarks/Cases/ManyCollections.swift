import BenchmarkRunner
import FoundationEssentials
import LiveStore

/// A second class, whose rows never change.
final class Note: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted(indexed: true) var rank: Int = 0
  @Persisted var category: Int = 0
  @Persisted var text: String = ""
}

/// Many collections are observed and a change touches one of them.
enum ManyCollections: Benchmark {
  static let name = "ten-collections"
  static let summary =
    "commit in another process → callback, with 10 collections observed of which one is touched, against "
    + "one alone"

  private enum Others: String, CaseIterable {
    /// Each has to be checked for whether the record has begun to match.
    case sameClass = "9 of the same class"
    case otherClass = "9 of another class"
  }

  static func run(_ run: Run) throws {
    for rows in run.sizes(full: [1_000, 100_000, 1_000_000], quick: [1_000, 100_000]) {
      let file = try BenchmarkFile()
      try Record.fill(file, rows: rows, types: [Record.self, Note.self])
      try Record.fill(file, rows: rows, table: "Note", types: [Record.self, Note.self])
      let writer = try ChildProcess(writing: SortedWorkload.self, file, rows: rows)
      for others in Others.allCases {
        var alone = Samples()
        var together = Samples()
        var processor = Samples()
        // Alternately, and not at once: two stores of one process would have to wait for each other.
        for _ in 0..<4 {
          let samples = run.samples(full: 1_000, quick: 200) / 4
          var unused = Samples()
          try measure(file, others, 0, writer, samples, &alone, &unused)
          try measure(file, others, 9, writer, samples, &together, &processor)
        }
        run.append(
          Measurement(
            others.rawValue, rows: rows, times: together, processor: processor.median,
            baseline: ("one collection observed", alone), targets: [.ratio(atLeast: 0.85)]))
      }
    }
  }

  private static func measure(
    _ file: BenchmarkFile, _ others: Others, _ count: Int, _ writer: any Writer, _ samples: Int,
    _ times: inout Samples,
    _ processor: inout Samples
  ) throws {
    let observer = try Observer(file, [Record.self, Note.self])
    let store = observer.store
    observer.observe { store, called in
      store.objects(Record.self).sorted(by: \.rank).observe { _ in called() }
    }
    var silent: [NotificationToken] = []
    for number in 0..<count {
      switch others {
      case .sameClass:
        // No record ever has such a rank.
        let limit = -1 - number
        silent.append(try store.objects(Record.self).filter(#Predicate { $0.rank < limit }).observe { _ in })
      case .otherClass:
        silent.append(
          try store.objects(Note.self).filter(#Predicate { $0.category == number }).observe { _ in })
      }
    }
    observer.wait(forCall: 1)
    observer.settle(milliseconds: 20)
    for round in -10..<samples {
      let calls = observer.calls
      let used = processNanoseconds()
      writer.request(.one(.modify))
      observer.wait(forCall: calls + 1)
      let answer = writer.answer()
      guard round >= 0 else { continue }
      times.append(observer.lastCall - answer.commitReturned)
      processor.append(processNanoseconds() - used)
    }
    for token in silent { token.invalidate() }
    observer.close()
  }
}
