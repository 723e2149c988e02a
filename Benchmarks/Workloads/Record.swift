import BenchmarkRunner
import LiveStore

/// A row of the benchmarks: sorted by `rank`, which is indexed.
final class Record: Object {
  @Persisted(primaryKey: true) var id: Int = 0
  @Persisted(indexed: true) var rank: Int = 0
  @Persisted var category: Int = 0
  @Persisted var text: String = ""

  static let categories = 20

  convenience init(id: Int, rank: Int) {
    self.init()
    self.id = id
    self.rank = rank
    category = Self.category(of: id)
    text = "Record number \(id)"
  }

  /// The initial category of a record.
  static func category(of id: Int) -> Int { id % categories }

  /// Fills a file without the writes of LiveStore, which are measured elsewhere.
  static func fill(
    _ file: BenchmarkFile, rows: Int, table: String = "Record", types: [Object.Type] = [Record.self]
  )
    throws
  {
    try file.store(types).close()
    fill(RawDatabase(file.path, firesTriggers: false), rows: rows, table: table)
  }

  static func fill(_ database: RawDatabase, rows: Int, table: String = "Record") {
    // A program may analyze the file when the change log has hardly a row, and SQLite then takes it for a
    // small table.
    database.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO \(table) (id, rank, category, text)
        SELECT i, i * 10, i % \(categories), 'Record number ' || i FROM n;
      ANALYZE;
      PRAGMA wal_checkpoint(TRUNCATE)
      """)
  }
}
