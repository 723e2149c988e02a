import CLinux
import Glibc
import LiveStore
import Testing

@testable import TasksTUI

/// The file of an agent, as `tasks-sync` writes it.
final class AgentStandIn {
  private var descriptors: [Int32] = []
  private let path: String

  init(_ database: String) throws {
    path = database + "-sync"
    try start()
  }

  func start() throws {
    descriptors = (0..<2).map { _ in open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    for (index, descriptor) in descriptors.enumerated() {
      try #require(descriptor >= 0 && clinux_lock_byte(descriptor, (1 << 30) + Int64(index)) == 0)
    }
  }

  /// As one that is killed.
  func end() {
    for descriptor in descriptors { close(descriptor) }
    descriptors = []
  }

  deinit { end() }

  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      #expect(pwrite(descriptors[0], bytes.baseAddress, bytes.count, 0) == bytes.count)
      #expect(ftruncate(descriptors[0], off_t(bytes.count)) == 0)
    }
  }
}

/// The tables of a joined file, as `tasks-sync` keeps them; a suite of LiveStoreSync compares them with the
/// real ones.
struct JournalStandIn {
  let connection: Connection

  init(_ database: String) throws {
    connection = try Connection(path: database, create: false)
    try connection.execute(
      """
      CREATE TABLE _livesync_state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
      INSERT INTO _livesync_state VALUES ('spaceName', 'Home'), ('url', 'postgresql://anna@db/tasks'),
        ('machine', 'laptop');
      CREATE TABLE _livesync_author (
        number INTEGER PRIMARY KEY, time INTEGER NOT NULL, type TEXT NOT NULL, key, author TEXT,
        machine TEXT);
      CREATE TABLE _livesync_conflict (
        number INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, type TEXT NOT NULL, key,
        author TEXT, machine TEXT, isSettled INTEGER NOT NULL DEFAULT 0);
      CREATE TABLE _livesync_type (type INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, cells TEXT);
      INSERT INTO _livesync_type VALUES (1, 'TaskItem', '');
      CREATE TABLE _livesync_object (
        type INTEGER NOT NULL, key, life INTEGER NOT NULL, isDeleted INTEGER NOT NULL, cells BLOB NOT NULL,
        waiting INTEGER, refusal TEXT, PRIMARY KEY (type, key)) WITHOUT ROWID;
      CREATE TABLE _livesync_conflict_value (number INTEGER NOT NULL, name TEXT NOT NULL, mine, theirs,
        PRIMARY KEY (number, name)) WITHOUT ROWID
      """)
  }

  /// As the agent writes a change of ben's to a task.
  func change(_ task: String, _ sql: String) throws {
    try connection.execute(
      """
      BEGIN;
      INSERT INTO _livesync_author (time, type, key, author, machine)
      SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER),
        'TaskItem', id, 'ben', 'tablet' FROM TaskItem WHERE text = '\(task)';
      \(sql);
      COMMIT
      """)
  }

  /// As the agent sets a task aside that the server does not take, with another one.
  func setAside(_ task: String, with other: String, because reason: String) throws {
    try connection.execute(
      """
      INSERT INTO _livesync_object SELECT 1, id, 0, 0, x'', 5, iif(text = '\(task)', '\(reason)', '')
      FROM TaskItem WHERE text IN ('\(task)', '\(other)')
      """)
  }

  func lose(_ kind: String, _ text: String) throws {
    try connection.execute(
      """
      INSERT INTO _livesync_conflict (time, kind, type, key, author, machine)
      VALUES (0, '\(kind)', 'TaskItem', 'gone', 'ben', 'tablet');
      INSERT INTO _livesync_conflict_value VALUES (last_insert_rowid(), 'text', '\(text)', NULL)
      """)
  }

  /// As the agent notes that a property of a task was changed by ben without knowledge of a change here.
  func overwrite(_ task: String, cell: String, mine: String, theirs: String) throws {
    try connection.execute(
      """
      INSERT INTO _livesync_conflict (time, kind, type, key, author, machine)
      SELECT 0, 'overwritten', 'TaskItem', id, 'ben', 'tablet' FROM TaskItem WHERE text = '\(task)';
      INSERT INTO _livesync_conflict_value VALUES (last_insert_rowid(), '\(cell)', '\(mine)', '\(theirs)')
      """)
  }
}
