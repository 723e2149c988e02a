import LiveStore

/// The tables that joining adds to a file.
enum SyncTables {
  static let state = "_livesync_state"
  static let types = "_livesync_type"
  static let objects = "_livesync_object"
  static let entries = "_livesync_entry"
  static let held = "_livesync_held"
  static let conflicts = "_livesync_conflict"
  static let conflictValues = "_livesync_conflict_value"
  static let authors = "_livesync_author"

  static let all = [state, types, objects, entries, held, conflicts, conflictValues, authors]

  static let creation = [
    "CREATE TABLE IF NOT EXISTS \(state) (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS \(types) (type INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, cells TEXT)",
    // Objects whose changes wait to be sent have the stamp of the earliest of these. Those that are set aside
    // have the sentence why the server refuses them, or an empty one where they only go with others.
    """
    CREATE TABLE IF NOT EXISTS \(objects) (
      type INTEGER NOT NULL, key, life INTEGER NOT NULL, isDeleted INTEGER NOT NULL, cells BLOB NOT NULL,
      waiting INTEGER, refusal TEXT, PRIMARY KEY (type, key)) WITHOUT ROWID
    """,
    "CREATE INDEX IF NOT EXISTS \(objects)_waiting ON \(objects) (waiting) WHERE waiting IS NOT NULL",
    // The object in each entry, for an entry that is gone.
    """
    CREATE TABLE IF NOT EXISTS \(entries) (list TEXT NOT NULL, entry INTEGER NOT NULL, key,
      PRIMARY KEY (list, entry)) WITHOUT ROWID
    """,
    // Values that the tables cannot hold yet, because the object to which they lead is not there.
    """
    CREATE TABLE IF NOT EXISTS \(held) (type INTEGER NOT NULL, key, name TEXT NOT NULL, value,
      PRIMARY KEY (type, key, name)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS \(conflicts) (
      number INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, type TEXT NOT NULL, key,
      author TEXT, machine TEXT, isSettled INTEGER NOT NULL DEFAULT 0)
    """,
    """
    CREATE TABLE IF NOT EXISTS \(conflictValues) (number INTEGER NOT NULL, name TEXT NOT NULL, mine, theirs,
      PRIMARY KEY (number, name)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS \(authors) (
      number INTEGER PRIMARY KEY, time INTEGER NOT NULL, type TEXT NOT NULL, key, author TEXT, machine TEXT)
    """,
  ]

  /// The number of rows of ``authors`` that are kept.
  static let authorsKept = 1000

  /// The name of the log's column with the time of each change.
  static let time = "time"

  /// Statements that make the log know the time of each change, of whichever program.
  static let addingTime = rebuildingLog(
    columns: ", \(time) INTEGER DEFAULT (\(milliseconds))", values: ", NULL")

  /// The statements that give the log the form that it has in a file that is not joined.
  static let removingTime = rebuildingLog(columns: "", values: "")

  /// A column that is added to a table cannot have a default that is calculated, so that the table is
  /// rebuilt.
  private static func rebuildingLog(columns: String, values: String) -> [String] {
    let new = "_livesync_new_log"
    return [
      // With this off, SQLite would refuse the new name because of the triggers, which lead to a table of
      // that name.
      "PRAGMA legacy_alter_table = ON",
      """
      CREATE TABLE \(new) (
        seq INTEGER PRIMARY KEY, origin INTEGER, "table" TEXT, key, columns INTEGER, entries BLOB,
        mark INTEGER DEFAULT (random())\(columns))
      """,
      """
      INSERT INTO \(new) SELECT seq, origin, "table", key, columns, entries, mark\(values) FROM \(LogTable.name)
      """,
      "DROP TABLE \(LogTable.name)",
      "ALTER TABLE \(new) RENAME TO \(LogTable.name)",
      "PRAGMA legacy_alter_table = OFF",
    ] + LogTable.creation
  }

  /// Milliseconds since 1970, in SQL that every SQLite has.
  static let milliseconds = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
}
