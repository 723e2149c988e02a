import CSQLite

/// A new file with everything that can be read of a damaged one.
struct RescuedFile {
  let schema: Schema
  let configuration: Store.Configuration
  private let pages: DatabasePages
  private let connection: Connection
  private var report = RescueReport()

  /// - Parameter path: An empty file.
  init(
    at path: String, from damaged: DamagedFile, schema: Schema, _ configuration: Store.Configuration
  ) throws(StoreError) {
    self.schema = schema
    self.configuration = configuration
    pages = DatabasePages(damaged)
    connection = try Connection(path: path, create: false)
  }

  mutating func fill() throws(StoreError) -> RescueReport {
    let source = RescuedSchema(pages)
    try requireOwn(source)
    if !pages.file.hasHeader { report.add("The header of the file is damaged.") }
    if source.isDamaged || source.parts.isEmpty {
      report.add("A part of the file that says which tables there are cannot be read.")
    }
    // The file does not count until it has its name.
    try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
    connection.firesTriggers = false
    try connection.execute("BEGIN")
    try fill(makeTables(source), source)
    try removeLooseEnds()
    for kind in ["index", "view", "trigger"] {
      for part in source.parts(kind) where !isMisspelled(part) {
        make(part, "The \(kind) \(part.name)")
      }
    }
    try connection.execute("PRAGMA application_id = \(configuration.applicationID)")
    try connection.execute("PRAGMA user_version = \(version)")
    try connection.execute("COMMIT")
    guard case .text("ok")? = try connection.firstValue("PRAGMA integrity_check(1)") else {
      throw StoreError(.notADatabase, "The new file is not sound, so nothing was saved.")
    }
    return report
  }

  /// Refuses a file that is not damaged but belongs to another application.
  private func requireOwn(_ source: RescuedSchema) throws(StoreError) {
    let isOwn = source.parts("table").contains { part in
      part.name == FileSchema.notes || schema.tables.contains { $0.name == part.name }
    }
    guard isOwn || source.parts.isEmpty else {
      throw StoreError(
        .otherApplication, "The file is the database of another application; name another file.")
    }
    // No program has more than a hundred versions.
    let newer = schema.version + 1...schema.version + 100
    if let version = pages.file.headerNumber(at: 60), newer.contains(version) {
      throw StoreError(
        .newerVersion,
        "The file was written by a newer version of this program "
          + "(\(version), this one knows \(schema.version)); update the program.")
    }
  }

  /// The schema version of the damaged file, if it is plausible.
  private var version: Int {
    let version = pages.file.headerNumber(at: 60) ?? 0
    return (1...max(schema.version, 1)).contains(version) ? version : schema.version
  }

  /// Whether it is an index or a trigger of the library of whose name a letter has changed its case. SQLite
  /// does not distinguish upper and lower case in names, so that the right one could not be made beside it.
  private func isMisspelled(_ part: RescuedSchema.Part) -> Bool {
    let own =
      part.kind == "trigger"
      ? [LogTriggers.prefix] : schema.tables.flatMap { Array($0.indexCreations.keys) }
    let described = part.sql.split(separator: " ").prefix(3).joined(separator: " ")
    return [part.name, described].contains { text in
      let lowercased = text.lowercased()
      return own.contains { lowercased.contains($0.lowercased()) && !text.contains($0) }
    }
  }

  /// The name of a table as the library spells it.
  private func declaredName(_ name: String) -> String {
    let lowercased = name.lowercased()
    let declared = [FileSchema.notes, LogTable.name] + schema.tables.map(\.name)
    return declared.first { $0.lowercased() == lowercased } ?? name
  }

  /// Creates the tables that the damaged file had, and those of the classes that it no longer describes.
  ///
  /// The rows of the log are not copied: they describe a file that no longer exists.
  private mutating func makeTables(_ source: RescuedSchema) throws(StoreError) -> [RescuedTable] {
    for sql in LogTable.creation + [FileSchema.creation] { try connection.execute(sql) }
    var roots: [(name: String, root: Int?)] = [(FileSchema.notes, nil), (LogTable.name, nil)]
    // A full-text index is made anew when the file is opened.
    for part in source.parts("table")
    where !part.name.hasPrefix("sqlite_") && !part.name.hasPrefix(SearchIndex.prefix) {
      let name = declaredName(part.name)
      if let made = roots.firstIndex(where: { $0.name == name }) {
        roots[made].root = part.root
      } else if part.sql.hasPrefix("CREATE TABLE") {
        if make(part, "The table \(part.name)") {
          roots.append((name, part.root))
          try mendTable(name)
        }
      } else {
        report.add("\(part.name) is a virtual table of another program, and was not saved.")
      }
    }
    for table in schema.tables where !roots.contains(where: { $0.name == table.name }) {
      try connection.execute(table.creation())
      roots.append((table.name, nil))
    }
    var tables: [RescuedTable] = []
    for (name, root) in roots {
      if let table = try RescuedTable(name, root: root, on: connection) { tables.append(table) }
    }
    return tables
  }

  /// Creates a class's table as declared if the damaged file describes it differently, although it has the
  /// same version: a letter of a name has changed, and no program could open that.
  private mutating func mendTable(_ name: String) throws(StoreError) {
    guard version == schema.version, let table = schema.table(named: name) else { return }
    let found = try FileSchema(connection)
    let made = found.tables.first { declaredName($0.key) == name }
    let columns = made?.value.columns ?? []
    var isSame =
      made?.key == name
      && table.columns.allSatisfy { column in
        columns.contains { $0.name == column.name && $0.type == column.type.rawValue }
      }
    if case .objects(let objects) = table.role, isSame {
      isSame = (try? schema.differences(of: table, objects, in: found)) != nil
    }
    // With another number of columns, the values might not be in the class's columns.
    guard !isSame, columns.count == table.columns.count else {
      // By way of another name: for SQLite the two are one.
      if let made, made.key != name {
        let other = quoted(LogTriggers.prefix + "new")
        try connection.execute(
          "ALTER TABLE \(quoted(made.key)) RENAME TO \(other); ALTER TABLE \(other) RENAME TO \(quoted(name))"
        )
      }
      return
    }
    try connection.execute("DROP TABLE \(quoted(name)); \(table.creation())")
    report.add("The file describes the table \(name) wrongly.")
  }

  /// Creates a part of the schema as described in the damaged file; returns whether that succeeded.
  @discardableResult
  private mutating func make(_ part: RescuedSchema.Part, _ name: String) -> Bool {
    do throws(StoreError) {
      // Prepared, so that no second statement is run that damage, or another person, has appended.
      try Statement(connection, part.sql).run()
      return true
    } catch {
      // Parts that the classes need are created again when the file is opened.
      if !part.name.hasPrefix(LogTriggers.prefix) { report.add("\(name) could not be made again.") }
      return false
    }
  }

  private mutating func fill(_ tables: [RescuedTable], _ source: RescuedSchema) throws(StoreError) {
    let all = try tables + indexes(of: tables, source)
    let assignment = PageAssignment(pages, tables: all, relations: relations(of: all))
    for (index, table) in tables.enumerated() where table.name != LogTable.name {
      let (count, refused) = try insert(table, assignment.pages[index])
      if table.name != FileSchema.notes { report.rows.append((table.name, count)) }
      func add(_ count: Int, _ one: String, _ sentence: String) {
        if count > 0 {
          report.add("\(count == 1 ? "A \(one)" : "\(count.grouped) \(one)s") of \(table.name) \(sentence)")
        }
      }
      add(assignment.damaged[index], "page", "cannot be read; what stood there alone is lost.")
      add(assignment.damagedCells[index], "row", "cannot be read.")
      add(refused, "row", "cannot be there, or twice; others may be lost in such places.")
    }
    if assignment.strays > 0, assignment.mayHoldDeleted {
      report.add("Rows were found that nothing leads to; some of them may have been deleted before.")
    }
    for table in schema.tables where version == schema.version {
      try FileSchema.note(table, on: connection)
    }
  }

  /// The indexes of some tables, in the form in which damaged pages are compared with them.
  private func indexes(
    of tables: [RescuedTable], _ source: RescuedSchema
  ) throws(StoreError) -> [RescuedTable] {
    var creations = Dictionary(source.parts("index").map { ($0.name, $0.sql) }) { first, _ in first }
    for table in schema.tables { creations.merge(table.indexCreations) { first, _ in first } }
    let made = creations.filter { (try? Statement(connection, $0.value).run()) != nil }
    var indexes: [RescuedTable] = []
    for table in tables {
      let list = try Statement(connection, "SELECT name FROM pragma_index_list(?) WHERE origin <> 'pk' OR ?")
      list.bind(.text(table.name), at: 1)
      list.bind(.integer(table.hasRowNumbers ? 1 : 0), at: 2)
      while try list.step() {
        guard case .text(let name) = list.value(0) else { continue }
        indexes.append(
          try RescuedTable(index: name, root: source.indexRoots[name], of: table, on: connection))
      }
    }
    // They are created again after the rows, except those of rules: of two rows that break one, such as an
    // old and a new one, only the first is saved.
    for (name, sql) in made
    where !(name.hasPrefix(LogTriggers.prefix) && sql.hasPrefix("CREATE UNIQUE INDEX")) {
      try connection.execute("DROP INDEX \(quoted(name))")
    }
    return indexes
  }

  /// The references between the tables, as the classes declare them.
  private func relations(of tables: [RescuedTable]) -> PageAssignment.Relations {
    var relations = PageAssignment.Relations(
      references: tables.map { _ in [] }, keys: tables.map { _ in nil })
    for (index, rescued) in tables.enumerated() {
      guard let table = schema.table(named: rescued.name) else { continue }
      func column(_ place: Int) -> Int? {
        rescued.columns.firstIndex { $0.name == table.columns[place].name }
      }
      if !rescued.isIndex { relations.keys[index] = column(table.primaryKey) }
      for reference in table.references {
        let target = schema.tables[reference.target].name
        guard let place = column(reference.column),
          let target = tables.firstIndex(where: { $0.name == target && !$0.isIndex })
        else { continue }
        relations.references[index].append((place, target))
      }
    }
    return relations
  }

  /// Inserts the rows of some pages; returns the number of rows in the table, and of those refused.
  private func insert(
    _ table: RescuedTable, _ numbers: [Int]
  ) throws(StoreError) -> (count: Int, refused: Int) {
    var statements: [[Int]: Statement] = [:]
    var read = 0
    for number in numbers {
      for row in pages.page(number)?.rows ?? [] {
        // The default replaces a required value that is missing.
        let columns = table.columns.indices.filter { column in
          let description = table.columns[column]
          guard !description.isGenerated, column < row.values.count else { return false }
          return !description.isRequired || table.value(column, of: row) != .null
        }
        let statement: Statement
        if let known = statements[columns] {
          statement = known
        } else {
          statement = try Statement(connection, insertion(table, columns))
          statements[columns] = statement
        }
        statement.bind(columns.map { table.value($0, of: row) })
        read += 1
        // An invalid row is not inserted.
        let result = statement.result()
        guard [SQLITE_OK, SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(result & 0xff) else {
          throw StoreError(sqlite: result, handle: connection.handle, while: "save rows")
        }
      }
    }
    let found = try connection.firstValue("SELECT count(*) FROM \(quoted(table.name))")
    let count = Int(found?.integerReading ?? 0)
    return (count, read - count)
  }

  private func insertion(_ table: RescuedTable, _ columns: [Int]) -> String {
    let names = columns.map { quoted(table.columns[$0].name) }.joined(separator: ", ")
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    return columns.isEmpty
      ? "INSERT OR IGNORE INTO \(quoted(table.name)) DEFAULT VALUES"
      : "INSERT OR IGNORE INTO \(quoted(table.name)) (\(names)) VALUES (\(values))"
  }

  /// Removes references to lost rows.
  private mutating func removeLooseEnds() throws(StoreError) {
    let logged = try FileSchema(connection).loggedTables
    for table in logged {
      for reference in table.references {
        guard let target = logged.first(where: { $0.name == reference.target }) else { continue }
        let column = quoted(reference.column)
        let condition =
          "WHERE \(column) IS NOT NULL AND \(column) NOT IN "
          + "(SELECT \(quoted(target.primaryKey)) FROM \(quoted(target.name)))"
        try connection.execute(
          table.isEntries
            ? "DELETE FROM \(quoted(table.name)) \(condition)"
            : "UPDATE \(quoted(table.name)) SET \(column) = NULL \(condition)")
        let count = try connection.firstInteger("SELECT changes()")
        if table.isEntries, let index = report.rows.firstIndex(where: { $0.table == table.name }) {
          report.rows[index].count -= Int(count)
        }
        if count > 0 {
          report.add(
            "\(Int(count).counted("row")) of \(table.name) "
              + "led to a row of \(target.name) that is lost."
          )
        }
      }
    }
  }
}
