import LiveStore

/// All records, sorted by an indexed property.
struct SortedWorkload: Workload {
  static let name = "sorted"
  static var types: [Object.Type] { [Record.self] }
  static let query = "SELECT id, rank, text FROM Record ORDER BY rank, id"

  private let store: Store
  private let rows: Int
  private var changes = 0

  static func fill(_ file: BenchmarkFile, rows: Int) throws {
    try Record.fill(file, rows: rows)
  }

  static func observe(_ store: Store, _ called: @escaping () -> Void) throws -> NotificationToken {
    store.objects(Record.self).sorted(by: \.rank).observe { _ in called() }
  }

  init(_ store: Store, rows: Int) throws {
    self.store = store
    self.rows = rows
  }

  mutating func perform(_ operation: Operation) {
    changes += 1
    let any = store.object(ofType: Record.self, forPrimaryKey: Int.random(in: 1...rows))
    switch operation {
    case .modify: any?.text = "Change number \(changes)"
    case .insert: store.add(Record(id: rows + 1, rank: .random(in: 0..<rows * 10)))
    case .delete:
      if let added = store.object(ofType: Record.self, forPrimaryKey: rows + 1) { store.delete(added) }
    case .move: any?.moveAnywhere(rows: rows)
    }
  }
}
