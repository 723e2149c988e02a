import BenchmarkRunner
import Glibc
import LiveStore

/// A move of one element of a list.
enum ListMove: Benchmark {
  static let name = "list-move"
  static let summary =
    "a move in a list, committed, and the rows that it writes; against numbering the rows in C"

  static func run(_ run: Run) throws {
    let samples = run.samples(full: 300, quick: 100)
    for rows in run.sizes {
      let file = try BenchmarkFile()
      try ListWorkload.fill(file, rows: rows)
      let observer = try Observer(file, ListWorkload.types)
      let items = try ListWorkload.items(of: observer.store)
      let numbered = try NumberedList(rows: rows)
      let numberedSamples = run.baselineSamples(rows: rows)

      var times = Samples()
      var numberedTimes = Samples()
      var numberedRows = Samples()
      func move(_ from: Int) throws {
        let to = (from + .random(in: 1..<rows)) % rows
        try observer.store.write { items.move(from: from, to: to) }
      }
      for round in -10..<samples {
        let from = Int.random(in: 0..<rows)
        let time = try nanoseconds { try move(from) }
        if round >= 0 { times.append(time) }
        if round >= 0, round.isOne(of: numberedSamples, among: samples) {
          let to = (from + .random(in: 1..<rows)) % rows
          numberedTimes.append(nanoseconds { numberedRows.append(Int64(numbered.move(from: from, to: to))) })
        }
        usleep(100)
        observer.settle(milliseconds: 0)
      }

      // Different elements, so that each move changes a row that no other one has changed.
      let moved = 20
      let others = RawDatabase(file.path, firesTriggers: false)
      others.execute(
        """
        CREATE TEMP TABLE before (entry INTEGER PRIMARY KEY, owner, position, target);
        INSERT INTO before SELECT entry, owner, position, target FROM Folder_items
        """)
      for id in (1...rows).shuffled().prefix(moved) {
        let record = observer.store.object(ofType: Record.self, forPrimaryKey: id)
        if let from = record.flatMap({ items.index(of: $0) }) { try move(from) }
      }
      let written =
        others.integer(
          """
          SELECT count(*) FROM Folder_items AS i LEFT JOIN before AS b USING (entry)
          WHERE i.owner IS NOT b.owner OR i.position IS NOT b.position OR i.target IS NOT b.target
          """)
        + others.integer(
          "SELECT count(*) FROM before AS b LEFT JOIN Folder_items AS i USING (entry) WHERE i.owner IS NULL")
      observer.close()
      run.append(
        Measurement("move", rows: rows, times: times, baseline: ("numbered rows in C", numberedTimes)))
      run.append(
        Measurement(
          operation: "rows written", rows: rows, unit: .count, samples: moved,
          median: Double(written) / Double(moved), baseline: ("numbered rows in C", numberedRows.median),
          targets: [.median(atMost: 1)]))
    }
  }

  /// A list whose rows store their numbers: a move renumbers those in between.
  private struct NumberedList {
    private let file: BenchmarkFile
    private let database: RawDatabase
    private let find: RawStatement
    private let shift: RawStatement
    private let place: RawStatement

    init(rows: Int) throws {
      file = try BenchmarkFile()
      database = RawDatabase(file.path)
      database.execute(
        """
        CREATE TABLE items (id INTEGER PRIMARY KEY, place INTEGER NOT NULL);
        CREATE INDEX items_place ON items (place);
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows - 1))
        INSERT INTO items SELECT i, i FROM n
        """)
      find = database.prepare("SELECT id FROM items WHERE place = ?")
      shift = database.prepare("UPDATE items SET place = place + ? WHERE place BETWEEN ? AND ?")
      place = database.prepare("UPDATE items SET place = ? WHERE id = ?")
    }

    /// - Returns: The number of rows written.
    func move(from: Int, to: Int) -> Int {
      database.execute("BEGIN IMMEDIATE")
      find.bind(from, at: 1)
      _ = find.step()
      let id = find.integer(0)
      find.reset()
      shift.bind(from < to ? -1 : 1, at: 1)
      shift.bind(from < to ? from + 1 : to, at: 2)
      shift.bind(from < to ? to : from - 1, at: 3)
      shift.run()
      let shifted = database.changes
      place.bind(to, at: 1)
      place.bind(id, at: 2)
      place.run()
      database.execute("COMMIT")
      return shifted + 1
    }
  }
}
