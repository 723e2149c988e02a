/// The objects of a list, or those that link to an object, that satisfy some conditions.
struct ObjectSet {
  enum Source {
    /// The table of the list's entries.
    case list(Table)
    case linking(Backlink)
  }

  let source: Source
  /// The primary key of the list's owner, or of the object that is linked to.
  let owner: SQLExpression
  /// The row that stands for each object in SQL.
  let elements: ObjectRow
  private(set) var conditions: [SQLExpression] = []

  func filtered(_ condition: SQLExpression) -> ObjectSet {
    var copy = self
    copy.conditions.append(condition.asCondition)
    return copy
  }

  /// The number of objects; one that occurs in a list twice counts twice.
  var count: SQLExpression { select("(SELECT count(*) ", ")", .value, canBeNull: false) }

  var exists: SQLExpression { select("EXISTS (SELECT 1 ", ")", .condition, canBeNull: false) }

  /// The first or the last object, in the order of the list or of the primary keys.
  func end(isLast: Bool) -> LinkedObject {
    let (key, order) =
      switch source {
      case .list: ("\(entry).target", ["position", "target", "entry"].map { "\(entry).\($0)" })
      case .linking: (elements.key.sql, [elements.key.sql])
      }
    let terms = order.map { isLast ? $0 + " DESC" : $0 }.joined(separator: ", ")
    return LinkedObject(
      key: select("(SELECT \(key) ", " ORDER BY \(terms) LIMIT 1)", .value, canBeNull: true),
      table: elements.table, path: elements.path, context: elements.context)
  }

  /// The name of the entries of a list, which cannot be that of a class.
  private var entry: String { quoted("entry " + elements.name.dropFirst().dropLast()) }

  private func select(
    _ start: String, _ end: String, _ shape: SQLExpression.Shape, canBeNull: Bool
  ) -> SQLExpression {
    let name = "\(quoted(elements.table.name)) AS \(elements.name)"
    var sql: String
    switch source {
    case .list(let entries):
      sql = "FROM \(quoted(entries.name)) AS \(entry)"
      // CROSS JOIN keeps SQLite from starting at the elements: the list is the smaller side.
      if !conditions.isEmpty { sql += " CROSS JOIN \(name) ON \(elements.key.sql) = \(entry).target" }
      sql += " WHERE \(entry).owner = \(owner.operand)"
    case .linking(let backlink):
      sql = "FROM \(name) WHERE "
      switch backlink.property {
      case .column(let column):
        sql += "\(elements.name).\(elements.table.column(column)) = \(owner.operand)"
      case .list(let entries):
        let entries = elements.context.schema.tables[entries]
        sql +=
          "\(elements.key.sql) IN (SELECT owner FROM \(quoted(entries.name)) WHERE target = \(owner.operand))"
      }
    }
    for condition in conditions { sql += " AND \(condition.text(.not))" }
    return SQLExpression(
      start + sql + end, parameters: owner.parameters + conditions.flatMap(\.parameters),
      columns: conditions.reduce(into: owner.columns) { $0.formUnion($1.columns) }, shape, .primary,
      canBeNull: canBeNull)
  }
}

/// A property of a collection of objects that has a form in SQL.
enum ObjectSetMember {
  case count, isEmpty, first, last
}

/// A collection type whose members a predicate may use.
protocol QueriedCollection {
  /// The members that have a form in SQL, by the key paths from the collection.
  static var members: [AnyKeyPath: ObjectSetMember] { get }
}

/// The result of `filter`.
extension Array: QueriedCollection {
  static var members: [AnyKeyPath: ObjectSetMember] {
    [
      \[Element].count: .count, \[Element].isEmpty: .isEmpty, \[Element].first: .first,
      \[Element].last: .last,
    ]
  }
}
