import FoundationEssentials
import LiveStore

/// The three quarters of the records that match a predicate, sorted. Rows are inserted and deleted because
/// they begin or cease to match.
struct FilteredWorkload: Workload {
  static let name = "filtered"
  static var types: [Object.Type] { [Record.self] }
  static let query = "SELECT id, rank, text FROM Record WHERE category < 15 ORDER BY rank, id"

  private let store: Store
  private let rows: Int
  private var left: Record?
  private var changes = 0

  /// Creates a third more rows than match.
  static func fill(_ file: BenchmarkFile, rows: Int) throws {
    try Record.fill(file, rows: total(rows))
  }

  private static func total(_ rows: Int) -> Int { rows / 3 * 4 }

  static func observe(_ store: Store, _ called: @escaping () -> Void) throws -> NotificationToken {
    try store.objects(Record.self).filter(#Predicate { $0.category < 15 }).sorted(by: \.rank)
      .observe { _ in called() }
  }

  init(_ store: Store, rows: Int) throws {
    self.store = store
    self.rows = Self.total(rows)
  }

  mutating func perform(_ operation: Operation) {
    changes += 1
    switch operation {
    case .modify: anyMatching?.text = "Change number \(changes)"
    case .insert:
      // One that does not match begins to.
      let id = Int.random(in: 0..<rows / Record.categories) * Record.categories + 15
      left = store.object(ofType: Record.self, forPrimaryKey: id)
      left?.category = 0
    case .delete: left?.category = 15
    case .move: anyMatching?.moveAnywhere(rows: rows)
    }
  }

  private var anyMatching: Record? {
    let id = Int.random(in: 0..<rows / Record.categories) * Record.categories + Int.random(in: 1..<15)
    return store.object(ofType: Record.self, forPrimaryKey: id)
  }
}
