/// A row that a transaction has touched, as the change log of the file names it.
public struct LoggedChange: Hashable, Sendable {
  /// The program that has written it.
  public enum Writer: Hashable, Sendable {
    /// A ``Store``, by the number that it has given itself, see ``Store/writerID``.
    case store(Int64)
    /// A program without LiveStore.
    case other
  }

  /// The name of the class or, for an entry of a list, of the list's table: `Class_list`.
  public let table: String
  /// The primary key of the object, or the number of the entry.
  public let key: SQLiteValue
  /// The names of the properties that were assigned another value; `nil` if the object came or went, or was
  /// replaced.
  public let properties: Set<String>?
  /// The program that has written it.
  public let writer: Writer
}

/// A version of a file, which can be kept and compared with later ones, also after the program has ended.
public struct StoreVersion: Hashable, Codable, Sendable {
  /// The number of the log row with which the version begins.
  let number: Int64
  /// The mark of that row, which a restored or replaced file does not have; `nil` for a row of another
  /// program.
  let mark: Int64?
}

extension LoggedChange {
  /// The rows that were touched after a version and up to the one that the statements read, in the order of
  /// the transactions; `nil` if the log does not have them any more, or not in detail.
  ///
  /// - Complexity: O(k) for k touched rows.
  static func changes(
    since version: StoreVersion, schema: Schema, on statements: StatementCache
  ) throws(StoreError) -> [LoggedChange]? {
    let select = try statements.prepare(
      "SELECT seq, mark, \"table\", key, columns, entries, origin FROM \(LogTable.name) WHERE seq >= ? "
        + "ORDER BY seq")
    defer { select.reset() }
    select.bind(.integer(version.number), at: 1)
    guard try select.step(), select.integer(0) == version.number, select.integerIfAny(1) == version.mark
    else { return nil }
    var changes: [LoggedChange] = []
    var last = version.number
    while try select.step() {
      guard select.integer(0) == last + 1 else { return nil }
      last += 1
      switch (select.value(5), select.value(2)) {
      case (.blob(let entries), _):
        let writer = Writer.store(select.integer(6))
        let isReadable = ChangeLog.forEachRow(of: entries) { name, key, columns in
          guard let table = schema.table(named: name) else { return }
          changes.append(LoggedChange(of: table, key, columns, writer))
        }
        guard isReadable else { return nil }
      case (_, .text(let name)):
        guard let table = schema.table(named: name) else { continue }
        changes.append(
          LoggedChange(of: table, select.value(3), UInt64(bitPattern: select.integer(4)), .other))
      default: return nil
      }
    }
    return changes
  }

  private init(of table: Table, _ key: SQLiteValue, _ columns: UInt64, _ writer: Writer) {
    self.table = table.name
    self.key = key
    self.writer = writer
    properties =
      columns >> 63 == 1
      ? nil
      : Set(table.columns.indices.filter { columns & table.logBits[$0] != 0 }.map { table.columns[$0].name })
  }

  static func newestVersion(on statements: StatementCache) throws(StoreError) -> StoreVersion {
    let select = try statements.prepare(ChangeLog.newestRow)
    defer { select.reset() }
    _ = try select.step()
    return StoreVersion(number: select.integer(0), mark: select.integerIfAny(1))
  }
}
