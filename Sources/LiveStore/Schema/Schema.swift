import Synchronization

/// The tables that a store's classes need.
final class Schema: Sendable {
  let version: Int
  let tables: [Table]
  private let byName: [String: Int]
  private let byType: [ObjectIdentifier: Int]
  /// The classes of the first tables.
  private let typeIDs: [ObjectIdentifier]
  /// The tables of entries of the lists of each table of objects, in the order of the class's lists.
  let lists: [[Int]]
  let searchIndexes: [SearchIndex]
  /// The properties that lead to each table of objects, by its properties of linking objects.
  let backlinks: [[Backlink]]
  /// The properties that embed objects.
  let partPlaces: [PartPlace]

  private struct Key: Hashable {
    let types: [ObjectIdentifier]
    let version: Int
  }

  private static let known = Mutex<[Key: Schema]>([:])

  /// The schema of some classes; shared by all stores of the process, so that results for one are valid for
  /// the others.
  static func of(_ types: [Object.Type], version: Int) throws(StoreError) -> Schema {
    let key = Key(types: types.map { ObjectIdentifier($0) }, version: version)
    if let schema = known.withLock({ $0[key] }) { return schema }
    let schema = try Schema(types, version: version)
    return known.withLock { known in
      // Another thread may have created it first.
      defer { known[key] = known[key] ?? schema }
      return known[key] ?? schema
    }
  }

  init(_ types: [Object.Type], version: Int = 1) throws(StoreError) {
    self.version = version
    var schemas: [ObjectSchema] = []
    for type in types {
      let schema = try ObjectSchema.of(type)
      if !schemas.contains(where: { $0 === schema }) { schemas.append(schema) }
    }
    var byType: [ObjectIdentifier: Int] = [:]
    for (index, schema) in schemas.enumerated() {
      if schemas.contains(where: { $0 !== schema && $0.name == schema.name }) {
        throw StoreError(
          .schema, "Two classes of the store are called \(schema.name); a table can hold only one.")
      }
      byType[ObjectIdentifier(schema.type)] = index
    }
    func target(_ type: Object.Type, of property: Property, in schema: ObjectSchema) throws(StoreError) -> Int
    {
      guard let index = byType[ObjectIdentifier(type)] else {
        throw StoreError(
          .schema,
          "\(schema.name).\(property.name) leads to \(type), "
            + "which is not among the store's object types; add it."
        )
      }
      return index
    }
    var tables: [Table] = []
    for (index, schema) in schemas.enumerated() {
      let rules = try TableRules(of: schema)
      var references: [Table.Reference] = []
      var columns: [Table.Column] = []
      for property in schema.columns {
        switch property.kind {
        case .value(let type, let isOptional):
          columns.append(
            Table.Column(
              name: property.name, type: type, isOptional: isOptional,
              constraints: property.isPrimaryKey ? "PRIMARY KEY" : "",
              defaultValue: isOptional ? nil : defaultSQL(of: property)))
        case .link(let type):
          let target = try target(type, of: property, in: schema)
          references.append(Table.Reference(column: columns.count, target: target))
          let key = schemas[target].key
          columns.append(
            Table.Column(
              name: property.name, type: key.columnType, isOptional: true,
              constraints: "REFERENCES \(quoted(schemas[target].name))(\(quoted(key.name))) "
                + "ON DELETE \((rules.deletions[property.slot] ?? .nullify).rawValue) "
                + "ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED"))
        case .list, .linkingObjects: continue
        }
      }
      tables.append(
        Table(
          index: index, name: schema.name, role: .objects(schema), columns: columns,
          primaryKey: schema.primaryKey,
          isPrimaryKeyInteger: schema.key.columnType == .integer,
          references: references,
          indexes: try indexes(of: schema, references), rules: rules))
    }
    var lists: [[Int]] = schemas.map { _ in [] }
    for (owner, schema) in schemas.enumerated() {
      for property in schema.lists {
        guard case .list(let type) = property.kind else { continue }
        let target = try target(type, of: property, in: schema)
        lists[owner].append(tables.count)
        tables.append(
          Schema.entriesTable(
            index: tables.count, name: Schema.entriesName(class: schema.name, list: property.name),
            owner: tables[owner],
            target: tables[target]))
      }
    }
    try requireDistinctNames(tables)
    try requireDistinctIndexNames(tables)
    try requireFiniteOwnership(tables, lists)
    var backlinks: [[Backlink]] = []
    for (index, schema) in schemas.enumerated() {
      var found: [Backlink] = []
      for property in schema.linkingObjects {
        guard case .linkingObjects(let type) = property.kind else { continue }
        let origin = try target(type, of: property, in: schema)
        guard
          let backlink = Schema.backlink(
            from: schemas[origin], origin, lists[origin], named: property.originProperty ?? "", to: schema,
            index)
        else {
          throw StoreError(
            .schema,
            "\(schema.name).\(property.name) are the \(type) whose property "
              + "“\(property.originProperty ?? "")” leads "
              + "to a \(schema.name), but \(type) has no such link or list."
          )
        }
        found.append(backlink)
      }
      backlinks.append(found)
    }
    self.backlinks = backlinks
    self.tables = tables
    partPlaces = PartPlace.all(in: tables, lists: lists)
    searchIndexes = tables.compactMap { SearchIndex(of: $0) }
    self.byType = byType
    typeIDs = schemas.map { ObjectIdentifier($0.type) }
    self.lists = lists
    byName = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.index) })
  }

  func table(named name: String) -> Table? {
    byName[name].map { tables[$0] }
  }

  func table(of type: Object.Type) -> Table {
    // Objects are added one after the other, and a few comparisons cost less than a hash.
    if typeIDs.count <= 8, let index = typeIDs.firstIndex(of: ObjectIdentifier(type)) { return tables[index] }
    guard let index = byType[ObjectIdentifier(type)] else {
      fatalError("\(type) is not among the object types of this store's configuration; add it there.")
    }
    return tables[index]
  }

  func table(ofList slot: Int, in owner: Table) -> Table {
    tables[lists[owner.index][slot]]
  }

  private static func backlink(
    from schema: ObjectSchema, _ origin: Int, _ lists: [Int], named name: String, to target: ObjectSchema,
    _ targetIndex: Int
  ) -> Backlink? {
    guard let property = schema.properties.first(where: { $0.name == name }) else { return nil }
    switch property.kind {
    case .link(let type) where type == target.type:
      return Backlink(origin: origin, property: .column(property.slot), target: targetIndex)
    case .list(let type) where type == target.type:
      return Backlink(origin: origin, property: .list(entries: lists[property.slot]), target: targetIndex)
    case .value, .link, .list, .linkingObjects: return nil
    }
  }

  private static func entriesTable(index: Int, name: String, owner: Table, target: Table) -> Table {
    func reference(_ name: String, to table: Table) -> Table.Column {
      Table.Column(
        name: name, type: table.isPrimaryKeyInteger ? .integer : .text, isOptional: false,
        constraints: "REFERENCES \(quoted(table.name))(\(table.key)) "
          + "ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED")
    }
    return Table(
      index: index, name: name, role: .entries(owner: owner.index, target: target.index),
      columns: [
        Table.Column(name: "entry", type: .integer, isOptional: false, constraints: "PRIMARY KEY"),
        reference("owner", to: owner),
        Table.Column(name: "position", type: .text, isOptional: false, defaultValue: "''"),
        reference("target", to: target),
      ],
      primaryKey: Table.EntryColumn.entry, isPrimaryKeyInteger: true,
      references: [
        Table.Reference(column: Table.EntryColumn.owner, target: owner.index),
        Table.Reference(column: Table.EntryColumn.target, target: target.index),
      ],
      // The first reads a list in its order, the second finds the lists that contain an object.
      indexes: [
        [Table.EntryColumn.owner, Table.EntryColumn.position, Table.EntryColumn.target],
        [Table.EntryColumn.target, Table.EntryColumn.owner],
      ])
  }
}

extension Property {
  /// Whether its column may hold NULL.
  var isOptional: Bool {
    switch kind {
    case .value(_, let isOptional): isOptional
    case .link, .list, .linkingObjects: true
    }
  }

  var columnType: ColumnType {
    if case .value(let type, _) = kind { type } else { .text }
  }
}

/// The default for rows that other programs insert.
private func defaultSQL(of property: Property) -> String? {
  switch property.defaultValue {
  case .null: property.storage.defaultExpression.map { "(\($0))" }
  case .integer(let value): property.isPrimaryKey ? nil : "\(value)"
  case .real(let value): value.isFinite ? "\(value)" : value > 0 ? "9e999" : "-9e999"
  case .text(let text): literal(text)
  case .malformedText(let bytes): "CAST(X'\(bytes.map { byteText($0) }.joined())' AS TEXT)"
  case .blob(let bytes): "X'\(bytes.map { byteText($0) }.joined())'"
  }
}

/// The columns to index, each entry one index, without duplicates: links, those declared as indexed, and
/// those of the class's own list.
private func indexes(
  of schema: ObjectSchema, _ references: [Table.Reference]
) throws(StoreError) -> [[Int]] {
  var indexes = references.map { [$0.column] }
  indexes += schema.columns.filter { $0.isIndexed && !$0.isPrimaryKey }.map { [$0.slot] }
  for keyPaths in schema.type.indexes {
    var columns: [Int] = []
    for keyPath in keyPaths {
      guard let column = schema.column(for: keyPath) else {
        throw StoreError(
          .schema, "\(schema.name).indexes names \(keyPath), which is no persisted value of the class.")
      }
      columns.append(column)
    }
    if !columns.isEmpty { indexes.append(columns) }
  }
  return indexes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
}

/// SQLite ignores case in names, and reserves some for itself.
private func requireDistinctNames(_ tables: [Table]) throws(StoreError) {
  for table in tables {
    let name = foldedName(table.name)
    if name.hasPrefix("sqlite_") || name.hasPrefix(LogTriggers.prefix) {
      throw StoreError(.schema, "\(table.name) is a name that the file keeps for itself; rename the class.")
    }
    if let other = tables.first(where: { $0.index < table.index && isSameName($0.name, table.name) }) {
      throw StoreError(
        .schema, "\(other.name) and \(table.name) would be one table of the file; rename one of them.")
    }
    for (index, column) in table.columns.enumerated() {
      if let other = table.columns[..<index].first(where: { isSameName($0.name, column.name) }) {
        throw StoreError(
          .schema,
          "\(table.name).\(other.name) and \(table.name).\(column.name) would be one column; "
            + "rename one of them."
        )
      }
    }
  }
}

/// An index is called after its class and properties, in the same name space of the file as tables.
private func requireDistinctIndexNames(_ tables: [Table]) throws(StoreError) {
  var owners = Dictionary(uniqueKeysWithValues: tables.map { (foldedName($0.name), $0.name) })
  for table in tables {
    for name in table.indexCreations.keys.sorted() {
      guard let other = owners.updateValue(table.name, forKey: foldedName(name)) else { continue }
      throw StoreError(
        .schema,
        "An index of \(table.name) and a table or an index of \(other) would both be called \(name); "
          + "rename a property or a class.")
    }
  }
}

/// A trigger does not fire for what it deletes itself: an object cannot own others of which one may own it.
private func requireFiniteOwnership(_ tables: [Table], _ lists: [[Int]]) throws(StoreError) {
  var owned: [Int: Set<Int>] = [:]
  for table in tables {
    for owner in table.rules.owners {
      switch owner.property {
      case .column(let column):
        for reference in table.references where reference.column == column {
          owned[table.index, default: []].insert(reference.target)
        }
      case .list(let slot):
        if case .entries(_, let target) = tables[lists[table.index][slot]].role {
          owned[table.index, default: []].insert(target)
        }
      }
    }
  }
  var gone = owned
  for table in tables {
    for reference in table.references where table.rules.deletions[reference.column] == .cascade {
      gone[reference.target, default: []].insert(table.index)
    }
  }
  for (owner, targets) in owned.sorted(by: { $0.key < $1.key }) {
    var waiting = Array(targets)
    var seen = targets
    while let table = waiting.popLast() {
      if table == owner {
        throw StoreError(
          .schema,
          "A \(tables[owner].name) owns objects that may own it in turn, so that it could own itself; "
            + "give each a link to its parent, and the rule .references(link, onDelete: .cascade).")
      }
      for next in gone[table] ?? [] where seen.insert(next).inserted { waiting.append(next) }
    }
  }
}

private func byteText(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}
