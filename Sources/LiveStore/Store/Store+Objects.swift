/// Lookup and deletion of objects.
extension Store {
  /// The objects of a class, ordered by primary key until sorted otherwise.
  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    let query = CollectionQuery(schema: schema, elements: schema.table(of: type))
    return Results(RankedCollection(store: self, query: query))
  }

  /// The object with a primary key, or `nil`. A key of another type than the class has stops the program.
  ///
  /// - Complexity: O(log n).
  public func object<Element: Object, Key: PrimaryKey>(ofType type: Element.Type, forPrimaryKey key: Key)
    -> Element?
  {
    let table = schema.table(of: type)
    precondition(
      table.mayHave(key: key.sqliteValue),
      "The primary key “\(table.columns[table.primaryKey].name)” of \(table.name) is no \(Key.self); "
        + "pass a key of the type that the property has.")
    return object(type, key: key.sqliteValue)
  }

  /// Whether the store has no object of any of its classes. False if that cannot be read.
  public var isEmpty: Bool {
    exclusively {
      reading(else: false) { () throws(StoreError) -> Bool in
        for table in schema.tables where !table.isEntries {
          let select = try reader.statements.prepare("SELECT 1 FROM \(quoted(table.name)) LIMIT 1")
          if try select.hasRow() { return false }
        }
        return true
      }
    }
  }

  /// Deletes an object, its entries in every list, and every link to it; with it the objects that the rules
  /// of their classes say, see ``ObjectRule``.
  ///
  /// Does nothing if it has been deleted already.
  public func delete(_ object: Object) {
    guard let row = object._row, row.store === self else {
      preconditionFailure("Only an object of this store can be deleted from it.")
    }
    delete(row.table, row.key, before: row.values)
  }

  /// Deletes several objects.
  public func delete<Objects: Sequence>(_ objects: Objects) where Objects.Element: Object {
    for object in Array(objects) { delete(object) }
  }

  /// Deletes all objects of the store's classes. Other tables of the file stay.
  public func deleteAll() {
    requireWrite()
    for table in schema.tables {
      // The order of the classes is not to matter to those that refuse a deletion.
      for (column, rule) in table.rules.deletions where rule == .deny {
        execute("UPDATE \(quoted(table.name)) SET \(table.column(column)) = NULL", [])
      }
    }
    for table in schema.tables.filter(\.isEntries) + schema.tables.filter({ !$0.isEntries }) {
      execute("DELETE FROM \(quoted(table.name))", [])
      requireNone(of: table, where: "1", [])
    }
  }

  /// Deletes a row; if a rule denies that, the reason why the transaction cannot be committed says which.
  ///
  /// - Parameter before: The present row, if it has been read.
  func delete(_ table: Table, _ key: SQLiteValue, before: RowImage? = nil) {
    let hadFailed = writeFailure != nil
    deleteRow(key, from: table, before: before)
    if !hadFailed, let failure = writeFailure, failure.isConstraint {
      writeFailure = denial(of: key, in: table, failure) ?? failure
    }
  }
}
