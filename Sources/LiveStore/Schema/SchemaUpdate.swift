import FoundationEssentials

/// The update of a file to the needs of the classes.
///
/// New classes get tables, and indexes and triggers are created and removed as declared. The columns of an
/// existing class change only if the schema version was raised. A removed class keeps its table, because a
/// program that opens the file with fewer classes cannot be told from one that has removed them; its rows are
/// deleted only by ``Migration/deleteData(forType:)``.
struct SchemaUpdate {
  let path: String
  let schema: Schema
  let connection: Connection
  /// The file before the update.
  let file: FileSchema
  /// The version that the file was written with.
  let version: Int
  let differences: [(table: Table, differences: [SchemaDifference])]

  init(path: String, schema: Schema, version: Int, connection: Connection) throws(StoreError) {
    self.path = path
    self.schema = schema
    self.version = version
    self.connection = connection
    let file = try FileSchema(connection)
    var differences: [(table: Table, differences: [SchemaDifference])] = []
    for table in schema.tables {
      guard case .objects(let objects) = table.role else { continue }
      let found = try schema.differences(of: table, objects, in: file)
      if !found.isEmpty { differences.append((table, found)) }
    }
    self.file = file
    self.differences = differences
  }

  /// Whether the file differs from the needs of the classes.
  func isNeeded() throws(StoreError) -> Bool {
    if version != schema.version || !file.isPrepared || !differences.isEmpty { return true }
    if schema.tables.contains(where: { file.tables[$0.name] == nil }) { return true }
    let isNoted = schema.tables.allSatisfy { table in
      guard case .objects(let objects) = table.role, let found = file.tables[table.name] else { return true }
      return Set(found.properties ?? []) == Set(objects.storedProperties.map(\.name))
        && found.owners == objects.notes(of: table.rules.owners)
    }
    if !isNoted || !triggerChanges(in: file).isEmpty { return true }
    if try !searchChanges(isRebuilding: false).isEmpty { return true }
    return indexChanges(in: file).contains { !$0.changes.isEmpty }
  }

  /// Whether the file has the tables of all classes unchanged, prepared by this library.
  var holdsSchema: Bool {
    file.isPrepared && differences.isEmpty && schema.tables.allSatisfy { file.tables[$0.name] != nil }
      && schema.classes.allSatisfy { file.tables[$0.name]?.properties != nil }
  }

  /// Whether an older version of the classes has written the file. A new file has no version yet.
  var isMigration: Bool { version < schema.version && file.isPrepared }

  /// Throws if the file cannot be read without an update.
  func requireReadable() throws(StoreError) {
    if version != schema.version {
      throw StoreError(
        .schema,
        "“\(path)” has schema version \(version) and the classes have \(schema.version); "
          + "open it for writing once, so that it is migrated.")
    }
    guard file.isPrepared else {
      throw StoreError(
        .schema, "“\(path)” holds no store yet; open it for writing once, so that it is prepared.")
    }
    try requireFreeNames()
    // Rules concern only writing.
    try requireVersion(of: differences.flatMap(\.differences).filter { !$0.isOfRules })
    if let missing = schema.tables.first(where: { file.tables[$0.name] == nil }) {
      throw StoreError(
        .schema, "“\(path)” has no table \(missing.name); open it for writing once, so that it is made.")
    }
  }

  private func requireVersion(of differences: [SchemaDifference]) throws(StoreError) {
    if let missing = differences.first(where: \.isMissing) {
      throw .missingColumn(missing.property, of: "“\(path)”")
    }
    guard version == schema.version, !differences.isEmpty else { return }
    throw StoreError(
      .schema,
      "“\(path)” does not fit the classes, although its schema version is theirs (\(version)): "
        + "\(sentence(differences)); raise the schema version so that it is migrated.")
  }

  private func sentence(_ differences: [SchemaDifference]) -> String {
    differences.map(\.description).joined(separator: ", ")
  }

  /// Changes the file; called in a write transaction, with foreign keys off.
  ///
  /// - Parameter snapshot: A connection that shows the file before the transaction.
  func run(
    applicationID: Int32, migration: ((Migration, Int) throws -> Void)?,
    snapshot: () throws(StoreError) -> Connection
  ) throws {
    try requireFreeNames()
    try requireVersion(of: differences.flatMap(\.differences))
    let hard = differences.flatMap(\.differences).filter(\.needsBlock)
    guard hard.isEmpty || migration != nil else {
      throw StoreError(
        .schema,
        "“\(path)” cannot be migrated without being told how: \(sentence(hard)); set Configuration.migration."
      )
    }
    for trigger in file.triggers where Self.isOwn(trigger) {
      try connection.execute("DROP TRIGGER \(quoted(trigger.name))")
    }
    for sql in LogTable.creation + [FileSchema.creation] { try connection.execute(sql) }
    try dropLists()
    for index in indexesNamedLikeTables { try connection.execute("DROP INDEX \(quoted(index.name))") }
    for table in schema.tables where !differences.contains(where: { $0.table === table }) {
      if file.tables[table.name] == nil || isDropped(table) {
        try table.explaining { () throws(StoreError) in try connection.execute(table.creation()) }
      }
    }
    for (table, _) in differences { try rebuild(table) }
    for table in schema.tables { try FileSchema.note(table, on: connection) }

    // A file created from a dump has this version, although its header does not say so.
    let isMarked = try connection.firstValue("PRAGMA application_id") == .integer(Int64(applicationID))
    var renamed: [String: [String: String]] = [:]
    if isMigration, isMarked {
      let old = try snapshot()
      try fillComputedDefaults(from: old)
      if let migration {
        let run = Migration(
          schema: schema, oldVersion: version, old: try MigrationSide(old), new: try MigrationSide(connection)
        )
        try migration(run, version)
        try run.finish()
        renamed = run.renamedColumns
      }
      // Logs that anything may have changed. A reader of the log then checks the file's version, and finds
      // that it is newer.
      try connection.execute("INSERT INTO \(LogTable.name) (origin) VALUES (NULL)")
    }
    try removeDanglingReferences()
    try clearReplacedRows()
    try addConstraints(renamed: renamed)
    if !isMigration, mayLackChanges {
      try connection.execute("INSERT INTO \(LogTable.name) (origin) VALUES (NULL)")
    }
    for (table, changes) in indexChanges(in: try FileSchema(connection)) {
      for sql in changes {
        try explainingRows(of: table) { () throws(StoreError) in try connection.execute(sql) }
      }
    }
    // Those for unique indexes depend on which there are.
    for sql in triggerChanges(in: try FileSchema(connection)) { try connection.execute(sql) }
    for sql in try searchChanges(isRebuilding: isMigration) { try connection.execute(sql) }
    try connection.execute("PRAGMA application_id = \(applicationID)")
    try connection.execute("PRAGMA user_version = \(schema.version)")
  }

  /// Whether a list's table is dropped and created again, because its elements are of another class.
  private func isDropped(_ table: Table) -> Bool {
    guard case .entries(_, let target) = table.role, let old = file.tables[table.name] else { return false }
    return old.columns.first { $0.name == "target" }?.target != schema.tables[target].name
  }

  /// The indexes of links and indexed values that are lists of the same name now: they were called as the
  /// tables of the lists are, and make room for them.
  var indexesNamedLikeTables: [FileSchema.Part] {
    file.indexes.filter { index in
      schema.tables.contains { $0.name == index.name }
        && Table.isIndexCreation(index.sql, named: index.name, table: index.table)
    }
  }

  private func dropLists() throws(StoreError) {
    for table in schema.tables where isDropped(table) {
      try connection.execute("DROP TABLE \(quoted(table.name))")
    }
    for objects in schema.classes {
      guard let existing = file.tables[objects.name] else { continue }
      for list in existing.lists where !objects.lists.contains(where: { $0.name == list }) {
        guard let entries = file.entries(of: list, in: existing) else { continue }
        try connection.execute("DROP TABLE \(quoted(entries.name))")
      }
    }
  }

  /// Rebuilds a table, and keeps its rows: the only way to a column that is not the last, has a computed
  /// default or another type (<https://sqlite.org/lang_altertable.html#otheralter>).
  private func rebuild(_ table: Table) throws(StoreError) {
    guard let existing = file.tables[table.name] else { return }
    let values = table.columns.map { column -> String in
      guard let old = kept(column, of: existing) else { return column.fallback }
      return old.isOptional && !column.isOptional
        ? "coalesce(\(quoted(column.name)), \(column.fallback))" : quoted(column.name)
    }
    // A migration may still have to make the rows satisfy the constraints.
    try replace(table, with: values, constraints: [], in: file)
  }

  /// Rebuilds the tables once more, now with their checks and the constraints of other programs, which the
  /// migration had to be able to satisfy.
  ///
  /// - Parameter renamed: The new names of columns that the migration has renamed, by table and former name.
  private func addConstraints(renamed: [String: [String: String]]) throws(StoreError) {
    let present = try FileSchema(connection)
    for (table, _) in differences {
      let constraints =
        table.rules.checks.map(\.constraint)
        + (try othersConstraints(of: table, renamed: renamed[table.name] ?? [:]))
      if constraints.isEmpty { continue }
      try explainingRows(of: table) { () throws(StoreError) in
        try replace(
          table, with: table.columns.map { quoted($0.name) }, constraints: constraints, in: present)
      }
    }
  }

  /// Runs a closure that creates what a rule needs; its error says that rows break the rule, if they do.
  private func explainingRows(
    of table: Table, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try table.explaining { () throws(StoreError) in
      do throws(StoreError) {
        try body()
      } catch {
        let message = connection.lastError.message.replacing("\(Self.newTable).", with: "\(table.name).")
        guard error.isConstraint, let rule = StoreError.brokenRule(message) else { throw error }
        throw StoreError(
          .schema,
          "“\(path)” holds objects of \(table.name) that break a rule of the table: \(rule); "
            + "change or delete them in Configuration.migration.")
      }
    }
  }

  /// The name of a table until it has replaced the former one.
  private static let newTable = LogTriggers.prefix + "new"

  /// Replaces a table by another one with its rows, for whose own columns there is SQL, and with the columns
  /// of other programs.
  private func replace(
    _ table: Table, with values: [String], constraints: [String], in file: FileSchema
  ) throws(StoreError) {
    guard let existing = file.tables[table.name] else { return }
    let others = existing.others(than: table)
    let new = Self.newTable
    try table.explaining { () throws(StoreError) in
      try create(table, as: new, with: others, constraints: constraints)
    }
    let kept = others.map(\.name).filter { !existing.computedColumns.contains($0) }.map(quoted)
    let names = ([table.columnList] + kept).joined(separator: ", ")
    let selection = (values + kept).joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(quoted(new)) (\(names)) SELECT \(selection) FROM \(quoted(table.name))")
    try connection.execute("DROP TABLE \(quoted(table.name))")
    try connection.execute("ALTER TABLE \(quoted(new)) RENAME TO \(quoted(table.name))")
    for part in file.indexes + file.triggers
    where part.table == table.name && !Self.isOwn(part) && table.indexCreations[part.name] == nil {
      // An index of a removed column is not restored: SQLite must not take the column's name for a text.
      connection.withoutStringsInIndexes { _ = connection.executeResult(part.sql) }
    }
  }

  /// Removes the entries, and sets the links to NULL, that refer to missing rows, which remain when another
  /// program has dropped a table, and may remain after a migration. Triggers keep programs without foreign
  /// keys from writing such references.
  ///
  /// All others are left: in a damaged file, rows may be missing that can be saved yet.
  ///
  /// - Complexity: O(n log n) for n entries and links.
  private func removeDanglingReferences() throws(StoreError) {
    let before = connection.changeCount
    for table in schema.loggedTables {
      for reference in table.references {
        guard let target = schema.table(named: reference.target),
          isMigration || file.tables[target.name] == nil
        else { continue }
        let column = quoted(reference.column)
        try connection.execute(
          "\(LogTriggers.removal(of: reference.column, in: table)) "
            + "WHERE \(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(quoted(target.name)) AS t "
            + "WHERE t.\(target.key) = \(quoted(table.name)).\(column))")
      }
    }
    try logAnything(ifChangedSince: before)
  }

  /// Logs that anything may have changed, if something has.
  func logAnything(ifChangedSince before: Int64) throws(StoreError) {
    guard connection.changeCount != before else { return }
    try connection.execute("INSERT INTO \(LogTable.name) (origin) VALUES (NULL)")
  }

  /// The column of the file whose values a column of the class keeps.
  private func kept(_ column: Table.Column, of existing: FileSchema.FileTable) -> FileSchema.Column? {
    let isChanged = differences.flatMap(\.differences).contains { difference in
      guard case .changed = difference.kind else { return false }
      return difference.property == "\(existing.name).\(column.name)"
    }
    guard !isChanged, let old = existing.columns.first(where: { isSameName($0.name, column.name) }),
      old.type == column.type.rawValue
    else { return nil }
    return old
  }

  /// Assigns the rows of rebuilt tables their own defaults that only Swift can compute.
  private func fillComputedDefaults(from old: Connection) throws(StoreError) {
    for (table, _) in differences {
      guard let existing = file.tables[table.name], case .objects(let objects) = table.role else { continue }
      let computed = objects.columns.filter { property in
        let column = table.columns[property.slot]
        return !column.isOptional && column.defaultValue == nil && !property.isPrimaryKey
          && kept(column, of: existing) == nil
      }
      guard !computed.isEmpty else { continue }
      let key = table.key
      let keys = try Statement(old, "SELECT \(key) FROM \(quoted(table.name))")
      let update = try Statement(
        connection,
        "UPDATE \(quoted(table.name)) SET "
          + computed.map { "\(quoted($0.name)) = ?" }.joined(separator: ", ") + " WHERE \(key) = ?")
      while try keys.step() {
        let fresh = objects.newColumns()
        update.bind(computed.map { fresh[$0.slot] } + [keys.value(0)])
        try update.run()
      }
    }
  }

  private static func isOwn(_ trigger: FileSchema.Part) -> Bool {
    trigger.name.hasPrefix(LogTriggers.prefix)
      && (trigger.table != LogTable.name || trigger.name == LogTable.pruning.name)
  }

  /// The statements that change the indexes to those that the classes declare.
  private func indexChanges(in file: FileSchema) -> [(table: Table, changes: [String])] {
    schema.tables.map { table in
      var changes: [String] = []
      let wanted = table.indexCreations
      func isOutdated(_ index: FileSchema.Part) -> Bool {
        guard let sql = wanted[index.name] else { return true }
        return index.sql != sql && index.name.hasPrefix(LogTriggers.prefix)
      }
      for index in file.indexes where index.table == table.name && isOutdated(index) {
        // An index that was created for a declaration is recognized by its form: those of other programs
        // stay.
        if Table.isIndexCreation(index.sql, named: index.name, table: table.name) {
          changes.append("DROP INDEX \(quoted(index.name))")
        }
      }
      for (name, sql) in wanted.sorted(by: { $0.key < $1.key })
      where !file.indexes.contains(where: { $0.name == name && !isOutdated($0) }) {
        changes.append(sql)
      }
      return (table, changes)
    }
  }

  /// The statements that make the full-text indexes those that the classes declare, with all rows.
  private func searchChanges(isRebuilding: Bool) throws(StoreError) -> [String] {
    let concerned = schema.tables.filter { table in
      !table.isEntries
        && (!table.rules.searchColumns.isEmpty || file.tables[table.name]?.isSearchable == true)
    }
    // Where SQLite has no FTS5, a program writes to the file like others that do not know the index.
    guard !concerned.isEmpty, try SearchIndex.isAvailable(on: connection) else { return [] }
    var changes: [String] = []
    for table in concerned {
      if let index = SearchIndex(of: table) {
        let isKnown = file.isPrepared && file.tables[table.name]?.isSearchable == true
        let end = isKnown ? try index.end(on: connection.instance) : nil
        if end == nil || isRebuilding { changes += index.building }
      } else {
        changes += SearchIndex.removal(ofTable: table.name)
      }
    }
    return changes
  }

  /// The file's tables that have triggers, including those of classes that are not known here.
  func loggedTables(in file: FileSchema) -> [LogTriggers.LoggedTable] {
    let own = schema.loggedTables.map(file.withUniqueKeys)
    let names = Set(own.map(\.name))
    // Lists of a known class in the file that are unknown here have been removed.
    return own
      + file.loggedTables.filter { other in
        !names.contains(other.name)
          && !(other.isEntries
            && other.references.contains { $0.column == "owner" && names.contains($0.target) })
      }
  }

  /// The statements that change the triggers to those that the file's tables need, including the ones of
  /// classes that are not known here.
  private func triggerChanges(in file: FileSchema) -> [String] {
    var wanted = LogTriggers(tables: loggedTables(in: file)).all
    wanted[LogTable.pruning.name] = LogTable.pruning.sql
    var changes: [String] = []
    for trigger in file.triggers where Self.isOwn(trigger) && wanted[trigger.name] != trigger.sql {
      changes.append("DROP TRIGGER \(quoted(trigger.name))")
    }
    for (name, sql) in wanted.sorted(by: { $0.key < $1.key })
    where !file.triggers.contains(where: { $0.name == name && $0.sql == sql }) {
      changes.append(sql)
    }
    return changes
  }
}

extension Table {
  /// Runs a closure that creates what the rules of the class need; its error names the class if SQLite does
  /// not understand a condition.
  fileprivate func explaining(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    do throws(StoreError) {
      try body()
    } catch {
      guard error.isGeneral, !rules.checks.isEmpty || rules.indexes.contains(where: { $0.condition != nil })
      else { throw error }
      throw StoreError(
        .schema,
        "SQLite does not understand a condition in \(name).rules; write it in SQL over the columns of "
          + "\(name).", report: error.report)
    }
  }
}

extension Table.Column {
  /// SQL for the value of a row if no other value is known.
  var fallback: String {
    if isOptional { return "NULL" }
    if let defaultValue { return defaultValue }
    switch type {
    case .integer: return "0"
    case .real: return "0.0"
    case .text: return "''"
    case .blob: return "X''"
    }
  }
}

extension Schema {
  var classes: [ObjectSchema] {
    tables.compactMap { if case .objects(let schema) = $0.role { schema } else { nil } }
  }
}

extension StoreError {
  /// The error for a column, such as `Person.age`, that the file had when it was last prepared.
  static func missingColumn(_ column: String, of file: String) -> StoreError {
    StoreError(
      .schema,
      "Another program has renamed or removed the column \(column) of \(file); give it back its name with "
        + "ALTER TABLE, or go back to a copy of the file.")
  }
}
