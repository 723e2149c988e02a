import BenchmarkRunner
import LiveStore

/// An object with a list of records.
final class Folder: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted var items: List<Record>
}

/// The elements of a list, in its order.
struct ListWorkload: Workload {
  static let name = "list"
  static var types: [Object.Type] { [Folder.self, Record.self] }
  static let query = """
    SELECT entry, rank, text FROM Folder_items JOIN Record ON id = target WHERE owner = 1 ORDER BY position, entry
    """

  private let items: List<Record>
  private var removed: Record
  private var changes = 0

  /// The one folder of the file.
  static func items(of store: Store) throws -> List<Record> {
    guard let folder = store.object(ofType: Folder.self, forPrimaryKey: 1) else {
      throw Failure("The file has no folder.")
    }
    return folder.items
  }

  /// Also creates a record that is not in the list.
  static func fill(_ file: BenchmarkFile, rows: Int) throws {
    try Record.fill(file, rows: rows + 1, types: types)
    // Positions as LiveStore writes them: “s” and an integer of four digits to the base of 62.
    let digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    let position = [238_328, 3_844, 62, 1].map { "substr('\(digits)', id / \($0) % 62 + 1, 1)" }
    RawDatabase(file.path, firesTriggers: false).execute(
      """
      INSERT INTO Folder (id) VALUES (1);
      INSERT INTO Folder_items (entry, owner, position, target)
        SELECT id, 1, 's' || \(position.joined(separator: " || ")), id FROM Record WHERE id <= \(rows);
      ANALYZE;
      PRAGMA wal_checkpoint(TRUNCATE)
      """)
  }

  static func observe(_ store: Store, _ called: @escaping () -> Void) throws -> NotificationToken {
    try items(of: store).observe { _ in called() }
  }

  init(_ store: Store, rows: Int) throws {
    items = try Self.items(of: store)
    guard let spare = store.object(ofType: Record.self, forPrimaryKey: rows + 1) else {
      throw Failure("The file has no spare record.")
    }
    removed = spare
    // The whole order is read, now rather than in the first transaction.
    _ = items.index(of: spare)
  }

  mutating func perform(_ operation: Operation) {
    changes += 1
    switch operation {
    case .modify: items.randomElement()?.text = "Change number \(changes)"
    case .insert: items.insert(removed, at: .random(in: 0...items.count))
    case .delete: removed = items.remove(at: .random(in: 0..<items.count))
    case .move:
      let from = Int.random(in: 0..<items.count - 1)
      items.move(from: from, to: .random(in: from + 1..<items.count))
    }
  }
}
