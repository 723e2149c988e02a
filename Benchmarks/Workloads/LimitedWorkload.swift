import LiveStore

/// The first three quarters of the records, sorted. An inserted row pushes the last one out, a deleted one
/// pulls it in.
struct LimitedWorkload: Workload {
  static let name = "limited"
  static var types: [Object.Type] { [Record.self] }
  static let query =
    "SELECT id, rank, text FROM Record ORDER BY rank, id LIMIT (SELECT max(id) FROM Record) / 4 * 3"

  private let store: Store
  private let rows: Int
  private var changes = 0

  static func fill(_ file: BenchmarkFile, rows: Int) throws {
    try Record.fill(file, rows: rows / 3 * 4)
  }

  static func observe(_ store: Store, _ called: @escaping () -> Void) throws -> NotificationToken {
    let records = store.objects(Record.self).sorted(by: \.rank)
    return records.limit(records.count / 4 * 3).observe { _ in called() }
  }

  init(_ store: Store, rows: Int) throws {
    self.store = store
    self.rows = rows / 3 * 3
  }

  mutating func perform(_ operation: Operation) {
    changes += 1
    // Ranks stay below those of the records beyond the limit.
    let any = record(.random(in: 1...rows))
    switch operation {
    case .modify: any?.text = "Change number \(changes)"
    case .insert: store.add(Record(id: newRecord, rank: .random(in: 0..<rows * 10)))
    case .delete: if let added = record(newRecord) { store.delete(added) }
    case .move: any?.moveAnywhere(rows: rows)
    }
  }

  private var newRecord: Int { rows / 3 * 4 + 1 }

  private func record(_ id: Int) -> Record? {
    store.object(ofType: Record.self, forPrimaryKey: id)
  }
}
