extension Store {
  /// The objects of a class, ordered by primary key until sorted otherwise.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    Results(store: self, query: CollectionQuery(schema: schema, elements: schema.table(of: type)))
  }

  /// The object with a primary key, or `nil`.
  public func object<Element: Object>(ofType type: Element.Type, forPrimaryKey key: some PrimaryKey)
    -> Element?
  {
    object(type, key: key.sqliteValue).map { unsafeDowncast($0, to: type) }
  }

  /// Adds an object and the objects it leads to, which then belong to the store. Objects that belong to it already are
  /// left as they are.
  ///
  /// When another object has its primary key, the transaction cannot be committed; see
  /// ``commitWrite(withoutNotifying:)``.
  public func add(_ object: Object) {
    if let row = object._row {
      precondition(row.store === self, "The object belongs to another store.")
      return
    }
    requireWrite()
    let table = schema.table(of: type(of: object))
    guard case .objects(let objectSchema) = table.role else { return }
    let values = objectSchema.columns(of: object, addingTo: self)
    // A cycle of links leads back here before the row is there; the link added it then.
    if object._row != nil { return }
    let key = values[table.primaryKey]
    let isInserted = execute(
      "INSERT INTO \(quoted(table.name)) (\(table.columnList)) VALUES "
        + "(\(table.columns.map { _ in "?" }.joined(separator: ", ")))", values)
    guard isInserted else { return }
    let row = row(table, key)
    row.adopt(values)
    row.shown = object
    objectSchema.manage(object, row)
  }

  /// Deletes an object, and with it its place in every list and every link to it.
  public func delete(_ object: Object) {
    guard let row = object._row, row.store === self else {
      preconditionFailure("Only an object of this store can be deleted from it.")
    }
    requireWrite()
    changing(row.id, columns: .max) {
      execute(
        "DELETE FROM \(quoted(row.table.name)) WHERE \(row.table.column(row.table.primaryKey)) = ?", [row.key]
      )
    }
  }

  /// Deletes several objects.
  public func delete<Objects: Sequence>(_ objects: Objects) where Objects.Element: Object {
    for object in Array(objects) { delete(object) }
  }
}
