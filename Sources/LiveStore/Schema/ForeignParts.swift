/// The additions of other programs to a file that affect a store's own writes.
package struct ForeignParts {
  private(set) var triggers: [FileSchema.Part] = []
  /// Those among them that may skip a change of a row, by the folded name of the table.
  private var skipping: [String: [FileSchema.Part]] = [:]
  /// The tables whose changes are logged, including those of classes that are not known here.
  private(set) var loggedTables: Set<String> = []
  /// The logged tables with a unique index whose replacements no trigger logs yet.
  private(set) var unseenReplacements: Set<String> = []
  /// Whether rows own others: triggers, which have to fire, delete them with their owner.
  private(set) var hasOwners = false

  /// The machine's range of positions, in a file that is joined to those of other machines; see
  /// `PositionKey`.
  private(set) var positionRun: Int?

  /// The name of that number among the notes of the file.
  static let positionRunNote = "position run"

  init() {}

  /// - Complexity: O(n) for n tables, indexes and triggers.
  package init(_ connection: Connection) throws(StoreError) {
    let parts = try FileSchema.parts(
      """
      SELECT type, name, tbl_name, CASE WHEN name LIKE '\\_livestore\\_%' ESCAPE '\\' THEN '' ELSE sql END
      FROM sqlite_schema WHERE type = 'trigger' OR sql LIKE 'CREATE UNIQUE INDEX%'
      """, connection)
    var seen: Set<String> = []
    for (type, part) in parts {
      if type == "index" {
        unseenReplacements.insert(part.table)
      } else if !part.name.hasPrefix(LogTriggers.prefix) {
        triggers.append(part)
        if part.sql.lowercased().filter({ !$0.isWhitespace }).contains("raise(ignore)") {
          skipping[foldedName(part.table), default: []].append(part)
        }
      } else if part.name == LogTriggers.replacement(in: part.table) {
        seen.insert(part.table)
      } else {
        if part.name.hasPrefix(LogTriggers.ownership(in: part.table)) { hasOwners = true }
        loggedTables.insert(part.table)
      }
    }
    if case .integer(let run) = try connection.firstValue(
      "SELECT value FROM \(FileSchema.notes) WHERE name = \(literal(Self.positionRunNote))")
    {
      positionRun = Int(run) % PositionKey.runs
    }
    unseenReplacements = unseenReplacements.intersection(loggedTables).subtracting(seen)
  }

  /// The error of a statement, with the name of the trigger that caused it, if one did.
  ///
  /// SQLite reports the failure, but not the trigger: it is the one whose text contains the name in the
  /// message.
  func naming(_ error: StoreError, result: Int32, message: String, schema: Schema) -> StoreError {
    guard !triggers.isEmpty, error.code != .busy, error.code != .diskFailure else { return error }
    // “no such function: f”, “no such table: main.t”, “NOT NULL constraint failed: t.column”, or the
    // trigger's own message.
    let what = message.split(separator: ": ").last.map(String.init) ?? message
    let parts = what.split(separator: ".").map(String.init)
    let isConstraint = message.contains("constraint failed: ")
    if isConstraint, let table = parts.first, schema.table(named: table) != nil {
      return addingWriters(of: table, to: error)
    }
    let words = [message, what, isConstraint ? parts.first : parts.last].compactMap { $0?.lowercased() }
    let named = triggers.filter { trigger in words.contains { trigger.sql.lowercased().contains($0) } }
    guard !named.isEmpty || result & 0xff == 1 else { return error }
    // A message of the trigger's own is meant so.
    let isRefusal = result == Self.refusal
    return StoreError(
      error.code,
      "\(Self.names(of: named.isEmpty ? triggers : named)), "
        + "which another program has added, keeps this from being written: "
        + "\(message)." + (isRefusal ? "" : " Remove it, or have it use only what every SQLite has."))
  }

  /// The result of a statement that a trigger has refused with a message: SQLITE_CONSTRAINT_TRIGGER.
  private static let refusal: Int32 = 1811

  /// An error because of a value in a table, with the triggers on other tables that may have written it.
  private func addingWriters(of table: String, to error: StoreError) -> StoreError {
    let name = table.lowercased()
    let writers = triggers.filter { !isSameName($0.table, table) && $0.sql.lowercased().contains(name) }
    guard !writers.isEmpty else { return error }
    return StoreError(
      error.code,
      "\(error.description) \(Self.names(of: writers)), which another program has added, may have written "
        + "it.", report: error.report)
  }

  /// The error of a write that names an object, or an element of a list, which is no longer there; `nil` if
  /// no trigger can have taken it away.
  var removalError: StoreError? {
    triggers.isEmpty
      ? nil
      : StoreError(
        .invalidValue,
        "\(Self.names(of: triggers)), which another program has added, takes away or moves what is being "
          + "written; nothing was written. Remove it, or have it leave the rows that it is about.")
  }

  /// The error of a write of a row that a trigger has skipped with `RAISE(IGNORE)`; `nil` if none can have.
  func skippingError(in table: Table) -> StoreError? { skippingError(in: table.name) }

  package func skippingError(in table: String) -> StoreError? {
    guard !skipping.isEmpty, let triggers = skipping[foldedName(table)] else { return nil }
    return StoreError(
      .invalidValue,
      "\(Self.names(of: triggers)), which another program has added, keeps what is being written from being "
        + "changed; nothing was written. Remove it, or have it let such changes be.")
  }

  private static func names(of triggers: [FileSchema.Part]) -> String {
    (triggers.count == 1 ? "The trigger " : "One of the triggers ")
      + triggers.map { "“\($0.name)” on \($0.table)" }.joined(separator: ", ")
  }
}

extension PositionKey {
  /// SQL that gives the machine a range of its own for the positions of new elements, from its number among
  /// those whose files are joined, or takes the range away.
  package static func settingRun(ofMachine number: Int64?) -> String {
    let note = literal(ForeignParts.positionRunNote)
    guard let number else { return "DELETE FROM \(FileSchema.notes) WHERE name = \(note)" }
    let run = number.magnitude % UInt64(runs)
    return "INSERT OR REPLACE INTO \(FileSchema.notes) VALUES (\(note), \(run))"
  }
}

extension SchemaUpdate {
  /// Adds the triggers that log the rows replaced through unique indexes of other programs; called in a
  /// write.
  static func logReplacements(in schema: Schema, on connection: Connection) throws(StoreError) {
    let file = try FileSchema(connection)
    let wanted = LogTriggers(tables: schema.loggedTables.map(file.withUniqueKeys)).replacements
    for (name, sql) in wanted.sorted(by: { $0.key < $1.key })
    where !file.triggers.contains(where: { $0.name == name }) {
      try connection.execute(sql)
    }
  }
}
