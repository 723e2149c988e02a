import CSQLite
import LibC
import LiveStore
import LiveStoreFixtures
import TestSupport

/// Keeps one ledger, until it is killed: goes on where the file says that the last process had come to, and
/// says on standard output what has been committed.
struct LedgerWriter {
  let path: String
  let id: Int
  let seed: UInt64

  /// With LiveStore; what everybody changes is changed in the same transactions.
  func run() throws {
    var configuration = Store.Configuration(path: path, objectTypes: Ledger.types)
    configuration.busyTimeout = 60_000
    let store = try Store(configuration, scheduler: .fileDescriptor(NotificationSource()))
    if store.object(ofType: Ledger.self, forPrimaryKey: id) == nil {
      try store.write { _ = try store.create(Ledger.self, value: ["id": id]) }
    }
    guard let ledger = store.object(ofType: Ledger.self, forPrimaryKey: id) else {
      fail("ledger \(id) is not there")
    }
    var model = LedgerModel(
      id: id, transactions: ledger.transactions,
      lines: ledger.lines.map { LedgerModel.Line(id: $0.id, text: $0.text) })
    announce("\(model.transactions)")
    var writer = SoakWriter(seed: seed)
    while true {
      let changes = model.next()
      try store.write {
        for change in changes { apply(change, to: ledger, in: store) }
        ledger.transactions = model.transactions
        if writer.int(0..<2) == 0 { writer.change(store) }
      }
      announce("\(model.transactions)")
    }
  }

  private func apply(_ change: LedgerModel.Change, to ledger: Ledger, in store: Store) {
    switch change {
    case .insert(let inserted, let place):
      let line = Line()
      (line.id, line.text) = (inserted.id, inserted.text)
      ledger.lines.insert(line, at: place)
    case .move(let from, let to): ledger.lines.move(from: from, to: to)
    case .remove(let place): store.delete(ledger.lines[place])
    case .edit(let place, let text): ledger.lines[place].text = text
    }
  }

  /// With SQL alone, on a connection as SQLite makes it.
  func runForeign() {
    var database: OpaquePointer?
    guard sqlite3_open(path, &database) == SQLITE_OK, let database else { fail("the file cannot be opened") }
    sqlite3_busy_timeout(database, Patience.milliseconds)
    execute("PRAGMA foreign_keys = ON; INSERT OR IGNORE INTO Ledger (id) VALUES (\(id))", database)
    let transactions = texts("SELECT transactions FROM Ledger WHERE id = \(id)", database)
    let lines = texts(
      "SELECT target FROM Ledger_lines WHERE owner = \(id) ORDER BY position, target, entry", database)
    var model = LedgerModel(
      id: id, isForeign: true, transactions: Int(transactions.first ?? "") ?? 0,
      // Their texts make no difference to the next step.
      lines: lines.map { LedgerModel.Line(id: $0, text: "") })
    announce("\(model.transactions)")
    var writer = SoakWriter(seed: seed)
    while true {
      let lines = model.lines
      var sql = "BEGIN IMMEDIATE;"
      var places = lines.map(\.id)
      for change in model.next() {
        switch change {
        case .insert(let line, _):
          places.append(line.id)
          sql += "INSERT INTO Line (id, text) VALUES ('\(line.id)', '\(line.text)');"
          sql += "INSERT INTO Ledger_lines (owner, target) VALUES (\(id), '\(line.id)');"
        case .move: fail("a foreign program moves nothing")
        case .remove(let place): sql += "DELETE FROM Line WHERE id = '\(places.remove(at: place))';"
        case .edit(let place, let text):
          sql += "UPDATE Line SET text = '\(text)' WHERE id = '\(places[place])';"
        }
      }
      sql += "UPDATE Ledger SET transactions = \(model.transactions) WHERE id = \(id); COMMIT"
      execute(sql, database)
      announce("\(model.transactions)")
      switch writer.int(0..<12) {
      case 0:
        // No process can write while it waits for readers.
        sqlite3_busy_timeout(database, 20)
        let checkpoint = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"][writer.int(0..<4)]
        sqlite3_exec(database, "PRAGMA wal_checkpoint(\(checkpoint))", nil, nil, nil)
        sqlite3_busy_timeout(database, Patience.milliseconds)
      case 1..<6: execute(writer.sql(), database)
      default: break
      }
    }
  }

  private func execute(_ sql: String, _ database: OpaquePointer) {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      fail("“\(sql)” failed: \(String(cString: sqlite3_errmsg(database)))")
    }
  }

  private func texts(_ sql: String, _ database: OpaquePointer) -> [String] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      fail("“\(sql)” failed: \(String(cString: sqlite3_errmsg(database)))")
    }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}
