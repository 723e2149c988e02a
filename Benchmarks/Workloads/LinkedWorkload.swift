import BenchmarkRunner
import FoundationEssentials
import LiveStore

/// The target of a ``LinkedRecord``, which decides whether the record is shown.
final class LinkedState: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var isShown: Bool = false
}

/// A row that is filtered by a property of another.
final class LinkedRecord: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted(indexed: true) var rank: Int = 0
  @Persisted var text: String = ""
  @Persisted var state: LinkedState?
}

/// The records that lead to an object with some value, sorted. Rows are inserted and deleted without being
/// written: the objects that they lead to change.
struct LinkedWorkload: Workload {
  static let name = "linked"
  static var types: [Object.Type] { [LinkedRecord.self, LinkedState.self] }
  static let query = """
    SELECT r.id, rank, text FROM LinkedRecord AS r JOIN LinkedState AS s ON s.id = r.state WHERE isShown
    ORDER BY rank, r.id
    """

  private let store: Store
  private let rows: Int
  private var hidden: LinkedState?
  private var changes = 0

  /// Creates a third more rows than match.
  static func fill(_ file: BenchmarkFile, rows: Int) throws {
    try file.store(types).close()
    let total = rows / 3 * 4
    RawDatabase(file.path, firesTriggers: false).execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(total))
      INSERT INTO LinkedState (id, isShown) SELECT i, i % 4 > 0 FROM n;
      INSERT INTO LinkedRecord (id, rank, text, state)
        SELECT id, id * 10, 'Record number ' || id, id FROM LinkedState;
      ANALYZE;
      PRAGMA wal_checkpoint(TRUNCATE)
      """)
  }

  static func observe(_ store: Store, _ called: @escaping () -> Void) throws -> NotificationToken {
    try store.objects(LinkedRecord.self).filter(#Predicate { $0.state?.isShown == true })
      .sorted(by: \.rank).observe { _ in called() }
  }

  init(_ store: Store, rows: Int) throws {
    self.store = store
    self.rows = rows / 3 * 4
  }

  mutating func perform(_ operation: Operation) {
    changes += 1
    switch operation {
    case .modify: anyShown?.text = "Change number \(changes)"
    case .insert:
      hidden = store.object(ofType: LinkedState.self, forPrimaryKey: Int.random(in: 1...rows / 4) * 4)
      hidden?.isShown = true
    case .delete: hidden?.isShown = false
    case .move:
      guard let record = anyShown else { return }
      // The parity changes every time, so that it is another rank.
      record.rank = Int.random(in: 0..<rows * 5) * 2 + 1 - record.rank % 2
    }
  }

  private var anyShown: LinkedRecord? {
    let id = Int.random(in: 0..<rows / 4) * 4 + Int.random(in: 1..<4)
    return store.object(ofType: LinkedRecord.self, forPrimaryKey: id)
  }
}
