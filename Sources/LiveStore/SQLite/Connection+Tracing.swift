import CSQLite

/// A statement that a store has run.
public struct TracedStatement: Sendable {
  /// The statement in SQL, without the values of its parameters.
  public let sql: String
  /// The time that SQLite has spent on it, in seconds.
  public let duration: Double
}

extension Connection {
  /// A box of the closure that is called for each statement.
  final class Trace {
    fileprivate let report: @Sendable (TracedStatement) -> Void

    init(_ report: @escaping @Sendable (TracedStatement) -> Void) {
      self.report = report
    }
  }

  /// Calls a closure when a statement has been run to its end or reset, on the thread that did so. See
  /// <https://sqlite.org/c3ref/trace_v2.html>.
  func setTrace(_ report: (@Sendable (TracedStatement) -> Void)?) {
    trace = report.map(Trace.init)
    guard let trace else {
      sqlite3_trace_v2(handle, 0, nil, nil)
      return
    }
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_PROFILE),
      { _, context, statement, time in
        guard let context, let statement, let time, let sql = sqlite3_sql(OpaquePointer(statement)) else {
          return 0
        }
        let nanoseconds = time.load(as: Int64.self)
        Unmanaged<Trace>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.report(TracedStatement(sql: String(cString: sql), duration: Double(nanoseconds) / 1e9))
        }
        return 0
      }, Unmanaged.passUnretained(trace).toOpaque())
  }
}
