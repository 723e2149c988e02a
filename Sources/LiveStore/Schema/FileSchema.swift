/// The tables, indexes and triggers of a file.
struct FileSchema {
  struct Column {
    let name: String
    /// The type in `CREATE TABLE`, in upper case.
    let type: String
    fileprivate(set) var isOptional: Bool
    let defaultValue: String?
    let isPrimaryKey: Bool
    /// The table that a foreign key refers to.
    var target: String?
    /// The fate of the row when the one that it refers to is deleted.
    var onDelete = DeletionRule.nullify
  }

  struct FileTable {
    let name: String
    /// The statement that created the table.
    let sql: String
    /// The columns with values of their own.
    var columns: [Column] = []
    /// The columns that SQLite computes from others, which only another program can have added.
    var computedColumns: [String] = []
    /// The names of both, in their order.
    private(set) var columnNames: [String] = []
    /// The names of the class's properties when they were last recorded; `nil` for a table that holds no
    /// class.
    var properties: [String]?
    /// The checks of the class when they were last recorded.
    var checks = ""
    /// The properties through which objects own others, when they were last recorded.
    var owners: [String] = []
    /// Whether the class has a full-text index.
    var isSearchable = false

    /// The columns of the class, without those that another program has added.
    var ownColumns: [Column] {
      guard let properties else { return columns }
      return columns.filter { properties.contains($0.name) }
    }

    var lists: [String] {
      properties.map { $0.filter { name in !columns.contains { $0.name == name } } } ?? []
    }

    /// The names of the columns of other programs beside those of a class, and their definitions.
    func others(than table: Table) -> [(name: String, definition: String)] {
      let definitions = ColumnDefinitions(in: sql).texts
      return zip(columnNames, definitions).filter { column in
        !ownColumns.contains { $0.name == column.0 }
          && !table.columns.contains { isSameName($0.name, column.0) }
      }.map { ($0, $1) }
    }

    /// The constraints of the table as a whole, those of other programs too.
    var constraints: ArraySlice<String> { ColumnDefinitions(in: sql).texts.dropFirst(columnNames.count) }

    fileprivate mutating func add(_ column: Column, isComputed: Bool) {
      columnNames.append(column.name)
      if isComputed { computedColumns.append(column.name) } else { columns.append(column) }
    }

    /// The column by which each row is known; `nil` if there is none, or if several are it together.
    var primaryKey: Column? {
      let keys = columns.filter(\.isPrimaryKey)
      return keys.count == 1 ? keys[0] : nil
    }

    /// The quoted name of the primary key.
    var key: String { quoted(primaryKey?.name ?? "") }
  }

  struct Part {
    let name: String
    /// The table, or the view, as it is called where it was created.
    fileprivate(set) var table: String
    let sql: String
  }

  private(set) var tables: [String: FileTable] = [:]
  /// The properties of the classes that were last recorded, also of those whose tables are gone.
  private var notedProperties: [String: [String]] = [:]
  /// The indexes without those that SQLite creates by itself.
  private(set) var indexes: [Part] = []
  private(set) var triggers: [Part] = []
  /// The columns of each unique index besides the primary key, with their collations, by table.
  private var uniqueKeys: [String: [[(column: String, collation: String)]]] = [:]

  static let notes = "_livestore_meta"
  private static let classNote = "class "
  private static let checksNote = "checks "
  private static let ownersNote = "owners "

  static let creation =
    "CREATE TABLE IF NOT EXISTS \(notes) (name TEXT PRIMARY KEY, value) WITHOUT ROWID"

  /// The parts that a query selects from `sqlite_schema`, by type, name, table and text.
  static func parts(
    _ query: String, _ connection: Connection
  ) throws(StoreError) -> [(type: String, part: Part)] {
    try Statement(connection, query).all { row -> (type: String, part: Part)? in
      guard case .text(let type) = row.value(0), case .text(let name) = row.value(1),
        case .text(let table) = row.value(2), case .text(let sql) = row.value(3)
      else { return nil }
      return (type, Part(name: name, table: table, sql: sql))
    }.compactMap { $0 }
  }

  /// - Complexity: O(n) for n tables, indexes and triggers; rows are not read.
  init(_ connection: Connection) throws(StoreError) {
    let parts = try Self.parts(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid", connection)
    var unique: Set<String> = []
    for (type, part) in parts {
      switch type {
      // Virtual tables belong to other programs, and need their modules.
      case "table" where part.sql.hasPrefix("CREATE TABLE"):
        tables[part.name] = FileTable(name: part.name, sql: part.sql)
        if part.sql.uppercased().contains("UNIQUE") { unique.insert(part.name) }
      case "index":
        indexes.append(part)
        if part.sql.hasPrefix("CREATE UNIQUE") { unique.insert(part.table) }
      case "trigger": triggers.append(part)
      default: break
      }
    }
    for table in unique { uniqueKeys[table] = try Self.uniqueKeys(of: table, connection) }
    let names = Dictionary(tables.keys.map { (foldedName($0), $0) }) { name, _ in name }
    // The author of a trigger or a reference may have written the table's name in another case.
    for index in triggers.indices {
      triggers[index].table = names[foldedName(triggers[index].table)] ?? triggers[index].table
    }
    try readColumns(connection, names)
    if tables[Self.notes] != nil { try readNotes(connection) }
  }

  /// Reads the columns of the tables, and what they lead to.
  ///
  /// - Parameter names: The names of the tables by their folded ones.
  private mutating func readColumns(_ connection: Connection, _ names: [String: String]) throws(StoreError) {
    let columns = try Statement(
      connection, "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)")
    let keys = try Statement(connection, "SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'")
    let references = try Statement(
      connection, "SELECT \"from\", \"table\", on_delete FROM pragma_foreign_key_list(?)")
    for name in tables.keys {
      guard var table = tables[name] else { continue }
      columns.bind(.text(name), at: 1)
      while try columns.step() {
        guard case .text(let column) = columns.value(0), case .text(let type) = columns.value(1) else {
          continue
        }
        table.add(
          Column(
            name: column, type: type.uppercased(), isOptional: columns.integer(2) == 0,
            defaultValue: columns.value(3).textReading, isPrimaryKey: columns.integer(4) > 0),
          isComputed: columns.integer(5) != 0)
      }
      // The row number is never NULL, whether that is declared or not. SQLite makes an index for other keys.
      if let key = table.primaryKey, key.isOptional, key.type == "INTEGER",
        try !keys.hasRow([.text(name)])
      {
        for index in table.columns.indices where table.columns[index].isPrimaryKey {
          table.columns[index].isOptional = false
        }
      }
      references.bind(.text(name), at: 1)
      while try references.step() {
        guard case .text(let column) = references.value(0), case .text(let target) = references.value(1),
          let index = table.columns.firstIndex(where: { $0.name == column })
        else { continue }
        table.columns[index].target = names[foldedName(target)] ?? target
        table.columns[index].onDelete =
          references.value(2).textReading.flatMap(DeletionRule.init) ?? .nullify
      }
      tables[name] = table
    }
  }

  /// Reads what was last recorded of the classes.
  private mutating func readNotes(_ connection: Connection) throws(StoreError) {
    let notes = try Statement(connection, "SELECT name, value FROM \(Self.notes)")
    while try notes.step() {
      guard case .text(let name) = notes.value(0), case .text(let value) = notes.value(1) else { continue }
      func table(_ note: String) -> String? {
        name.hasPrefix(note) ? String(name.dropFirst(note.count)) : nil
      }
      let lines = value.split(separator: "\n").map(String.init)
      if let table = table(Self.classNote) {
        notedProperties[table] = lines
        tables[table]?.properties = lines
      } else if let table = table(Self.checksNote) {
        tables[table]?.checks = value
      } else if let table = table(Self.ownersNote) {
        tables[table]?.owners = lines
      } else if let table = table("search ") {
        tables[table]?.isSearchable = true
      }
    }
  }

  /// The columns of the unique indexes that another program has added to a table. For one over an expression,
  /// or with that program's own collation, triggers cannot find the row with the same value.
  private static func uniqueKeys(
    of table: String, _ connection: Connection
  ) throws(StoreError) -> [[(column: String, collation: String)]] {
    let indexes = try Statement(
      connection, "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND origin <> 'pk' ORDER BY name")
    let columns = try Statement(connection, "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key")
    var keys: [[(column: String, collation: String)]] = []
    for index in try indexes.all([.text(table)], read: { $0.value(0) }) {
      let key = try columns.all([index]) { part -> (column: String, collation: String)? in
        guard case .text(let name) = part.value(0), case .text(let collation) = part.value(1),
          ["BINARY", "NOCASE", "RTRIM"].contains(collation)
        else { return nil }
        return (name, collation)
      }
      let known = key.compactMap(\.self)
      if known.count == key.count, !known.isEmpty { keys.append(known) }
    }
    return keys
  }

  /// A table with its unique indexes in the file.
  func withUniqueKeys(_ table: LogTriggers.LoggedTable) -> LogTriggers.LoggedTable {
    var table = table
    table.uniqueKeys = uniqueKeys[table.name] ?? []
    return table
  }

  /// Whether the file holds a store.
  var isPrepared: Bool { tables[Self.notes] != nil && tables[LogTable.name] != nil }

  /// Whether the file had the table of a class, or of one of its lists, when that was last recorded.
  func hadTable(_ table: Table, of schema: Schema) -> Bool {
    guard case .entries(let owner, _) = table.role else { return notedProperties[table.name] != nil }
    let name = schema.tables[owner].name
    return notedProperties[name]?.contains { Schema.entriesName(class: name, list: $0) == table.name } == true
  }

  /// The table of the entries of a class's list.
  func entries(of list: String, in table: FileTable) -> FileTable? {
    tables[Schema.entriesName(class: table.name, list: list)]
  }

  /// The names of the tables that hold classes and their lists.
  var storeTables: Set<String> {
    var names: Set<String> = []
    for table in tables.values where table.properties != nil {
      names.insert(table.name)
      for list in table.lists { names.insert(Schema.entriesName(class: table.name, list: list)) }
    }
    return names
  }

  /// The description of the tables of classes and lists for the triggers.
  var loggedTables: [LogTriggers.LoggedTable] {
    storeTables.sorted().compactMap { name in
      guard let table = tables[name], let primaryKey = table.primaryKey else { return nil }
      return withUniqueKeys(
        LogTriggers.LoggedTable(
          name: name, columns: table.ownColumns.map(\.name), primaryKey: primaryKey.name,
          references: table.columns.compactMap { column in
            column.target.map { .init(column: column.name, target: $0, onDelete: column.onDelete) }
          },
          isEntries: table.properties == nil,
          ownerships: table.owners.compactMap { ownership($0, of: table) }))
    }
  }

  private func ownership(
    _ note: String, of table: FileTable
  ) -> LogTriggers.LoggedTable.Ownership? {
    let (property, isEmbedding) = OwnerNote.read(note)
    let entries = entries(of: property, in: table)
    let column = entries?.columns.first { $0.name == "target" }
    let target = (column ?? table.columns.first { $0.name == property })?.target
    return target.map {
      .init(property: property, entries: entries?.name, target: $0, isEmbedding: isEmbedding)
    }
  }

  /// Records the properties and the rules of a class.
  static func note(_ table: Table, on connection: Connection) throws(StoreError) {
    guard case .objects(let schema) = table.role else { return }
    let note = try Statement(connection, "INSERT OR REPLACE INTO \(notes) VALUES (?, ?)")
    try note.run(
      .text(classNote + table.name), .text(schema.storedProperties.map(\.name).joined(separator: "\n")))
    try removeNotes([checksNote, ownersNote], of: table.name, on: connection)
    if !table.rules.checks.isEmpty { try note.run(.text(checksNote + table.name), .text(table.checksNote)) }
    let owners = schema.notes(of: table.rules.owners)
    if !owners.isEmpty {
      try note.run(.text(ownersNote + table.name), .text(owners.joined(separator: "\n")))
    }
  }

  static func removeNotes(of name: String, on connection: Connection) throws(StoreError) {
    try removeNotes([classNote, checksNote, ownersNote], of: name, on: connection)
  }

  private static func removeNotes(
    _ kinds: [String], of name: String, on connection: Connection
  ) throws(StoreError) {
    let removal = try Statement(connection, "DELETE FROM \(notes) WHERE name = ?")
    for kind in kinds { try removal.run(.text(kind + name)) }
  }
}

extension ObjectSchema {
  /// The notes about the properties through which objects own others.
  func notes(of owners: [TableRules.Owner]) -> [String] {
    owners.map { owner in
      let property =
        switch owner.property {
        case .column(let column): columns[column].name
        case .list(let slot): lists[slot].name
        }
      return OwnerNote.line(property, isEmbedding: owner.isEmbedding)
    }
  }
}

/// The line of a file about a property through which objects own others: its name, and a word if it embeds
/// them. No name of a property contains a space.
private enum OwnerNote {
  private static let embedding = " embeds"

  static func line(_ property: String, isEmbedding: Bool) -> String {
    isEmbedding ? property + embedding : property
  }

  static func read(_ line: String) -> (property: String, isEmbedding: Bool) {
    line.hasSuffix(embedding) ? (String(line.dropLast(embedding.count)), true) : (line, false)
  }
}

extension Schema {
  static func entriesName(class name: String, list: String) -> String { "\(name)_\(list)" }
}
