/// The classes of a schema, each once, and the tables that follow from them.
struct SchemaClasses {
  private(set) var schemas: [ObjectSchema] = []
  private(set) var byType: [ObjectIdentifier: Int] = [:]

  init(_ types: [Object.Type]) throws(StoreError) {
    for type in types {
      let schema = try ObjectSchema.of(type)
      if schemas.contains(where: { $0 === schema }) { continue }
      if schemas.contains(where: { $0.name == schema.name }) {
        throw StoreError(
          .schema, "Two classes of the store are called \(schema.name); a table can hold only one.")
      }
      byType[ObjectIdentifier(schema.type)] = schemas.count
      schemas.append(schema)
    }
  }

  /// The index of the class to which a property leads.
  private func target(
    _ type: Object.Type, of property: Property, in schema: ObjectSchema
  ) throws(StoreError) -> Int {
    guard let index = byType[ObjectIdentifier(type)] else {
      throw StoreError(
        .schema,
        "\(schema.name).\(property.name) leads to \(type), "
          + "which is not among the store's object types; add it."
      )
    }
    return index
  }

  // MARK: Tables of objects

  /// The table of each class, in their order.
  func tables() throws(StoreError) -> [Table] {
    var tables: [Table] = []
    for schema in schemas { tables.append(try table(of: schema, at: tables.count)) }
    return tables
  }

  private func table(of schema: ObjectSchema, at index: Int) throws(StoreError) -> Table {
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
    return Table(
      index: index, name: schema.name, role: .objects(schema), columns: columns,
      primaryKey: schema.primaryKey,
      isPrimaryKeyInteger: schema.key.columnType == .integer,
      references: references,
      indexes: try indexes(of: schema, references), rules: rules)
  }

  // MARK: Tables of entries

  /// Appends a table for each list of a class; returns the indexes of these tables, in the order of the
  /// class's lists.
  func appendEntries(to tables: inout [Table]) throws(StoreError) -> [[Int]] {
    var lists: [[Int]] = schemas.map { _ in [] }
    for (owner, schema) in schemas.enumerated() {
      for property in schema.lists {
        guard case .list(let type) = property.kind else { continue }
        let target = try target(type, of: property, in: schema)
        lists[owner].append(tables.count)
        tables.append(
          Self.entriesTable(
            index: tables.count, name: Schema.entriesName(class: schema.name, list: property.name),
            owner: tables[owner], target: tables[target]))
      }
    }
    return lists
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

  // MARK: Backlinks

  /// The properties that lead to each class, by its properties of linking objects.
  ///
  /// - Parameter lists: The tables of entries of each class.
  func backlinks(_ lists: [[Int]]) throws(StoreError) -> [[Backlink]] {
    var backlinks: [[Backlink]] = []
    for (index, schema) in schemas.enumerated() {
      var found: [Backlink] = []
      for property in schema.linkingObjects {
        guard case .linkingObjects(let type) = property.kind else { continue }
        let origin = try target(type, of: property, in: schema)
        guard
          let backlink = backlink(
            from: origin, lists[origin], named: property.originProperty ?? "", to: index)
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
    return backlinks
  }

  private func backlink(from origin: Int, _ lists: [Int], named name: String, to target: Int) -> Backlink? {
    guard let property = schemas[origin].properties.first(where: { $0.name == name }) else { return nil }
    switch property.kind {
    case .link(let type) where type == schemas[target].type:
      return Backlink(origin: origin, property: .column(property.slot), target: target)
    case .list(let type) where type == schemas[target].type:
      return Backlink(origin: origin, property: .list(entries: lists[property.slot]), target: target)
    case .value, .link, .list, .linkingObjects: return nil
    }
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

private func byteText(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}
