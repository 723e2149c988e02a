/// A search for faults in a file.
struct FileCheck {
  let path: String
  let schema: Schema
  let connection: Connection
  private(set) var faults: [String] = []

  mutating func run() throws(StoreError) {
    try connection.readingOneVersion { () throws(StoreError) in try lookForAll() }
  }

  private mutating func lookForAll() throws(StoreError) {
    guard try connection.firstInteger("PRAGMA page_count") > 0 else {
      return add(
        "“\(path)” is empty. If something was in it, another program has removed it; go back to a copy.")
    }
    try step { (check) throws(StoreError) in try check.checkPages() }
    try step { (check) throws(StoreError) in try check.checkReferences() }
    try step { (check) throws(StoreError) in try check.checkTables() }
    try step { (check) throws(StoreError) in try check.checkLog() }
  }

  /// Looks for one kind of fault; an unreadable page is one too.
  private mutating func step(_ look: (inout FileCheck) throws(StoreError) -> Void) throws(StoreError) {
    do throws(StoreError) {
      try look(&self)
    } catch {
      guard error.isDamage else { throw error }
      add("A part of the file cannot be read: pages are damaged.")
    }
  }

  private mutating func add(_ sentence: String) {
    if !faults.contains(sentence) { faults.append(sentence) }
  }

  private mutating func checkPages() throws(StoreError) {
    // A hundred are enough.
    let sentences = try Statement(connection, "PRAGMA integrity_check(100)").all { $0.value(0).textReading }
      .compactMap(\.self).filter { $0 != "ok" }
    guard let first = sentences.first?.prefix(200) else { return }
    let count = sentences.count
    let number = count == 1 ? "one fault" : count < 100 ? "\(count) faults" : "100 faults or more"
    // The first one has "*** in database main ***" on a separate line.
    let lines = first.split(separator: "\n").filter { !$0.hasPrefix("***") }
    add("Pages or indexes are damaged: SQLite finds \(number), the first of them “\(lines.first ?? "")”.")
  }

  private mutating func checkReferences() throws(StoreError) {
    let file = try FileSchema(connection)
    for table in file.loggedTables {
      for reference in table.references {
        guard let target = file.loggedTables.first(where: { $0.name == reference.target }) else {
          add("\(table.name) leads to the table \(reference.target), which is not there.")
          continue
        }
        let column = quoted(reference.column)
        let count = try connection.firstValue(
          "SELECT count(*) FROM \(quoted(table.name)) WHERE \(column) IS NOT NULL AND \(column) NOT IN "
            + "(SELECT \(quoted(target.primaryKey)) FROM \(quoted(target.name)))")
        guard let count = count?.integerReading, count > 0 else { continue }
        let rows = count == 1 ? "A row" : "\(Int(count).grouped) rows"
        add(
          "\(rows) of \(table.name) lead\(count == 1 ? "s" : "") "
            + "to a row of \(target.name) that is not there."
        )
      }
    }
  }

  private mutating func checkTables() throws(StoreError) {
    guard case .integer(let version)? = try connection.firstValue("PRAGMA user_version"),
      version == Int64(schema.version)
    else { return }
    let update = try SchemaUpdate(path: path, schema: schema, version: Int(version), connection: connection)
    do throws(StoreError) {
      try update.requireReadable()
      try schema.check(connection)
    } catch {
      guard error.code == .schema else { throw error }
      return add(error.description)
    }
    for table in schema.tables {
      if case .objects(let objects) = table.role { try checkKeys(of: objects) }
    }
  }

  /// Looks for primary keys in another form than that by which stores find an object, such as a UUID in lower
  /// case.
  private mutating func checkKeys(of objects: ObjectSchema) throws(StoreError) {
    let key = objects.key
    guard key.columnType == .text else { return }
    let (name, table) = (quoted(key.name), quoted(objects.name))
    var count = 0
    var example: (found: String, wanted: String)?
    let keys = try Statement(connection, "SELECT \(name) FROM \(table)")
    while try keys.step() {
      guard case .text(let found) = keys.value(0),
        case .text(let wanted)? = key.storage.column(converting: found), found != wanted
      else { continue }
      count += 1
      if example == nil { example = (found, wanted) }
    }
    guard let example else { return }
    add(
      "\(count == 1 ? "An object" : "\(count.grouped) objects") of \(objects.name) cannot be found by "
        + "\(key.name), which another program has written in another form, such as “\(example.found)”; "
        + "change it to “\(example.wanted)” with UPDATE, while PRAGMA foreign_keys is ON.")
  }

  private mutating func checkLog() throws(StoreError) {
    guard try FileSchema(connection).tables[LogTable.name] != nil else { return }
    let count = try Statement(
      connection, "SELECT entries FROM \(LogTable.name) WHERE entries IS NOT NULL"
    ).all { row -> Bool in
      guard case .blob(let entries) = row.value(0) else { return false }
      return ChangeLog.isReadable(entries, schema: schema)
    }.count { !$0 }
    if count > 0 {
      add(
        "\(count == 1 ? "A row" : "\(count.grouped) rows") of the log of changes cannot be read; "
          + "nothing is lost by it."
      )
    }
  }
}

extension StoreError {
  /// Whether the file is damaged.
  var isDamage: Bool {
    switch code {
    // The definitions of the tables are text in the file: if that is damaged, SQLite reports a syntax error.
    case .notADatabase, .damaged, .sqlite: true
    default: false
    }
  }
}
