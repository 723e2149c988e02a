import BenchmarkRunner
import LiveStore

/// The first of the records with equal ranks, sorted by rank. A quarter of the elements have one after them
/// that is not shown.
struct DistinctWorkload: Workload {
  static let name = "distinct"
  static var types: [Object.Type] { [Record.self] }
  static let query = "SELECT min(id), rank, text FROM Record GROUP BY rank ORDER BY rank"

  private let store: Store
  private let rows: Int
  private var changes = 0

  static func fill(_ file: BenchmarkFile, rows: Int) throws {
    try Record.fill(file, rows: rows + rows / 4)
    RawDatabase(file.path, firesTriggers: false).execute(
      "UPDATE Record SET rank = (id - \(rows)) * 10 WHERE id > \(rows); PRAGMA wal_checkpoint(TRUNCATE)")
  }

  static func observe(_ store: Store, _ called: @escaping () -> Void) throws -> NotificationToken {
    store.objects(Record.self).sorted(by: \.rank).distinct(by: [\Record.rank]).observe { _ in called() }
  }

  init(_ store: Store, rows: Int) throws {
    self.store = store
    self.rows = rows
  }

  mutating func perform(_ operation: Operation) {
    changes += 1
    // Ranks that are no multiple of ten are unique, so that every change is one of the elements.
    let anyPlace = Int.random(in: 0..<rows) * 10
    switch operation {
    case .modify: record(.random(in: 1..<rows))?.text = "Change number \(changes)"
    case .insert: store.add(Record(id: newRecord, rank: anyPlace + 1))
    case .delete: if let added = record(newRecord) { store.delete(added) }
    case .move: record(rows)?.rank = anyPlace + 5 + changes / 4 % 2
    }
  }

  private var newRecord: Int { rows + rows / 4 + 1 }

  private func record(_ id: Int) -> Record? {
    store.object(ofType: Record.self, forPrimaryKey: id)
  }
}
