import BenchmarkRunner

/// The table of ``Record`` as a program without LiveStore would use it.
final class RawRecords {
  /// The part of a transaction that is logged.
  enum Logging {
    /// Nothing: the file has no change log.
    case none
    /// Each row, by the triggers of LiveStore's file.
    case triggers
    /// A row of LiveStore's change log for each transaction, which the program itself writes.
    case transaction
  }

  let database: RawDatabase
  private let log: RawStatement?
  private let begin: RawStatement
  private let commit: RawStatement
  private let updateText: RawStatement
  private let updateRank: RawStatement
  private let insert: RawStatement
  private let delete: RawStatement

  /// - Parameter logging: With any, the file must be one of LiveStore's.
  init(_ path: String, logging: Logging = .none) {
    database = RawDatabase(path, firesTriggers: logging == .triggers)
    if logging == .none {
      database.execute(
        """
        CREATE TABLE Record (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, category INTEGER NOT NULL,
          text TEXT NOT NULL);
        CREATE INDEX Record_rank ON Record (rank)
        """)
    }
    log =
      logging == .transaction
      ? database.prepare("INSERT INTO _livestore_log (origin, entries, mark) VALUES (?, ?, ?)") : nil
    begin = database.prepare("BEGIN IMMEDIATE")
    commit = database.prepare("COMMIT")
    updateText = database.prepare("UPDATE Record SET text = ?2 WHERE id = ?1")
    updateRank = database.prepare("UPDATE Record SET rank = ?2 WHERE id = ?1")
    insert = database.prepare("INSERT INTO Record (id, rank, category, text) VALUES (?, ?, ?, ?)")
    delete = database.prepare("DELETE FROM Record WHERE id = ?")
  }

  func transaction(_ body: () -> Void) {
    begin.run()
    body()
    if let log {
      log.bind(1, at: 1)
      log.bind(Self.packedRow, at: 2)
      transactions += 1
      log.bind(transactions, at: 3)
      log.run()
    }
    commit.run()
  }

  private var transactions = 0
  /// As many bytes as LiveStore packs for a transaction that has touched one row.
  private static let packedRow = Array("Record: one row.".utf8)

  func setText(_ text: String, of id: Int) {
    updateText.bind(id, at: 1)
    updateText.bind(text, at: 2)
    updateText.run()
  }

  func setRank(_ rank: Int, of id: Int) {
    updateRank.bind(id, at: 1)
    updateRank.bind(rank, at: 2)
    updateRank.run()
  }

  func add(id: Int, rank: Int, text: String) {
    insert.bind(id, at: 1)
    insert.bind(rank, at: 2)
    insert.bind(Record.category(of: id), at: 3)
    insert.bind(text, at: 4)
    insert.run()
  }

  func remove(_ id: Int) {
    delete.bind(id, at: 1)
    delete.run()
  }
}
