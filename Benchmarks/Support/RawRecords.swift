import BenchmarkRunner

/// The table of ``Record`` as a program without LiveStore would create it: without a change log.
final class RawRecords {
  let database: RawDatabase
  private let begin: RawStatement
  private let commit: RawStatement
  private let updateText: RawStatement
  private let updateRank: RawStatement
  private let insert: RawStatement
  private let delete: RawStatement

  /// - Parameter hasTable: Whether the file is one of LiveStore's, whose triggers then log each row.
  init(_ path: String, hasTable: Bool = false) {
    database = RawDatabase(path)
    if !hasTable {
      database.execute(
        """
        CREATE TABLE Record (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, category INTEGER NOT NULL,
          text TEXT NOT NULL);
        CREATE INDEX Record_rank ON Record (rank)
        """)
    }
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
    commit.run()
  }

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
