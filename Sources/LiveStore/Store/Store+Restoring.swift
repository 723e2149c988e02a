import LibC

extension Store {
  /// Gives the objects and lists of the store's classes the values that they have in a copy of the file, in
  /// one transaction, while other programs and stores use it.
  ///
  /// Only what differs is written, as any program could write it: observers get the usual change sets, and a
  /// file that is joined to those of other machines sends them to these. What the file held before is copied
  /// beside it first, as `people.db.before-restore`.
  ///
  /// ```swift
  /// let former = try store.restore(from: "people.backup")
  /// ```
  ///
  /// The store advances to that as to the commit of another program. Tables of other programs stay as they
  /// are. A copy of an older version is migrated in memory, and is not changed itself.
  ///
  /// - Parameters:
  ///   - copy: The path of the copy.
  ///   - types: The classes whose objects and lists stay as they are.
  ///   - keepsFormer: Whether what the file held before is copied.
  /// - Returns: The path of that copy; `nil` if there is none, because the file held the same already, or is
  ///   one in memory, or because none was asked for.
  /// - Throws: ``StoreError`` when the copy cannot be read, is damaged or of another application, when a rule
  ///   of the classes or a unique index of another program forbids the way from one to the other, and the
  ///   errors of a write; the file is as it was then.
  /// - Complexity: O(size of both files), in memory of the copy's size. No other program can write meanwhile,
  ///   except while the copy is read.
  @discardableResult
  public func restore(
    from copy: String, leaving types: [Object.Type] = [], keepingFormer keepsFormer: Bool = true
  ) throws(StoreError) -> String? {
    var memory = configuration.ofCopyInMemory
    memory.followsCommits = false
    let file = try StoreFile(memory.location)
    return try withExtendedLifetime(file) { () throws(StoreError) in
      let source = DatabaseFile(
        identity: FileIdentity(files: DatabaseFiles(databasePath: copy)), configuration: configuration,
        schema: schema)
      try source.openCopy().copy(to: file.path)
      guard try FileSchema(Connection(path: file.path, create: false)).isPrepared else {
        throw StoreError(.schema, "“\(copy)” holds no store; name a copy of one.")
      }
      // Opening brings it up to the version of the classes.
      _ = try DatabaseFile(
        identity: FileIdentity(files: file.files), configuration: memory, schema: schema
      ).open()
      var former: String?
      try withOwnConnection("restored") { (connection) throws(StoreError) in
        former = try connection.restore(schema, of: database, from: file.path, leaving: types, keepsFormer)
      }
      return former
    }
  }
}

extension Connection {
  /// Makes tables equal to those of a copy, as another program could do it; returns the path of the copy of
  /// what they held before, if that was something else.
  fileprivate func restore(
    _ schema: Schema, of file: DatabaseFile, from copy: String, leaving types: [Object.Type],
    _ keepsFormer: Bool
  ) throws(StoreError) -> String? {
    (firesTriggers, isLoggedByTriggers, keepsParts) = (true, true, true)
    try execute("ATTACH \(literal(copy)) AS \(Restoration.copy)")
    try execute("BEGIN IMMEDIATE")
    var former: String?
    do throws(StoreError) {
      if keepsFormer { former = try file.backUp(named: "before-restore") }
      let before = changeCount
      try Restoration(self, schema, leaving: types).run()
      try execute("COMMIT")
      if changeCount != before { return former }
    } catch {
      _ = executeResult("ROLLBACK")
      if let former { unlink(former) }
      throw error
    }
    if let former { unlink(former) }
    return nil
  }
}

/// The statements that make the tables of some classes equal to those of an attached copy.
private struct Restoration {
  /// The name by which the copy is attached.
  static let copy = "copy"

  let connection: Connection
  let schema: Schema
  /// The tables of the classes that do not stay as they are.
  let tables: [Table]

  init(_ connection: Connection, _ schema: Schema, leaving types: [Object.Type]) {
    (self.connection, self.schema) = (connection, schema)
    func isLeft(_ table: Table) -> Bool {
      switch table.role {
      case .objects(let objects): types.contains { $0 == objects.type }
      case .entries(let owner, _): isLeft(schema.tables[owner])
      }
    }
    tables = schema.tables.filter { !isLeft($0) }
  }

  func run() throws(StoreError) {
    let (entries, objects) = (tables.filter(\.isEntries), tables.filter { !$0.isEntries })
    // First the entries and links by which a rule would delete another object, or refuse to delete one.
    for table in entries {
      guard case .entries(let owner, let target) = table.role else { continue }
      try connection.execute(
        "DELETE FROM \(here(table)) WHERE NOT (\(isCopied(table, with: ["owner", "target"]))"
          + " AND \(leadsToKept("owner", owner)) AND \(leadsToKept("target", target)))")
    }
    for table in objects {
      for reference in ruledLinks(of: table) {
        let column = table.column(reference.column)
        try connection.execute(
          "UPDATE \(here(table)) SET \(column) = NULL WHERE \(column) IS NOT NULL "
            + "AND NOT (\(isCopied(table, with: [column] + uniqueColumns(of: table)))"
            + " AND \(leadsToKept(column, reference.target)))")
      }
    }
    for table in objects {
      try connection.execute("DELETE FROM \(here(table)) WHERE NOT \(isKept(table))")
    }
    // Links with rules are set when what they lead to is there.
    for table in objects {
      let links = ruledLinks(of: table).map { table.column($0.column) }
      try insert(into: table, columns(of: table).filter { !links.contains($0) })
    }
    for table in objects { try update(table) }
    for table in entries {
      try insert(into: table, columns(of: table))
      try update(table)
    }
  }

  /// The links of which a rule says what happens to them, or to the objects that they lead to, when the other
  /// one is deleted.
  private func ruledLinks(of table: Table) -> [Table.Reference] {
    table.references.filter { reference in
      table.rules.deletions[reference.column].map { $0 != .nullify } == true
        || table.rules.owners.contains { $0.property == .column(reference.column) }
    }
  }

  /// The quoted columns that the table has here and in the copy, also those of other programs.
  private func columns(of table: Table) throws(StoreError) -> [String] {
    try Statement(
      connection,
      """
      SELECT name FROM pragma_table_xinfo(\(literal(table.name)), 'main') WHERE hidden = 0 AND name IN (
      SELECT name FROM pragma_table_xinfo(\(literal(table.name)), '\(Self.copy)') WHERE hidden = 0)
      """
    ).all { quoted($0.value(0).textReading ?? "") }
  }

  /// The condition that a row stays, and gets other values at most. One whose unique values are others would
  /// be in the way of the row that gets them, and is made anew.
  private func isKept(_ table: Table, row: String = "m") -> String {
    isCopied(table, with: uniqueColumns(of: table), row: row)
  }

  private func uniqueColumns(of table: Table) -> [String] {
    Set(table.rules.uniqueKeys.joined()).sorted().map(table.column)
  }

  /// The condition that the copy has a row with the primary key of a row, and the same in some columns.
  private func isCopied(_ table: Table, with columns: [String], row: String = "m") -> String {
    let same = ([table.key] + columns).map { "o.\($0) IS \(row).\($0)" }.joined(separator: " AND ")
    return "EXISTS (SELECT 1 FROM \(there(table)) WHERE \(same))"
  }

  /// The condition that a column of a row `m` leads to a row that stays.
  private func leadsToKept(_ column: String, _ target: Int) -> String {
    let target = schema.tables[target]
    return "EXISTS (SELECT 1 FROM main.\(quoted(target.name)) AS t WHERE t.\(target.key) = m.\(column) "
      + "AND \(isKept(target, row: "t")))"
  }

  private func insert(into table: Table, _ columns: [String]) throws(StoreError) {
    let list = columns.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO main.\(quoted(table.name)) (\(list)) SELECT \(list) FROM \(there(table)) WHERE NOT EXISTS "
        + "(SELECT 1 FROM \(here(table)) WHERE m.\(table.key) = o.\(table.key))")
  }

  private func update(_ table: Table) throws(StoreError) {
    let columns = try columns(of: table).filter { $0 != table.key }
    guard !columns.isEmpty else { return }
    let values = columns.map { "\($0) = o.\($0)" }.joined(separator: ", ")
    // By the bytes, whatever another program says of how a column compares its values.
    let differences = columns.map { "m.\($0) IS NOT o.\($0) COLLATE BINARY" }.joined(separator: " OR ")
    try connection.execute(
      "UPDATE \(here(table)) SET \(values) FROM \(there(table)) "
        + "WHERE o.\(table.key) = m.\(table.key) AND (\(differences))")
  }

  /// A table of the file, with the name `m`.
  private func here(_ table: Table) -> String { "main.\(quoted(table.name)) AS m" }

  /// The same of the copy, with the name `o`.
  private func there(_ table: Table) -> String { "\(Self.copy).\(quoted(table.name)) AS o" }
}
