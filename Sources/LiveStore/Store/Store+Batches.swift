/// Changes of all objects that match a query, each with one statement.
extension Store {
  /// Deletes the objects that are in the results at the time of the call, as `delete(_:)` does each.
  ///
  /// - Returns: The number of results that were deleted, without those that went with them.
  /// - Complexity: One statement of SQL: O(k log n) for k results of n objects. No objects are created, and
  ///   the order of the results need not have been read.
  @discardableResult
  public func delete<Element: Object>(_ results: Results<Element>) -> Int {
    guard results.store === self else {
      preconditionFailure("Only objects of this store can be deleted from it.")
    }
    return results.deleteAll()
  }
}

extension Results {
  /// Deletes the objects that are in the results at the time of the call; see `store.delete(_:)`.
  ///
  /// - Returns: The number of results that were deleted.
  @discardableResult
  public func deleteAll() -> Int {
    let query = ranked.query
    let condition = query.condition()
    return store.change(
      query.elements, "DELETE FROM \(quoted(query.elements.name))", [], where: condition.sql,
      condition.parameters)
  }

  /// Assigns properties of all objects that are in the results at the time of the call.
  ///
  /// ```swift
  /// try store.write {
  ///   let unread = try store.objects(Message.self).filter(#Predicate { !$0.isRead })
  ///   unread.update(.set(\.isRead, to: true), .add(1, to: \.views))
  /// }
  /// ```
  ///
  /// Several assignments of one property follow each other, each from the value that the one before has left.
  /// Objects that have all of the values already are not written. Observers are notified as if each object
  /// had been assigned by itself.
  ///
  /// - Returns: The number of objects that were written.
  /// - Complexity: One statement of SQL: O(k log n) for k results of n objects. No objects are created, and
  ///   the order of the results need not have been read.
  @discardableResult
  public func update(_ assignments: PropertyAssignment<Element>...) -> Int {
    let query = ranked.query
    let table = query.elements
    guard !assignments.isEmpty else { return 0 }
    var columns: [(name: String, expression: String, values: [SQLiteValue])] = []
    for assignment in assignments {
      guard case .objects(let schema) = table.role, let column = schema.column(for: assignment.property),
        column != table.primaryKey
      else {
        preconditionFailure(
          "Only persisted values of \(table.name) other than its primary key can be assigned, "
            + "not \(assignment.property).")
      }
      let name = table.column(column)
      let value = assignment.value(store)
      // SQLite takes only the last of several assignments of a column.
      let before = columns.first { $0.name == name } ?? (name: name, expression: name, values: [])
      columns.removeAll { $0.name == name }
      if let expression = assignment.expression {
        columns.append((name, expression(before.expression), before.values + [value]))
      } else {
        columns.append((name, "?", [value]))
      }
    }
    let condition = query.condition()
    let values = columns.flatMap(\.values)
    let settings = columns.map { "\($0.name) = \($0.expression)" }.joined(separator: ", ")
    let differences = columns.map { "\($0.name) IS NOT \($0.expression)" }.joined(separator: " OR ")
    return store.change(
      table, "UPDATE \(quoted(table.name)) SET \(settings)", values,
      where: "\(condition.sql) AND (\(differences))", condition.parameters + values)
  }
}

extension Store {
  /// Runs a statement that changes or deletes the rows of a table that match a condition, and returns how
  /// many it has changed itself.
  fileprivate func change(
    _ table: Table, _ sql: String, _ values: [SQLiteValue], where condition: String,
    _ parameters: [SQLiteValue]
  ) -> Int {
    let statement = ("\(sql) WHERE \(condition)", values + parameters)
    guard let error = recorder.foreign.skippingError(in: table) else {
      return execute(statement.0, statement.1) ? connection.lastChangeCount : 0
    }
    // A deletion may take some of the rows along with others, without counting them.
    let keys = keys(of: table, where: condition, parameters)
    guard execute(statement.0, statement.1) else { return 0 }
    let count = connection.lastChangeCount
    if count < keys.count, !sql.hasPrefix("DELETE") || keys.contains(where: { exists(table, $0) }) {
      failWrite(error)
    }
    return count
  }

  private func keys(of table: Table, where condition: String, _ parameters: [SQLiteValue]) -> [SQLiteValue] {
    reading(else: []) { () throws(StoreError) in
      try connection.instance.prepare(
        "SELECT \(table.key) FROM \(quoted(table.name)) WHERE \(condition)"
      ).all(parameters) { $0.value(0) }
    }
  }
}

/// The assignment of a property of many objects; see ``Results/update(_:)``.
public struct PropertyAssignment<Element: Object> {
  let property: PartialKeyPath<Element>
  /// The value of the parameter; adds the target of a link to the store.
  let value: (_ store: any _AddingStore) -> SQLiteValue
  /// Returns the new value in SQL, for the former one in SQL, which it contains once, before its own
  /// parameter; `nil` if the parameter itself is the new value.
  let expression: ((_ former: String) -> String)?

  /// The property gets a value, or a link its target.
  public static func set<Value: Persistable>(
    _ property: KeyPath<Element, Value>, to value: Value
  ) -> PropertyAssignment {
    PropertyAssignment(
      property: property, value: { Value._column(value, addingTo: $0) }, expression: nil)
  }

  /// A number is added to the property; what it would then be beyond its type's range is that type's greatest
  /// or least value.
  public static func add<Value: PersistableValue & FixedWidthInteger>(
    _ number: Value, to property: KeyPath<Element, Value>
  ) -> PropertyAssignment {
    PropertyAssignment(
      property: property, value: { _ in number.sqliteValue },
      expression: { "max(\(Value.min), min(\(Value.max), \($0) + ?))" })
  }

  /// A number is added to the property where it has a value.
  public static func add<Value: PersistableValue & FixedWidthInteger>(
    _ number: Value, to property: KeyPath<Element, Value?>
  ) -> PropertyAssignment {
    PropertyAssignment(
      property: property, value: { _ in number.sqliteValue },
      expression: { "max(\(Value.min), min(\(Value.max), \($0) + ?))" })
  }

  /// A number is added to the property.
  public static func add(_ number: Double, to property: KeyPath<Element, Double>) -> PropertyAssignment {
    PropertyAssignment(property: property, value: { _ in .real(number) }, expression: { "\($0) + ?" })
  }
}
