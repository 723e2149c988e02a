import FoundationEssentials

/// A row of a class that a predicate is about, or leads to, known in SQL by a name.
struct ObjectRow {
  /// The state that all rows of one predicate share.
  final class Context {
    let schema: Schema
    /// The paths from the element to everything that is read.
    fileprivate(set) var paths: [[PropertyTree.Step]] = []
    private var names = 0

    init(schema: Schema) {
      self.schema = schema
    }

    /// A quoted name that no class can have.
    func makeName() -> String {
      names += 1
      return quoted("$\(names)")
    }
  }

  let name: String
  let table: Table
  /// The path from the element to the row.
  let path: [PropertyTree.Step]
  let context: Context

  /// The paths from the element to everything that is read.
  var paths: [[PropertyTree.Step]] { context.paths }

  var key: SQLExpression { column(table.primaryKey, isOptional: false) }

  /// Records that a property is read.
  func read(_ step: PropertyTree.Step) {
    read([step])
  }

  /// Records that the end of a path is read.
  func read(_ path: [PropertyTree.Step]) {
    context.paths.append(self.path + path)
  }

  /// The property that a key path of one step leads to; throws `QueryError` if it leads to no persisted one.
  func resolve(_ keyPath: AnyKeyPath) throws -> QueryProperty {
    guard case .objects(let objectSchema) = table.role else {
      preconditionFailure("Entries have no properties.")
    }
    let trace = KeyPathTrace(keyPath, from: objectSchema)
    guard trace.isPath, trace.properties.count == 1, let property = trace.properties.first else {
      throw QueryError(
        expression: "\(keyPath)", advice: "use the persisted properties of \(objectSchema.name) themselves")
    }
    let schema = context.schema
    switch property.kind {
    case .value:
      read(PropertyTree.Step(property: .column(property.slot), target: nil))
      return .column(
        QueryColumn(
          name: property.name, isOptional: property.isOptional,
          sql: "\(name).\(table.column(property.slot))"))
    case .link(let type):
      let target = schema.table(of: type)
      let step = PropertyTree.Step(property: .column(property.slot), target: target.index)
      read(step)
      return .link(
        LinkedObject(
          key: column(property.slot, isOptional: true), table: target, path: path + [step], context: context))
    case .list(let type):
      let entries = schema.table(ofList: property.slot, in: table)
      return objects(
        .list(entries),
        PropertyTree.Step(property: .list(entries: entries.index), target: schema.table(of: type).index))
    case .linkingObjects:
      let backlink = schema.backlinks[table.index][property.slot]
      return objects(.linking(backlink), backlink.backward)
    }
  }

  private func objects(_ source: ObjectSet.Source, _ step: PropertyTree.Step) -> QueryProperty {
    read(step)
    let elements = ObjectRow(
      name: context.makeName(), table: context.schema.tables[step.target ?? table.index], path: path + [step],
      context: context)
    return .objects(ObjectSet(source: source, owner: key, elements: elements))
  }

  private func column(_ column: Int, isOptional: Bool) -> SQLExpression {
    SQLExpression(
      column: QueryColumn(
        name: table.columns[column].name, isOptional: isOptional, sql: "\(name).\(table.column(column))"),
      isBool: false)
  }
}

/// A property of a queried row, as it can be used in SQL.
enum QueryProperty {
  case column(QueryColumn)
  case link(LinkedObject)
  case objects(ObjectSet)
}

/// The object that a link leads to, if there is one.
struct LinkedObject {
  /// The primary key that the link holds; NULL for none.
  let key: SQLExpression
  let table: Table
  /// The path from the element to the object.
  let path: [PropertyTree.Step]
  let context: ObjectRow.Context

  /// The result of `body` for the object's row; NULL if there is none.
  func select(_ body: (ObjectRow) throws -> SQLExpression) rethrows -> SQLExpression {
    let row = ObjectRow(name: context.makeName(), table: table, path: path, context: context)
    // The existence of the row matters too: a program without foreign keys may have left the link dangling.
    row.read(PropertyTree.Step(property: .column(table.primaryKey), target: nil))
    let result = try body(row)
    let value = result.isStoredBool ? result : result.asValue
    return SQLExpression(
      "(SELECT \(value.sql) FROM \(quoted(table.name)) AS \(row.name) WHERE \(row.key.sql) = \(key.operand))",
      parameters: value.parameters + key.parameters, columns: value.columns.union(key.columns), .value,
      .primary,
      canBeNull: true, nilSources: value.nilSources.union(key.nilSources), isStoredBool: value.isStoredBool)
  }

  /// The primary key of the object; NULL if there is none.
  var value: SQLExpression { select { $0.key } }

  /// A link in the object's row.
  func linked(_ body: (ObjectRow) throws -> LinkedObject) rethrows -> LinkedObject {
    var found: LinkedObject?
    let key = try select {
      let linked = try body($0)
      found = linked
      return linked.key
    }
    return LinkedObject(key: key, table: found?.table ?? table, path: found?.path ?? path, context: context)
  }

  /// The property of the object, if there is one.
  func property(_ keyPath: AnyKeyPath, isBool: Bool) throws -> ReachedProperty {
    let property = try ObjectRow(
      name: "", table: table, path: path, context: ObjectRow.Context(schema: context.schema)
    )
    .resolve(keyPath)
    switch property {
    case .column:
      return .value(
        try select { row in
          guard case .column(let column) = try row.resolve(keyPath) else { return row.key }
          return SQLExpression(column: column, isBool: isBool)
        })
    case .link:
      return .link(
        try linked { row in
          guard case .link(let link) = try row.resolve(keyPath) else { return self }
          return link
        })
    case .objects:
      var found: ObjectSet?
      let owner = try select { row in
        if case .objects(let objects) = try row.resolve(keyPath) { found = objects }
        return row.key
      }
      guard let found else { return .value(owner) }
      return .objects(ObjectSet(source: found.source, owner: owner, elements: found.elements))
    }
  }
}

/// The result of an expression that may be more than a plain value.
enum ReachedProperty {
  case value(SQLExpression)
  case link(LinkedObject)
  case objects(ObjectSet)
}

extension ObjectRow {
  /// The element itself, in a table that SQL knows by its own name.
  init(root table: Table, schema: Schema) {
    self.init(name: quoted(table.name), table: table, path: [], context: Context(schema: schema))
  }
}
