/// The rows that transactions have touched, as stored in the table of ``LogTable``.
///
/// The log only says which rows to read: their values after the change are in the rows themselves. A version
/// is the sequence number of the newest log row that a snapshot sees; `VersionLine` identifies the log.
package enum ChangeLog {
  /// The least number that only another program, or SQLite after one, assigns. After the greatest possible
  /// number SQLite assigns random ones, so that new rows can no longer be recognized.
  private static let limit: Int64 = 1 << 62

  /// Whether the next transaction has to restart the log.
  static func isExhausted(at version: Int64) -> Bool { version >= limit }

  /// The number of rows touched by one transaction beyond which it is logged as "anything may have changed".
  /// Reading the tables in order is then cheaper than looking up the rows one by one, and the log stays
  /// small.
  static let packedLimit = 100_000

  private static let selectRow = "SELECT \"table\", key, entries, columns FROM \(LogTable.name) WHERE seq = ?"

  /// The number and the mark of the newest row. An aggregate returns a row in any case; the mark is that of
  /// the row with the highest number.
  static let newestRow = "SELECT coalesce(max(seq), 0), mark FROM \(LogTable.name)"

  static let mark = "SELECT mark FROM \(LogTable.name) WHERE seq = ?"

  static let insertion = "INSERT INTO \(LogTable.name) (origin, entries, mark) VALUES (?, ?, ?)"

  /// Logs a transaction of this store and returns the number of its row.
  ///
  /// - Parameters:
  ///   - isComplete: Whether `touched` contains all changes of the transaction.
  ///   - mark: A number that no other row has.
  static func append(
    _ touched: RowMap<TransactionRecorder.Touch>, isComplete: Bool, schema: Schema, origin: Int64,
    mark: Int64, on snapshot: Snapshot
  ) throws(StoreError) -> Int64 {
    if let version = snapshot.version, isExhausted(at: version) {
      return try beginAnew(origin: origin, mark: mark, on: snapshot)
    }
    var entries = isComplete && touched.count <= packedLimit ? pack(touched, schema: schema) : nil
    if let size = entries?.count, size > LogTable.retainedBytes { entries = nil }
    let number = try snapshot.writer.log(origin: origin, entries: entries, mark: mark)
    let statements = snapshot.connection.instance!
    if number % LogTable.pruningInterval == 0 {
      try removeRows(through: number - LogTable.retained, statements)
    }
    // By chance, and not by a count: most processes write little and end. Marks differ, but may count up.
    let chance = UInt64(bitPattern: mark) &* 0x9E37_79B9_7F4A_7C15
    let place = chance.multipliedFullWidth(by: UInt64(LogTable.checkedBytes)).high
    if place < entries?.count ?? 0, let last = try lastExcessRow(before: number, statements) {
      try removeRows(through: last, statements)
    }
    return number
  }

  private static func removeRows(through last: Int64, _ statements: StatementCache) throws(StoreError) {
    try statements.prepare("DELETE FROM \(LogTable.name) WHERE seq <= ?").run(.integer(last))
  }

  /// The newest row before another one that is more than the log is to hold, if there is one.
  ///
  /// - Complexity: O(n) in the rows that are kept. Only the sizes of their contents are read.
  private static func lastExcessRow(
    before newest: Int64, _ statements: StatementCache
  ) throws(StoreError) -> Int64? {
    let select = try statements.prepare(
      "SELECT seq, coalesce(length(key), 0) + coalesce(length(entries), 0) FROM \(LogTable.name) "
        + "ORDER BY seq DESC")
    defer { select.reset() }
    var bytes: Int64 = 0
    while try select.step() {
      // A row is some 40 bytes besides.
      bytes += select.integer(1) + 40
      if bytes > LogTable.retainedBytes, select.integer(0) < newest { return select.integer(0) }
    }
    return nil
  }

  /// Replaces the log by one row that says "anything may have changed". Its number is derived from the time,
  /// so that it has not been used before, even if the log was restarted before.
  private static func beginAnew(
    origin: Int64, mark: Int64, on snapshot: Snapshot
  ) throws(StoreError) -> Int64 {
    let seq = WallClock.milliseconds
    try snapshot.connection.execute(
      "DELETE FROM \(LogTable.name); INSERT INTO \(LogTable.name) (seq, origin, mark) VALUES (\(seq), "
        + "\(origin), \(mark))"
    )
    return seq
  }

  /// The rows touched after one version and up to another, not sorted, or `nil` if the log no longer contains
  /// them, or not in detail.
  ///
  /// - Complexity: O(k) for k rows touched.
  static func touched(
    after old: Int64, through new: Int64, of section: VersionLine.Section = .init(), schema: Schema,
    on statements: StatementCache
  ) throws(StoreError) -> TouchedKeys? {
    guard let old = section.number(of: old), let new = section.number(of: new), new >= old else { return nil }
    // One by one: after an ANALYZE of a log that was short then, SQLite reads the whole log for a range
    // query.
    let select = try statements.prepare(selectRow)
    defer { select.reset() }
    var rows = TouchedKeys(schema: schema)
    var seq = old
    while seq < new {
      seq += 1
      select.reset()
      select.bind(.integer(seq), at: 1)
      guard try select.step() else { return nil }
      switch select.value(2) {
      case .blob(let entries):
        guard unpack(entries, schema: schema, into: &rows) else { return nil }
      default:
        guard case .text(let name) = select.value(0) else { return nil }
        // A class that this program does not know has no rows here that could change.
        guard let table = schema.table(named: name) else { continue }
        rows.add(table, select.value(1), columns: UInt64(bitPattern: select.integer(3)))
      }
    }
    return rows
  }

  // The format of a packed transaction: for each table its name, the number of entries and the entries. An
  // entry is a key (1 and the zigzag integer, or 2, the length and the UTF-8) and the changed columns.
  // Numbers are in base 128, low bits first.

  private static func pack(
    _ touched: RowMap<TransactionRecorder.Touch>, schema: Schema
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(touched.count * 16 + 32)
    guard let first = touched.entries.first?.row.table else { return bytes }
    // One table is the usual case, which needs no sorting.
    if touched.entries.allSatisfy({ $0.row.table == first }) {
      append(touched, at: touched.entries.indices, of: schema.tables[first], to: &bytes)
      return bytes
    }
    var byTable: [[Int]] = Array(repeating: [], count: schema.tables.count)
    for index in touched.entries.indices { byTable[touched.entries[index].row.table].append(index) }
    for (table, indices) in zip(schema.tables, byTable) where !indices.isEmpty {
      append(touched, at: indices, of: table, to: &bytes)
    }
    return bytes
  }

  private static func append(
    _ touched: RowMap<TransactionRecorder.Touch>, at indices: some Collection<Int>, of table: Table,
    to bytes: inout [UInt8]
  ) {
    bytes.append(text: table.name)
    bytes.append(number: UInt64(indices.count))
    for index in indices {
      bytes.append(key: touched.entries[index].row.key)
      bytes.append(number: table.logged(touched.entries[index].value.columns))
    }
  }

  /// Whether a packed transaction contains the touched rows.
  static func isReadable(_ entries: [UInt8], schema: Schema) -> Bool {
    var rows = TouchedKeys(schema: schema)
    return unpack(entries, schema: schema, into: &rows)
  }

  private static func unpack(_ entries: [UInt8], schema: Schema, into rows: inout TouchedKeys) -> Bool {
    unpack(entries) { name, count in
      guard let table = schema.table(named: name) else { return nil }
      // The count limits the reserved memory only up to a bound, because any program can write it.
      rows.reserve(table, Int(min(count, UInt64(packedLimit))))
      return table
    } row: { (table: Table?, key, columns) in
      if let table { rows.add(table, key, columns: columns) }
    }
  }

  /// Calls a closure with each row that a packed transaction has touched: its table, its key and a bit for
  /// each column that was assigned, as `Table.logBits` has them, or all of them for a row that came or went.
  ///
  /// - Returns: Whether the bytes are such a transaction.
  package static func forEachRow(
    of entries: [UInt8], _ body: (_ table: String, _ key: SQLiteValue, _ columns: UInt64) -> Void
  ) -> Bool {
    unpack(entries, table: { name, _ in name }, row: body)
  }

  /// - Parameter table: What `row` is to receive of a table, by its name and the number of its rows.
  private static func unpack<Touched>(
    _ entries: [UInt8], table: (_ name: String, _ count: UInt64) -> Touched,
    row: (Touched, SQLiteValue, _ columns: UInt64) -> Void
  ) -> Bool {
    entries.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes: bytes)
      while !reader.isAtEnd {
        guard let name = reader.text(), let count = reader.number() else { return false }
        let touched = table(name, count)
        for _ in 0..<count {
          guard let key = reader.key(), let columns = reader.number() else { return false }
          row(touched, key, columns)
        }
      }
      return true
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  fileprivate mutating func append(key: SQLiteValue) {
    switch key {
    case .integer(let value):
      append(1)
      append(number: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    case .text(let value):
      append(2)
      append(text: value)
    case .malformedText(let value):
      append(2)
      append(number: UInt64(value.count))
      append(contentsOf: value)
    case .null, .real, .blob:
      // No key that this library writes; a reader takes it for "anything may have changed".
      append(0)
    }
  }

  fileprivate mutating func append(text: String) {
    append(number: UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}

/// A reader of packed transactions; its results are `nil` where the bytes end too early, since any program
/// can write them.
private struct PackedReader {
  let bytes: UnsafeRawBufferPointer
  var offset = 0

  var isAtEnd: Bool { offset == bytes.count }

  mutating func byte() -> UInt8? {
    guard offset < bytes.count else { return nil }
    offset += 1
    return bytes[offset - 1]
  }

  mutating func number() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64, let byte = byte() {
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  mutating func utf8() -> UnsafeRawBufferPointer? {
    guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
    offset += Int(count)
    return UnsafeRawBufferPointer(rebasing: bytes[(offset - Int(count))..<offset])
  }

  mutating func key() -> SQLiteValue? {
    switch byte() {
    case 1:
      guard let number = number() else { return nil }
      return .integer(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
    case 2:
      return utf8().map { SQLiteValue(utf8: $0) }
    default: return nil
    }
  }

  mutating func text() -> String? {
    utf8().map { String(decoding: $0, as: UTF8.self) }
  }
}
