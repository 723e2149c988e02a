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
    /// The links whose objects are deleted with the one that has them.
    var ownedLinks: [String] = []
    /// The links whose objects are parts of the one that has them, and in no other place.
    var embeddingLinks: [String] = []
    /// The values of columns in new rows where a statement gives none; there is nothing in the others.
    var defaults: [String: SQLiteValue] = [:]
    /// The forms of the values of all columns, that of the primary key included.
    var forms: [String: ValueForm] = [:]
    /// The columns of which a new row has to be given the values.
    var requiredColumns: [String] = []
    /// The rules by which only one object has a value, or values.
    var uniqueRules: [UniqueRule] = []
    /// The columns that keep texts as they were read, with those of the texts.
    var readTexts: [(text: String, readText: String)] = []
    /// The lists in one of which an object of the class has its place.
    var places: [ListTable] = []
    /// The columns that lead to no class.
    let plainColumns: Set<String>
    /// The statement that reads 1 and the columns of the object of a key.
    let selection: String

    init(name: String, primaryKey: String, columns: [String], links: [String: String]) {
      self.name = name
      self.primaryKey = primaryKey
      self.columns = columns
      self.links = links
      plainColumns = Set(columns).subtracting(links.keys)
      selection =
        "SELECT \((["1"] + columns.map(quoted)).joined(separator: ", ")) FROM \(quoted(name)) "
        + "WHERE \(quoted(primaryKey)) = ?"
    }

    /// The statement that gives the object of a key other values of some columns.
    func update(of columns: [String]) -> String {
      let assignments = columns.map { "\(quoted($0)) = ?" }.joined(separator: ", ")
      return "UPDATE \(quoted(name)) SET \(assignments) WHERE \(quoted(primaryKey)) = ?"
    }
  }

  /// A rule by which only one object has a value of one column, or the values of several.
  struct UniqueRule {
    let columns: [String]
    let collations: [String]
    /// The condition on the rows for which it holds, in SQL.
    let condition: String?
    /// The column that gets another value where two objects have the same values.
    let yielding: String
    let isYieldingOptional: Bool
    let isYieldingLink: Bool
    /// Whether other machines have the column's values too.
    let isYieldingCarried: Bool
  }

  /// A column whose values are keys of a class.
  struct Link {
    let table: String
    let primaryKey: String
    let column: String
    let isCarried: Bool
    /// Whether its objects are parts of the one that has it.
    var isEmbedding = false
  }

  /// The table with the entries of a list property.
  struct ListTable {
    let name: String
    let ownerClass: String
    let targetClass: String
    /// Whether an object is in at most one entry of this list and the others that place it.
    let isPlace: Bool
    /// Whether an object in this list has none in its own.
    let isFlat: Bool
    /// Whether its objects are parts of the owner.
    let isEmbedding: Bool
  }

  private(set) var classes: [String: ClassTable] = [:]
  private(set) var lists: [String: ListTable] = [:]
  /// The columns of tables in the order of their bits in the change log.
  private(set) var columnsByBit: [String: [String]] = [:]

  /// The links that lead to the objects of a class, also those that stay on this machine.
  private(set) var linksByTarget: [String: [Link]] = [:]
  /// The tables of the lists by which an object could be in itself.
  private(set) var cyclicLists: Set<String> = []

  /// Whether objects of a carried class are parts of others.
  private(set) var hasParts = false

  /// A text that differs when other cells are carried.
  private(set) var fingerprint = ""

  /// The part of a file that its person, or a program, has chosen to carry.
  private struct Choice {
    let excluded: Set<String>
    let places: Set<String>
    let flatPlaces: Set<String>
    let readTexts: Set<String>

    func carries(_ type: String) -> Bool { !excluded.contains(type) }
    func carries(_ property: String, of type: String) -> Bool { !excluded.contains("\(type).\(property)") }
  }

  /// - Parameters:
  ///   - excluded: The classes that stay on this machine, and the properties, as `Class.property`.
  ///   - places: The tables of the lists that own their elements.
  ///   - flatPlaces: Those of them whose elements own none in the same list.
  ///   - readTexts: The properties with texts and those that keep them as they were read, each pair as
  ///     `Class.text Class.readText`.
  init(
    _ connection: Connection, excluding excluded: Set<String>, places: Set<String>,
    flatPlaces: Set<String> = [], readTexts: Set<String> = []
  ) throws(StoreError) {
    let choice = Choice(excluded: excluded, places: places, flatPlaces: flatPlaces, readTexts: readTexts)
    let triggers = Set(
      try Statement(connection, "SELECT name FROM sqlite_schema WHERE type = 'trigger'").all { $0.text(0) })
    for name in try loggedTables(connection) {
      guard let table = try TableDescription(of: name, connection) else { continue }
      if !table.isOfEntries { addLinks(of: table, choice, triggers) }
      guard choice.carries(name), Self.isName(name) else { continue }
      if table.isOfEntries, let owner = table.references["owner"], let target = table.references["target"] {
        addList(name, of: owner, leadingTo: target, choice, triggers)
      } else {
        var carried = carriedClass(table, choice, triggers)
        carried.uniqueRules = try Self.uniqueRules(of: carried, connection)
        classes[name] = carried
      }
    }
    hasParts =
      lists.values.contains(where: \.isEmbedding) || classes.values.contains { !$0.embeddingLinks.isEmpty }
    for list in lists.values.sorted(by: { $0.name < $1.name }) where list.isPlace {
      classes[list.targetClass]?.places.append(list)
    }
    cyclicLists = Set(
      classes.values.flatMap(\.places).filter { isPlaced($0.ownerClass, under: $0.targetClass) }.map(\.name))
    let tables = classes.values.map {
      "\($0.name)(\(([$0.primaryKey] + $0.columns).joined(separator: ",")))"
    }
    fingerprint = (tables.sorted() + lists.values.lazy.filter { !$0.isPlace }.map(\.name).sorted())
      .joined(separator: " ")
  }

  /// Notes the columns of the tables that are logged, and returns those in which new rows are logged too.
  private mutating func loggedTables(_ connection: Connection) throws(StoreError) -> [String] {
    let logging = try Statement(
      connection,
      """
      SELECT tbl_name, sql, name = '_livestore_' || tbl_name || '_update' FROM sqlite_schema
      WHERE type = 'trigger' AND name IN ('_livestore_' || tbl_name || '_insert',
        '_livestore_' || tbl_name || '_update')
      ORDER BY tbl_name
      """
    ).all { (table: $0.text(0), sql: $0.text(1), isUpdate: $0.integer(2) == 1) }
    for (table, sql, isUpdate) in logging where isUpdate { columnsByBit[table] = Self.columnsByBit(in: sql) }
    return logging.filter { !$0.isUpdate }.map(\.table)
  }

  /// Adds the links of a class, also those that stay on this machine.
  private mutating func addLinks(of table: TableDescription, _ choice: Choice, _ triggers: Set<String>) {
    for (column, target) in table.references {
      let isCarried = choice.carries(table.name) && choice.carries(column, of: table.name)
      linksByTarget[target, default: []].append(
        Link(
          table: table.name, primaryKey: table.primaryKey, column: column, isCarried: isCarried,
          isEmbedding: isCarried
            && triggers.contains(LogTable.embeddingTrigger(of: column, in: table.name))))
    }
  }

  /// Adds a list, unless it is not to be carried.
  private mutating func addList(
    _ name: String, of owner: String, leadingTo target: String, _ choice: Choice, _ triggers: Set<String>
  ) {
    guard choice.carries(owner), choice.carries(target),
      !choice.excluded.contains(Self.property(ofList: name, owner: owner))
    else { return }
    let isEmbedding = triggers.contains(LogTable.embeddingTrigger(of: "target", in: name))
    lists[name] = ListTable(
      name: name, ownerClass: owner, targetClass: target,
      // A part is in one place.
      isPlace: choice.places.contains(name) || isEmbedding,
      isFlat: owner == target && choice.places.contains(name) && choice.flatPlaces.contains(name),
      isEmbedding: isEmbedding)
  }

  /// The part of a class that is carried, without its unique rules and its places.
  private func carriedClass(
    _ table: TableDescription, _ choice: Choice, _ triggers: Set<String>
  ) -> ClassTable {
    let (name, references) = (table.name, table.references)
    var carried = ClassTable(
      name: name, primaryKey: table.primaryKey,
      columns: table.columns.filter { choice.carries($0, of: name) && Self.isName($0) }, links: references)
    carried.localColumns = table.columns.filter { !carried.columns.contains($0) }
    carried.embeddingLinks = carried.columns.filter {
      choice.carries(references[$0] ?? "") && triggers.contains(LogTable.embeddingTrigger(of: $0, in: name))
    }
    carried.ownedLinks = carried.columns.filter {
      references[$0] != nil && triggers.contains(LogTable.ownershipTrigger(of: $0, in: name))
    }
    carried.defaults = table.defaults
    carried.forms = table.forms
    carried.requiredColumns = carried.columns.filter { table.forms[$0]?.isRequired == true }
    carried.readTexts = carried.columns.flatMap { text in
      carried.columns.filter { choice.readTexts.contains("\(name).\(text) \(name).\($0)") }.map { (text, $0) }
    }
    return carried
  }

  /// The columns of classes that a layout had not, by its fingerprint.
  func columns(missingIn fingerprint: String) -> [String: Set<String>] {
    let former = Set(fingerprint.split(separator: " "))
    var missing: [String: Set<String>] = [:]
    for table in classes.values {
      let columns = former.first { $0.hasPrefix("\(table.name)(") }?.dropFirst(table.name.count + 1)
        .dropLast()
      let names = Set(columns?.split(separator: ",").map(String.init) ?? [])
      missing[table.name] = Set(table.columns).subtracting(names)
    }
    return missing
  }

  /// Whether objects of a class may be in objects of another, or are such objects.
  private func isPlaced(_ type: String, under other: String) -> Bool {
    var waiting = [type]
    var seen: Set<String> = [type]
    while let next = waiting.popLast() {
      if next == other { return true }
      for list in classes[next]?.places ?? [] where seen.insert(list.ownerClass).inserted {
        waiting.append(list.ownerClass)
      }
    }
    return false
  }

  /// The rules of a class: its unique indexes of columns, those of expressions left out.
  private static func uniqueRules(
    of table: ClassTable, _ connection: Connection
  ) throws(StoreError) -> [UniqueRule] {
    let columns = try Statement(
      connection,
      """
      SELECT i.name, coalesce(s.sql, ''), c.name, c.coll, t."notnull", t.type FROM
        pragma_index_list(\(literal(table.name))) i JOIN pragma_index_xinfo(i.name) c
        LEFT JOIN pragma_table_xinfo(\(literal(table.name))) t ON t.cid = c.cid
        LEFT JOIN sqlite_schema s ON s.name = i.name
      WHERE i."unique" AND i.origin <> 'pk' AND c.key ORDER BY i.seq, c.seqno
      """)
    struct Column {
      var name = ""
      var collation = "BINARY"
      var isOptional = false
      var isText = false
    }
    struct Index {
      var sql = ""
      var columns: [Column] = []
    }
    var indexes: [String: Index] = [:]
    while try columns.step() {
      guard case .text(let index) = columns.value(0), case .text(let sql) = columns.value(1) else { continue }
      var column = Column(isOptional: columns.integer(4) == 0)
      if case .text(let name) = columns.value(2) { column.name = name }
      if case .text(let collation) = columns.value(3) { column.collation = collation }
      if case .text(let type) = columns.value(5) { column.isText = type.uppercased() == "TEXT" }
      indexes[index, default: Index()].sql = sql
      indexes[index]?.columns.append(column)
    }
    return indexes.sorted { $0.key < $1.key }.compactMap { _, index in
      // An index of an expression has a column without a name.
      let all = table.columns + table.localColumns
      guard index.columns.allSatisfy({ all.contains($0.name) }) else { return nil }
      // A column that stays on this machine yields first, and a link last.
      func isCarried(_ column: Column) -> Bool { table.columns.contains(column.name) }
      let local = index.columns.filter { !isCarried($0) }
      let candidates = local.isEmpty ? index.columns : local
      let free = candidates.filter { table.links[$0.name] == nil }
      let yielding = free.first(where: \.isText) ?? free.first ?? candidates[0]
      return UniqueRule(
        columns: index.columns.map(\.name), collations: index.columns.map(\.collation),
        condition: index.sql.utf8.firstRange(of: ") WHERE ".utf8).map { String(index.sql[$0.upperBound...]) },
        yielding: yielding.name, isYieldingOptional: yielding.isOptional,
        isYieldingLink: table.links[yielding.name] != nil, isYieldingCarried: isCarried(yielding))
    }
  }

  /// Whether the server takes a name of a class or property; no program of ours gives others.
  private static func isName(_ name: String) -> Bool {
    (1...500).contains(name.unicodeScalars.count)
      && name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
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

  /// The columns that the trigger for updates tests, in the order of the bits that it logs.
  private static func columnsByBit(in sql: String) -> [String] {
    guard let values = sql.utf8.firstRange(of: "VALUES (".utf8) else { return [] }
    var columns: [String] = []
    var rest = sql[values.upperBound...]
    while let start = rest.utf8.firstRange(of: "((OLD.\"".utf8) {
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
