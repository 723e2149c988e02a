import LiveStore

/// The tables of a file whose rows are carried to other machines, as the file itself describes them: a
/// program that carries a file needs none of the classes in it.
struct SyncedLayout {
  /// The table of a class.
  struct ClassTable {
    let name: String
    let primaryKey: String
    /// The columns besides the primary key that are carried.
    let columns: [String]
    /// The columns whose values stay on this machine.
    var localColumns: [String] = []
    /// The classes that columns lead to, by the columns.
    let links: [String: String]
    /// The lists in one of which an object of the class has its place.
    var places: [ListTable] = []
    /// The statement that reads 1 and the columns of the object of a key.
    let selection: String

    init(name: String, primaryKey: String, columns: [String], links: [String: String]) {
      self.name = name
      self.primaryKey = primaryKey
      self.columns = columns
      self.links = links
      selection =
        "SELECT \((["1"] + columns.map(quoted)).joined(separator: ", ")) FROM \(quoted(name)) "
        + "WHERE \(quoted(primaryKey)) = ?"
    }
  }

  /// The table with the entries of a list property.
  struct ListTable {
    let name: String
    let ownerClass: String
    let targetClass: String
    /// Whether an object is in at most one entry of this list and the others that place it.
    let isPlace: Bool
  }

  private(set) var classes: [String: ClassTable] = [:]
  private(set) var lists: [String: ListTable] = [:]
  /// The columns of tables in the order of their bits in the change log.
  private(set) var columnsByBit: [String: [String]] = [:]

  /// Everything that says which cells there are: other tables and columns have another one.
  var fingerprint: String {
    classes.values.map { "\($0.name)(\(([$0.primaryKey] + $0.columns).joined(separator: ",")))" }.sorted()
      .joined(separator: " ")
  }

  /// - Parameters:
  ///   - excluded: The classes that stay on this machine, and the properties, as `Class.property`.
  ///   - places: The tables of the lists that own their elements.
  init(_ connection: Connection, excluding excluded: Set<String>, places: Set<String>) throws(StoreError) {
    var logged: [String] = []
    let triggers = try Statement(
      connection,
      """
      SELECT tbl_name, sql, name = '_livestore_' || tbl_name || '_update' FROM sqlite_schema
      WHERE type = 'trigger' AND name IN ('_livestore_' || tbl_name || '_insert',
        '_livestore_' || tbl_name || '_update')
      ORDER BY tbl_name
      """)
    while try triggers.step() {
      guard case .text(let table) = triggers.value(0), case .text(let sql) = triggers.value(1) else {
        continue
      }
      if triggers.integer(2) == 1 {
        columnsByBit[table] = Self.columnsByBit(in: sql)
      } else {
        logged.append(table)
      }
    }
    for table in logged where !excluded.contains(table) {
      let references = try Self.references(of: table, connection)
      let (primaryKey, columns) = try Self.columns(of: table, connection)
      guard let primaryKey else { continue }
      if primaryKey == "entry", Set(columns) == ["owner", "position", "target"],
        let owner = references["owner"], let target = references["target"]
      {
        guard !excluded.contains(owner), !excluded.contains(target),
          !excluded.contains(Self.property(ofList: table, owner: owner))
        else { continue }
        lists[table] = ListTable(
          name: table, ownerClass: owner, targetClass: target, isPlace: places.contains(table))
      } else {
        var carried = ClassTable(
          name: table, primaryKey: primaryKey,
          columns: columns.filter { !excluded.contains("\(table).\($0)") }, links: references)
        carried.localColumns = columns.filter { excluded.contains("\(table).\($0)") }
        classes[table] = carried
      }
    }
    for list in lists.values.sorted(by: { $0.name < $1.name }) where list.isPlace {
      classes[list.targetClass]?.places.append(list)
    }
  }

  /// The name under which a list property is excluded.
  private static func property(ofList table: String, owner: String) -> String {
    "\(owner).\(table.dropFirst(owner.count + 1))"
  }

  /// A name of a property, among those to exclude, that the tables do not have or that is always carried.
  static func unknownProperty(
    among excluded: Set<String>, _ connection: Connection
  ) throws(StoreError) -> String? {
    let all = try SyncedLayout(connection, excluding: [], places: [])
    var properties = Set(all.lists.values.map { property(ofList: $0.name, owner: $0.ownerClass) })
    for table in all.classes.values { properties.formUnion(table.columns.map { "\(table.name).\($0)" }) }
    return excluded.subtracting(properties).min()
  }

  private static func columns(
    of table: String, _ connection: Connection
  ) throws(StoreError) -> (primaryKey: String?, others: [String]) {
    let info = try Statement(connection, "SELECT name, pk FROM pragma_table_info(\(literal(table)))")
    var primaryKey: String?
    var others: [String] = []
    while try info.step() {
      guard case .text(let name) = info.value(0) else { continue }
      if info.integer(1) == 1 { primaryKey = name } else { others.append(name) }
    }
    return (primaryKey, others)
  }

  private static func references(
    of table: String, _ connection: Connection
  ) throws(StoreError) -> [String: String] {
    let keys = try Statement(
      connection, "SELECT \"from\", \"table\" FROM pragma_foreign_key_list(\(literal(table)))")
    var references: [String: String] = [:]
    while try keys.step() {
      guard case .text(let column) = keys.value(0), case .text(let target) = keys.value(1) else { continue }
      references[column] = target
    }
    return references
  }

  /// The columns that the trigger for updates tests, in the order of the bits that it logs.
  private static func columnsByBit(in sql: String) -> [String] {
    guard let values = sql.range(of: "VALUES (") else { return [] }
    var columns: [String] = []
    var rest = sql[values.upperBound...]
    while let start = rest.range(of: "((OLD.\"") {
      rest = rest[start.upperBound...]
      var name = ""
      while let quote = rest.firstIndex(of: "\"") {
        name += rest[..<quote]
        rest = rest[rest.index(after: quote)...]
        // Two quotation marks are one that belongs to the name.
        guard rest.first == "\"" else { break }
        name += "\""
        rest = rest.dropFirst()
      }
      columns.append(name)
    }
    return columns
  }
}

extension StringProtocol {
  /// The first place of a text, byte by byte.
  fileprivate func range(of text: String) -> Range<Index>? {
    let pattern = Array(text.utf8)
    var start = utf8.startIndex
    while start < utf8.endIndex {
      if utf8[start...].starts(with: pattern) {
        return start..<utf8.index(start, offsetBy: pattern.count)
      }
      start = utf8.index(after: start)
    }
    return nil
  }
}
