import CSQLite
import TestSupport
import Testing

/// The file as any other program has it: by SQLite alone, without LiveStore.
final class ForeignDatabase {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// A task, or a list with its tasks.
  struct Row: Equatable {
    var id: String
    var text: String
    var isCompleted: Bool
    var priority = ""
    var note = ""
    /// As it stands in the file; empty for no date.
    var date = ""
    /// As it stands in the file; empty for none.
    var repetition = ""
    /// The order in which a list is kept; empty for none.
    var order = ""
    var tasks: [Row] = []
  }

  private var connection: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw Failure(description: "\(path) cannot be opened")
    }
    sqlite3_busy_timeout(connection, Patience.milliseconds)
  }

  deinit { sqlite3_close_v2(connection) }

  /// Runs a statement to its end; returns the values of its rows as text, with "" for null.
  @discardableResult
  func run(_ sql: String, _ arguments: String...) throws -> [[String]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
    defer { sqlite3_finalize(statement) }
    // SQLITE_TRANSIENT, a macro with a cast: the text is copied.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, argument) in arguments.enumerated() {
      sqlite3_bind_text(statement, Int32(index + 1), argument, -1, transient)
    }
    var rows: [[String]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
          })
      case SQLITE_DONE: return rows
      default: throw failure(sql)
      }
    }
  }

  private func failure(_ sql: String) -> Failure {
    Failure(description: "\(sql): \(String(cString: sqlite3_errmsg(connection)))")
  }

  /// All lists with their tasks, in their order, as they are at one moment.
  func lists() throws -> [Row] {
    try run("BEGIN")
    defer { _ = try? run("COMMIT") }
    let lists = try run(
      """
      SELECT list.id, list.text, list.completed, list.sorting
      FROM TaskListList_items entry JOIN TaskList list ON list.id = entry.target
      ORDER BY entry.position, entry.target
      """)
    let tasks = try run(
      """
      SELECT entry.owner, task.id, task.text, task.completed, task.priority, task.notes, task.date,
        task.repetition
      FROM TaskList_items entry JOIN TaskItem task ON task.id = entry.target ORDER BY entry.position, entry.target
      """)
    var tasksOfLists: [String: [Row]] = [:]
    for task in tasks {
      tasksOfLists[task[0], default: []].append(
        Row(
          id: task[1], text: task[2], isCompleted: task[3] == "1", priority: task[4], note: task[5],
          date: task[6], repetition: task[7]))
    }
    return lists.map {
      Row(
        id: $0[0], text: $0[1], isCompleted: $0[2] == "1", order: $0[3], tasks: tasksOfLists[$0[0]] ?? [])
    }
  }
}
