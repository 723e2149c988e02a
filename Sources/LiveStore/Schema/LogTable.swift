/// The table that says which rows were touched, written in the same transaction as the change.
///
/// It has one row for each transaction of LiveStore, packed in `entries`, and one for each row that another
/// program touches, written by triggers. See ``ChangeLog`` for what is made of it.
enum LogTable {
  static let name = "_livestore_log"

  /// Sequence numbers kept. An instance further behind compares its snapshot with the new one instead.
  static let retained: Int64 = 16_384

  /// How often, in sequence numbers, old rows are removed.
  static let pruningInterval: Int64 = 1024

  static let creation = [
    """
    CREATE TABLE IF NOT EXISTS \(name) (
      seq INTEGER PRIMARY KEY, origin INTEGER, "table" TEXT, key, columns INTEGER, entries BLOB,
      mark INTEGER DEFAULT (random()))
    """,
    // The highest number is never removed, so that numbers are never used twice.
    """
    CREATE TRIGGER IF NOT EXISTS _livestore_prune AFTER INSERT ON \(name)
    WHEN NEW.seq % \(pruningInterval) = 0 BEGIN
      DELETE FROM \(name) WHERE seq <= NEW.seq - \(retained);
    END
    """,
    "INSERT INTO \(name) (seq) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM \(name))",
  ]

  /// Gives a log of an earlier version of the library marks, which no column can have by default that is
  /// added to a table.
  static let replacement = [
    "ALTER TABLE \(name) RENAME TO \(LogTriggers.prefix)old_log", creation[0],
    """
    INSERT INTO \(name) (seq, origin, "table", key, columns, entries)
      SELECT seq, origin, "table", key, columns, entries FROM \(LogTriggers.prefix)old_log
    """,
    "DROP TABLE \(LogTriggers.prefix)old_log",
  ]
}
