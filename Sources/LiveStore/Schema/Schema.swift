/// The tables that a store's classes need.
final class Schema: Sendable {
  let tables: [Table]
  private let byName: [String: Int]
  private let byType: [ObjectIdentifier: Int]
  /// For each table of objects, the tables of entries of its lists, in the order of the class's lists.
  let lists: [[Int]]
  /// For each table of objects, the properties that its properties of linking objects look back along.
  let backlinks: [[Backlink]]

  init(_ types: [Object.Type]) throws(StoreError) {
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
          "\(schema.name).\(property.name) leads to \(type), which is not among the store's object types; add it."
        )
      }
      return index
    }
    var tables: [Table] = []
    for (index, schema) in schemas.enumerated() {
      var references: [Table.Reference] = []
      var columns: [Table.Column] = []
      for property in schema.columns {
        var definition: String
        switch property.kind {
        case .value(let type, let isOptional):
          definition = columnDefinition(property, type, isOptional: isOptional)
        case .link(let type):
          let target = try target(type, of: property, in: schema)
          references.append(Table.Reference(column: columns.count, target: target))
          let key = schemas[target].columns[schemas[target].primaryKey]
          definition =
            "\(key.columnType.rawValue) REFERENCES \(quoted(schemas[target].name))(\(quoted(key.name))) "
            + "ON DELETE SET NULL ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED"
        case .list, .linkingObjects: continue
        }
        columns.append(Table.Column(name: property.name, definition: definition))
      }
      tables.append(
        Table(
          index: index, name: schema.name, role: .objects(schema), columns: columns,
          primaryKey: schema.primaryKey,
          isPrimaryKeyInteger: schema.columns[schema.primaryKey].columnType == .integer,
          references: references,
          indexes: references.map { [$0.column] }
            + schema.columns.filter { $0.isIndexed && !$0.isPrimaryKey }.map { [$0.slot] }))
    }
    var lists: [[Int]] = schemas.map { _ in [] }
    for (owner, schema) in schemas.enumerated() {
      for property in schema.lists {
        guard case .list(let type) = property.kind else { continue }
        let target = try target(type, of: property, in: schema)
        lists[owner].append(tables.count)
        tables.append(
          Schema.entriesTable(
            index: tables.count, name: "\(schema.name)_\(property.name)", owner: tables[owner],
            target: tables[target]))
      }
    }
    var backlinks: [[Backlink]] = []
    for (index, schema) in schemas.enumerated() {
      var found: [Backlink] = []
      for property in schema.linkingObjects {
        guard case .linkingObjects(let type) = property.kind else { continue }
        let origin = try target(type, of: property, in: schema)
        guard
          let backlink = Schema.backlink(
            from: schemas[origin], origin, lists[origin], named: property.originProperty ?? "", to: schema, index)
        else {
          throw StoreError(
            .schema,
            "\(schema.name).\(property.name) are the \(type) whose property “\(property.originProperty ?? "")” leads "
              + "to a \(schema.name), but \(type) has no such link or list."
          )
        }
        found.append(backlink)
      }
      backlinks.append(found)
    }
    self.backlinks = backlinks
    self.tables = tables
    self.byType = byType
    self.lists = lists
    byName = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.index) })
  }

  func table(named name: String) -> Table? {
    byName[name].map { tables[$0] }
  }

  func table(of type: Object.Type) -> Table {
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
    func reference(to table: Table) -> String {
      let type = table.isPrimaryKeyInteger ? "INTEGER" : "TEXT"
      return "\(type) NOT NULL REFERENCES \(quoted(table.name))(\(table.column(table.primaryKey))) "
        + "ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED"
    }
    return Table(
      index: index, name: name, role: .entries(owner: owner.index, target: target.index),
      columns: [
        Table.Column(name: "entry", definition: "INTEGER PRIMARY KEY NOT NULL"),
        Table.Column(name: "owner", definition: reference(to: owner)),
        Table.Column(name: "position", definition: "TEXT NOT NULL DEFAULT ''"),
        Table.Column(name: "target", definition: reference(to: target)),
      ],
      primaryKey: Table.EntryColumn.entry, isPrimaryKeyInteger: true,
      references: [
        Table.Reference(column: Table.EntryColumn.owner, target: owner.index),
        Table.Reference(column: Table.EntryColumn.target, target: target.index),
      ],
      // The first reads a list in its order, the second finds the lists that an object stands in.
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

/// A column as `CREATE TABLE` has it, with a default for rows that other programs insert.
private func columnDefinition(_ property: Property, _ type: ColumnType, isOptional: Bool) -> String {
  var definition = type.rawValue
  if property.isPrimaryKey { definition += " PRIMARY KEY" }
  if isOptional { return definition }
  definition += " NOT NULL"
  if let expression = property.storage.defaultExpression {
    return definition + " DEFAULT (\(expression))"
  }
  switch property.defaultValue {
  case .null: break
  case .integer(let value): definition += property.isPrimaryKey ? "" : " DEFAULT \(value)"
  case .real(let value): definition += " DEFAULT \(value)"
  case .text(let text): definition += " DEFAULT '\(text.replacing("'", with: "''"))'"
  case .blob(let bytes): definition += " DEFAULT X'\(bytes.map { byteText($0) }.joined())'"
  }
  return definition
}

private func byteText(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}
