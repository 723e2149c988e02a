import CSQLite
import Synchronization

/// Counts what SQLite does on some connections: statements, and the instructions that they take.
public final class WorkCounter: Sendable {
  public struct Work: Sendable {
    public fileprivate(set) var statements = 0
    public fileprivate(set) var instructions = 0
  }

  private let work = Mutex(Work())

  public init() {}

  public func install(on connections: [OpaquePointer]) {
    for connection in connections {
      sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_PROFILE),
        { _, context, statement, _ in
          guard let context, let statement else { return 0 }
          let counter = Unmanaged<WorkCounter>.fromOpaque(context).takeUnretainedValue()
          let instructions = sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1)
          counter.work.withLock {
            $0.statements += 1
            $0.instructions += Int(instructions)
          }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  public func uninstall(from connections: [OpaquePointer]) {
    for connection in connections { sqlite3_trace_v2(connection, 0, nil, nil) }
  }

  /// The work since the last call.
  public func take() -> Work {
    work.withLock { work in
      defer { work = Work() }
      return work
    }
  }
}
