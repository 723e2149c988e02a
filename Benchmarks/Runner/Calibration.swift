import Glibc

/// The speed of this machine, measured by SQLite alone: the target times of LiveStore are those of another
/// one.
struct Calibration {
  /// The rows a second that SQLite in C inserts in one transaction, into a table with an index.
  let bulkRate: Double
  /// The transactions of one row a second that SQLite in C makes.
  let transactionRate: Double

  /// The same on the machine of the targets.
  static let reference = Calibration(bulkRate: 1_100_000, transactionRate: 55_000)

  /// The factor by which this machine is slower than that of the targets: the smaller one of the two rates'.
  var slowdown: Double {
    max(1, min(Self.reference.bulkRate / bulkRate, Self.reference.transactionRate / transactionRate))
  }

  var description: String {
    let rates = { (calibration: Calibration) in
      "\(quantity(calibration.bulkRate, .perSecond)) rows in bulk, "
        + "\(quantity(calibration.transactionRate, .perSecond)) one-row transactions"
    }
    return """
      SQLite in C in this run: \(rates(self)); on the machine of the targets: \(rates(.reference)).
      Targets: ✓ reached; ~ reached if this machine were as fast (times and rates by \(significant(slowdown))); ✗ not reached.
      """
  }

  private init(bulkRate: Double, transactionRate: Double) {
    self.bulkRate = bulkRate
    self.transactionRate = transactionRate
  }

  /// Measures for about a second.
  init() throws {
    let rows = 50_000
    let transactions = 1_000
    var bulk = Samples()
    var single = Samples()
    for _ in 0..<3 {
      let folder = try ScratchFolder("benchmark-scratch")
      let database = RawDatabase(folder.path + "/scratch.db")
      database.execute(
        """
        CREATE TABLE Record (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, text TEXT NOT NULL);
        CREATE INDEX Record_rank ON Record (rank)
        """)
      let begin = database.prepare("BEGIN IMMEDIATE")
      let commit = database.prepare("COMMIT")
      let insert = database.prepare("INSERT INTO Record (id, rank, text) VALUES (?, ?, ?)")
      let update = database.prepare("UPDATE Record SET text = ? WHERE id = ?")
      let time = nanoseconds {
        begin.run()
        for id in 1...rows {
          insert.bind(id, at: 1)
          insert.bind(.random(in: 0..<rows * 10), at: 2)
          insert.bind("Record number \(id)", at: 3)
          insert.run()
        }
        commit.run()
      }
      bulk.append(Double(rows) / Double(time) * 1e9)
      let timeOfSingle = nanoseconds {
        for number in 0..<transactions {
          begin.run()
          update.bind("Change number \(number)", at: 1)
          update.bind(.random(in: 1...rows), at: 2)
          update.run()
          commit.run()
        }
      }
      single.append(Double(transactions) / Double(timeOfSingle) * 1e9)
    }
    self.init(bulkRate: bulk.median, transactionRate: single.median)
  }
}
