/// Adding objects that have been made in memory.
extension Store {
  /// What becomes of an object whose primary key another object has already.
  public enum UpdatePolicy: Sendable {
    /// It is refused.
    case error
    /// The object that is there gets those values that differ.
    case modified
    /// The object that is there gets all values. As a value that is there already is never written, and observers are told
    /// of values that differ only, this comes to the same as ``modified``.
    case all
  }

  /// Adds an object and the objects it leads to, which then belong to the store. Objects that belong to it already are
  /// left as they are.
  ///
  /// With ``UpdatePolicy/error``, when another object has its primary key, or that of an object it leads to, the
  /// transaction cannot be committed; ``commitWrite(withoutNotifying:)`` says which it was. Otherwise `object` shows the
  /// row of the one that is there, whose properties have all become those of `object`, in its lists only those elements
  /// being moved, inserted or removed that differ; the same goes for the objects it leads to.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    requireWrite()
    let outer = adding.policy
    adding.policy = update
    defer { adding.policy = outer }
    _ = key(adding: object)
  }

  /// Adds several objects, as ``add(_:update:)`` does.
  public func add<Objects: Sequence>(_ objects: Objects, update: UpdatePolicy = .error)
  where Objects.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// The primary key of an object, which is added if it belongs to no store yet.
  func key(adding object: Object) -> SQLiteValue {
    if let row = object._row {
      precondition(row.store === self, "The object belongs to another store.")
      return row.key
    }
    let table = schema.table(of: type(of: object))
    guard case .objects(let objectSchema) = table.role else { return .null }
    if adding.policy == .error, !objectSchema.leadsToObjects {
      let values = objectSchema.columns(of: object, addingTo: self)
      insert(object, values, into: table, objectSchema)
      return values[table.primaryKey]
    }
    // A cycle of links leads back to an object whose row is not there yet. Foreign keys are checked at the end.
    if let key = adding.keys[ObjectIdentifier(object)] { return key }
    let primaryKey = objectSchema.columns[objectSchema.primaryKey]
    let key = primaryKey.storage.column(at: primaryKey.address(in: object), addingTo: self)
    adding.keys[ObjectIdentifier(object)] = key
    defer { adding.keys[ObjectIdentifier(object)] = nil }
    if adding.policy != .error, exists(table, key) {
      let row = row(table, key)
      objectSchema.write(object, to: row)
      objectSchema.adopt(object, row)
      if row.shown == nil { row.shown = object }
    } else {
      insert(object, objectSchema.columns(of: object, addingTo: self), into: table, objectSchema)
    }
    return key
  }

  private func insert(
    _ object: Object, _ values: [SQLiteValue], into table: Table, _ objectSchema: ObjectSchema
  ) {
    guard let row = insert(table, values) else { return }
    row.shown = object
    objectSchema.manage(object, row)
  }

  /// Inserts a row; `nil` when that failed, and the transaction cannot be committed.
  func insert(_ table: Table, _ values: [SQLiteValue]) -> _ManagedRow? {
    let key = values[table.primaryKey]
    let hadFailed = writeFailure != nil
    guard insertRow(values, into: table) else {
      if !hadFailed, let failure = writeFailure, failure.isConstraint, exists(table, key) {
        writeFailure = StoreError(failure.code, sentence(existing: key, in: table))
      }
      return nil
    }
    let row = row(table, key)
    row.adopt(values)
    return row
  }

  func sentence(existing key: SQLiteValue, in table: Table) -> String {
    "There is a \(table.name) with the primary key \(key.textReading ?? "") already; give the new one another key, or "
      + "pass update: .modified."
  }

  /// Whether there is a row in the present version, with what the open transaction has written.
  func exists(_ table: Table, _ key: SQLiteValue) -> Bool {
    unfailing { () throws(StoreError) in try front.instance.row(table, key) != nil }
  }
}

/// What is being added to a store.
struct Adding {
  var policy = Store.UpdatePolicy.error
  /// The primary keys of the objects whose rows are about to be written.
  var keys: [ObjectIdentifier: SQLiteValue] = [:]
}
