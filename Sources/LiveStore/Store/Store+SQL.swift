/// SQL of the program.
extension Store {
  /// Selects rows with a statement of SQL.
  ///
  /// ```swift
  /// let titles = try store.select(sql: "SELECT title FROM Book WHERE readers > ?", 3)
  /// print(try titles.decoded(as: String.self))
  /// ```
  ///
  /// A class is a table with its name, a property a column, a link the primary key that it leads to, and a
  /// list a table `Class_list` with the columns `owner`, `position` and `target`.
  ///
  /// - Parameters:
  ///   - sql: One statement that reads rows.
  ///   - arguments: The values of its parameters, each a `?`, in their order.
  /// - Returns: The rows, which follow the versions that the store shows.
  /// - Throws: ``StoreError/Code/misuse`` when SQLite does not understand the statement, when it does
  ///   anything but read, and when it has another number of parameters.
  public func select(
    sql: String, _ arguments: any SQLiteValueConvertible...
  ) throws(StoreError) -> SQLResults {
    confinement.require()
    requireOpen()
    let query = exclusively { Result { () throws(StoreError) in try selection(sql, arguments) } }
    return SQLResults(store: self, query: try query.get())
  }

  /// The first column of the first row that a statement selects from any table of the file, in the version
  /// that the store shows, or that the open transaction makes; `nil` if there is no row.
  ///
  /// - Throws: ``StoreError``, also when the file has no such table.
  package func firstValue(sql: String) throws(StoreError) -> SQLiteValue? {
    confinement.require()
    requireOpen()
    return try connection.firstValue(sql)
  }

  private func selection(
    _ sql: String, _ arguments: [any SQLiteValueConvertible]
  ) throws(StoreError) -> SelectQuery {
    try requireReadable()
    let (statement, access) = try connection.prepare(sql, mayWrite: false)
    try require(arguments, for: statement)
    var reads: [Int: Set<Int>] = [:]
    for (name, columns) in access.reads {
      guard let table = schema.table(named: name) else { continue }
      let own = table.columns.indices.filter { columns.contains(table.columns[$0].name) }
      // A column that another program has added may be computed from any.
      reads[table.index] = Set(own.count == columns.count ? own : Array(table.columns.indices))
    }
    let columns = statement.columnNames
    let primaryKey = columns.indices.first { column in
      guard let origin = statement.origin(of: column), let table = schema.table(named: origin.table) else {
        return false
      }
      return !table.isEntries && table.columns[table.primaryKey].name == origin.column
    }
    return SelectQuery(
      sql: sql, parameters: arguments.map(\.sqliteValue), reads: reads, columns: columns,
      key: primaryKey.map { [$0] } ?? Array(columns.indices))
  }

  /// Changes rows with a statement of SQL, in the open write transaction.
  ///
  /// Objects, collections and observers see the changes like any others, with all that follows from them by
  /// the rules of the file. A cancelled write takes them back.
  ///
  /// ```swift
  /// try store.write { try store.execute(sql: "UPDATE Book SET readers = readers + 1 WHERE author = ?", 1) }
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One `INSERT`, `UPDATE` or `DELETE`.
  ///   - arguments: The values of its parameters, each a `?`, in their order.
  /// - Returns: The number of rows that the statement has changed itself.
  /// - Throws: ``StoreError``. A statement that is refused, because of a mistake in it or a rule of the file,
  ///   has changed nothing, and the write may go on; after any other error the write can only be cancelled.
  @discardableResult
  public func execute(
    sql: String, _ arguments: any SQLiteValueConvertible...
  ) throws(StoreError) -> Int {
    requireWrite()
    if let writeFailure { throw writeFailure }
    let known = try knownStatement(sql)
    // A new number of an entry may have been taken.
    highestEntry = [:]
    let count: Int
    do throws(StoreError) {
      // The triggers of lists give an entry its place.
      count =
        known.writesEntries
        ? try connection.withTriggers { () throws(StoreError) in try run(sql, arguments, known) }
        : try run(sql, arguments, known)
      try forgetExcess()
    } catch {
      notifyTouched()
      if !connection.isInTransaction || !error.isRefusal { failWrite(error) }
      throw error
    }
    notifyTouched()
    if let writeFailure { throw writeFailure }
    return count
  }

  /// Changes rows through the connection, in the open write transaction, by any statements: also those that
  /// ``execute(sql:_:)`` refuses, and those that write tables of no class.
  ///
  /// Objects, collections and observers see the changes like any others. After an error the write can only be
  /// cancelled.
  package func change<R>(_ body: (Connection) throws(StoreError) -> R) throws(StoreError) -> R {
    requireWrite()
    if let writeFailure { throw writeFailure }
    // A new number of an entry may have been taken.
    highestEntry = [:]
    defer { notifyTouched() }
    do throws(StoreError) {
      let result = try connection.withTriggers { () throws(StoreError) in try body(connection) }
      try forgetExcess()
      if let writeFailure { throw writeFailure }
      return result
    } catch {
      failWrite(error)
      throw error
    }
  }

  /// The facts about a statement that running it needs. Throws if it does anything but change and read rows.
  private func knownStatement(_ sql: String) throws(StoreError) -> KnownStatement {
    if let known = knownStatements[sql] { return known }
    let access = try connection.prepare(sql, mayWrite: true).access
    if sql.isUpdateOrReplace {
      for table in access.writes.compactMap({ schema.table(named: $0) }) {
        guard let link = table.references.first(where: { $0.target == table.index }) else { continue }
        throw StoreError(
          .misuse,
          "UPDATE OR REPLACE of \(table.name) would damage the file where the "
            + "\(table.columns[link.column].name) of a row leads to the one that it replaces; "
            + "delete that one in a statement of its own.")
      }
    }
    let known = KnownStatement(
      writesEntries: access.writes.contains { schema.table(named: $0)?.isEntries ?? false },
      mayFail: sql.lowercased().contains("fail"))
    // A program that builds SQL from values would otherwise fill the memory with statements.
    if knownStatements.count >= 512 { knownStatements = [:] }
    knownStatements[sql] = known
    return known
  }

  private func run(
    _ sql: String, _ arguments: [any SQLiteValueConvertible], _ known: KnownStatement
  ) throws(StoreError) -> Int {
    let statement = try connection.instance.prepare(sql)
    defer { statement.reset() }
    try require(arguments, for: statement)
    statement.bind(arguments.map(\.sqliteValue))
    let before = connection.changeCount
    // `OR FAIL`, and `RAISE(FAIL)` in a trigger of another program, keep what was changed until then.
    let leavesRows = known.mayFail || !recorder.foreign.triggers.isEmpty
    if leavesRows { try connection.execute("SAVEPOINT statement") }
    do throws(StoreError) {
      try statement.run()
    } catch {
      let error = namingDenials(error)
      if leavesRows, connection.isInTransaction {
        statement.reset()
        try connection.execute("ROLLBACK TO statement; RELEASE statement")
      }
      throw error
    }
    if leavesRows { try connection.execute("RELEASE statement") }
    return connection.changeCount == before ? 0 : connection.lastChangeCount
  }

  private func require(
    _ arguments: [any SQLiteValueConvertible], for statement: Statement
  ) throws(StoreError) {
    guard arguments.count != statement.parameterCount else { return }
    throw StoreError(
      .misuse,
      "The statement has \(statement.parameterCount) parameters and got \(arguments.count) values; "
        + "pass one for each question mark.")
  }
}

/// A statement of the program that changes rows, as far as it has to be known to run it.
struct KnownStatement {
  /// Whether it changes entries of lists.
  let writesEntries: Bool
  /// Whether it may say `OR FAIL`.
  let mayFail: Bool
}

extension StoreError {
  /// Whether only the statement has failed, without an effect on its transaction.
  fileprivate var isRefusal: Bool { isConstraint || code == .misuse || code == .invalidValue }
}

extension String {
  /// Whether SQL updates rows and replaces those that are in the way. With foreign keys SQLite (3.40.1) sets
  /// the links to these to NULL, also that of the row which it updates, then writes that link as it was, and
  /// the index of the link lacks it.
  fileprivate var isUpdateOrReplace: Bool {
    let words = codeWithoutComments.lowercased().split(whereSeparator: \.isWhitespace)
    return words.indices.contains { words[$0...].starts(with: ["update", "or", "replace"]) }
  }

  /// SQL with a space for each comment, and for each text or name between quotation marks.
  private var codeWithoutComments: String {
    var code = String.UnicodeScalarView()
    var rest = unicodeScalars[...]
    while let first = rest.first {
      let end: String? =
        switch first {
        case "'", "\"", "`": String(first)
        case "[": "]"
        case "-" where rest.starts(with: "--".unicodeScalars): "\n"
        case "/" where rest.starts(with: "/*".unicodeScalars): "*/"
        default: nil
        }
      rest.removeFirst(end == "*/" ? 2 : 1)
      code.append(end == nil ? first : " ")
      guard let end else { continue }
      // A quotation mark within quotation marks is written twice; a comment may end with the SQL.
      rest = rest.firstRange(of: end.unicodeScalars).map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
    }
    return String(code)
  }
}
