import CSQLite
import Glibc
import LiveStore

/// From a commit in another process to the change set in this one.
///
/// The writer is this program started again. It makes one transaction for each byte it reads, and answers with the time
/// at which its commit had returned.
struct CrossProcessLatency {
  enum Operation: UInt8, CaseIterable {
    case modify = 1
    case insert, delete, move

    var name: String { "\(self)" }
  }

  let rows: Int
  let samples: Int

  func run(_ table: inout TextTable) throws {
    let folder = try BenchmarkFile()
    try fill(folder.path)
    let source = NotificationSource()
    let store = try Store(
      Store.Configuration(path: folder.path, objectTypes: [Record.self]), scheduler: .fileDescriptor(source))
    let results = store.objects(Record.self).sorted(by: \.rank)
    var calls = 0
    var lastCall: Int64 = 0
    let start = monotonicNanoseconds()
    let token = results.observe { _ in
      calls += 1
      lastCall = monotonicNanoseconds()
    }
    func wait(forCall number: Int) {
      var descriptor = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
      while calls < number {
        _ = poll(&descriptor, 1, -1)
        store.processNotifications()
      }
    }
    wait(forCall: 1)
    let first = lastCall - start

    let writer = try WriterProcess([folder.path, "\(rows)"])
    var measured: [Operation: Samples] = [:]
    var processorTime: [Operation: Int64] = [:]
    // The first round of each operation prepares statements and warms caches.
    for round in 0..<(samples + 20) {
      for operation in Operation.allCases {
        let before = calls
        let used = processorNanoseconds()
        writer.request(operation.rawValue)
        wait(forCall: before + 1)
        let commit = writer.answer()
        guard round >= 20 else { continue }
        measured[operation, default: Samples()].append(lastCall - commit)
        processorTime[operation, default: 0] += processorNanoseconds() - used
      }
    }
    token.invalidate()
    for operation in Operation.allCases {
      guard let times = measured[operation] else { continue }
      table.append([
        "\(rows)", operation.name, text(microseconds: times.median), text(microseconds: times.p99),
        text(microseconds: Double(processorTime[operation, default: 0]) / Double(samples) / 1000),
        text(microseconds: Double(first) / 1000),
      ])
    }
  }

  /// Makes the file without LiveStore's own writes, which are measured elsewhere.
  private func fill(_ path: String) throws {
    let store = try Store(
      Store.Configuration(path: path, objectTypes: [Record.self]),
      scheduler: .fileDescriptor(NotificationSource()))
    store.close()
    var database: OpaquePointer?
    sqlite3_open(path, &database)
    defer { sqlite3_close(database) }
    _ = csqlite_db_config_flag(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    let sql = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO Record (id, rank, text) SELECT i, i * 10, 'Record number ' || i FROM n
      """
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      fatalError(String(cString: sqlite3_errmsg(database)))
    }
    sqlite3_exec(database, "PRAGMA wal_checkpoint(TRUNCATE); ANALYZE", nil, nil, nil)
  }

  /// The other process: `--writer PATH ROWS`.
  static func write(path: String, rows: Int) throws -> Never {
    let store = try Store(
      Store.Configuration(path: path, objectTypes: [Record.self]),
      scheduler: .fileDescriptor(NotificationSource()))
    var random = SystemRandomNumberGenerator()
    var inserted = rows
    var request: UInt8 = 0
    while read(0, &request, 1) == 1, let operation = Operation(rawValue: request) {
      let any = Int.random(in: 1...rows, using: &random)
      try store.beginWrite()
      switch operation {
      case .modify:
        let record = store.object(ofType: Record.self, forPrimaryKey: any)
        record?.text = "Changed at \(monotonicNanoseconds())"
      case .insert:
        inserted += 1
        store.add(Record(id: inserted, rank: Int.random(in: 0..<rows * 10, using: &random)))
      case .delete:
        if let record = store.object(ofType: Record.self, forPrimaryKey: inserted) { store.delete(record) }
      case .move:
        // The parity changes every time: assigning the rank that it has would be no change.
        let record = store.object(ofType: Record.self, forPrimaryKey: any)
        let parity = (record?.rank ?? 0) % 2
        record?.rank = Int.random(in: 0..<rows * 10, using: &random) * 2 + 1 - parity
      }
      try store.commitWrite()
      var time = monotonicNanoseconds()
      _ = Glibc.write(1, &time, 8)
    }
    exit(0)
  }
}

private func processorNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
