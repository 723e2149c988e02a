/// The table that records which rows were touched, written in the same transaction as the change.
///
/// It has one row for each transaction of LiveStore, packed in `entries`, and one for each row that another
/// program touches, written by triggers. ``ChangeLog`` reads it.
package enum LogTable {
  package static let name = "_livestore_log"

  /// The number of sequence numbers kept. An instance that lags further compares its snapshot with the new
  /// one instead.
  static let retained: Int64 = 16_384

  /// The bytes kept: when newer rows take more, older ones are removed soon, up to all but the newest. An
  /// instance that lags further has so many rows to look at that comparing costs no more.
  static let retainedBytes = 8 << 20

  /// The bytes after which, on average, a transaction of LiveStore looks whether they are exceeded.
  static let checkedBytes = 1 << 16

  /// The interval, in sequence numbers, at which old rows are removed.
  ///
  /// Short, because SQLite keeps copies of the pages that a statement with triggers changes, in case it
  /// fails: up to 64 KB in memory, and otherwise in a file, to which it then also writes those of each later
  /// statement of the connection. A program that inserts many rows would take four times as long.
  static let pruningInterval: Int64 = 128

  /// The trigger that removes old rows, as SQLite keeps it. The highest number is never removed, so that
  /// numbers are never used twice.
  static let pruning = (name: pruningName, sql: "CREATE TRIGGER \(pruningDefinition)")

  private static let pruningName = "\(LogTriggers.prefix)prune"
  private static let pruningDefinition =
    "\(quoted(pruningName)) AFTER INSERT ON \(name) WHEN NEW.seq % \(pruningInterval) = 0 BEGIN "
    + "DELETE FROM \(name) WHERE seq <= NEW.seq - \(retained); END"

  package static let creation = [
    """
    CREATE TABLE IF NOT EXISTS \(name) (
      seq INTEGER PRIMARY KEY, origin INTEGER, "table" TEXT, key, columns INTEGER, entries BLOB,
      mark INTEGER DEFAULT (random()))
    """,
    "CREATE TRIGGER IF NOT EXISTS \(pruningDefinition)",
    "INSERT INTO \(name) (seq) SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM \(name))",
  ]
}
