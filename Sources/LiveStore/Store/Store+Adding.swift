/// Adding objects that have been made in memory.
extension Store: _AddingStore {
  /// The treatment of an object whose primary key another object has already.
  public enum UpdatePolicy: Sendable {
    /// The object is refused.
    case error
    /// The existing object gets those values that differ.
    case modified
    /// The existing object gets all values. A value that is there already is never written, and observers are
    /// notified of differing values only, so this has the same effect as ``modified``.
    case all
  }

  /// Adds an object and all objects that it leads to, which then belong to the store. Objects that belong to
  /// it already are left as they are.
  ///
  /// With ``UpdatePolicy/error``, the transaction cannot be committed when the primary key of `object`, or of
  /// an object that it leads to, is taken; ``commitWrite(withoutNotifying:)`` throws an error that names it.
  /// With the other policies, `object` then shows the existing row, and the properties of that row get the
  /// values of `object`. The same applies to a row that a rule of the class, ``ObjectRule/unique(_:)``, takes
  /// for the same: it keeps its primary key. In its lists only those elements are moved, inserted or removed
  /// that differ. The same applies to the objects that it leads to. Those that are parts, see
  /// ``ObjectRule/embeds(_:)``, go to the places where it names them.
  ///
  /// If the write is cancelled, the objects belong to no store again and have the values that they had
  /// before, so that they can be added once more. A deleted object cannot be added, nor be linked to: the
  /// transaction then cannot be committed, and the error names the object.
  ///
  /// - Complexity: O(log n) for each added object, regardless of the length of the chains of links between
  ///   them.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    requireWrite()
    let outer = adding.policy
    adding.policy = update
    defer { adding.policy = outer }
    if update == .error {
      _ = _key(adding: object)
    } else {
      // A failure is kept for the end of the transaction.
      try? placing(placements(adding: object)) { _ = _key(adding: object) }
    }
  }

  /// Adds several objects, as ``add(_:update:)`` does.
  public func add<Objects: Sequence>(_ objects: Objects, update: UpdatePolicy = .error)
  where Objects.Element: Object {
    for object in objects { add(object, update: update) }
  }

  public func _key(adding object: Object) -> SQLiteValue {
    if let row = object._row {
      precondition(
        row.store === self,
        "The object belongs to another store; find the one of this store by its primary key.")
      // Checked here, where the object is known, instead of by the foreign keys at the end.
      if row.isDeleted { failWrite(deletedError(row)) }
      return row.key
    }
    let table = schema.table(of: type(of: object))
    guard case .objects(let objectSchema) = table.role else { return .null }
    if adding.policy == .error, !objectSchema.leadsToObjects {
      let values = objectSchema.columns(of: object, addingTo: self)
      insert(object, values, into: table, objectSchema)
      return values[table.primaryKey]
    }
    // A cycle of links leads back to an object whose row is not written yet. Foreign keys are checked at the
    // end.
    if let key = adding.keys[ObjectIdentifier(object)] { return key }
    return key(addingWithTargets: object)
  }

  /// Adds an object, and before it the objects that it leads to. Iterates, because recursion along a long
  /// chain of objects would overflow the stack.
  private func key(addingWithTargets object: Object) -> SQLiteValue {
    let key = noteKey(of: object)
    var waiting = [object]
    var withLists: [Object] = []
    while let object = waiting.last, writeFailure == nil {
      let objectSchema = schema(of: object)
      if !adding.visited.contains(ObjectIdentifier(object)) {
        adding.visited.insert(ObjectIdentifier(object))
        let targets = objectSchema.targets(of: object).filter {
          $0._row == nil && adding.keys[ObjectIdentifier($0)] == nil
        }
        if !targets.isEmpty {
          // The last is taken first.
          for target in targets.reversed() where adding.keys[ObjectIdentifier(target)] == nil {
            _ = noteKey(of: target)
            waiting.append(target)
          }
          continue
        }
      }
      waiting.removeLast()
      addRow(of: object, adding.keys[ObjectIdentifier(object)], objectSchema)
      forget(object)
      if !objectSchema.lists.isEmpty { withLists.append(object) }
    }
    // After a failure nothing more is added.
    for object in waiting { forget(object) }
    // Only now do all rows exist that their entries name.
    for object in withLists where writeFailure == nil { connectLists(of: object) }
    return key
  }

  private func noteKey(of object: Object) -> SQLiteValue {
    let key = adding.policy == .error ? ownKey(of: object) : presentKey(of: object)
    adding.keys[ObjectIdentifier(object)] = key
    return key
  }

  private func ownKey(of object: Object) -> SQLiteValue {
    schema(of: object).key.column(of: object, addingTo: self)
  }

  /// The primary key of the row that an object shows or, by its own key or a rule, will show when it is added
  /// as an update.
  func presentKey(of object: Object) -> SQLiteValue {
    if let row = object._row { return row.key }
    let key = ownKey(of: object)
    let table = schema.table(of: type(of: object))
    guard !table.rules.uniqueKeys.isEmpty, !exists(table, key) else { return key }
    let objectSchema = schema(of: object)
    return self.key(in: table) { objectSchema.columns[$0].column(of: object, addingTo: self) } ?? key
  }

  private func forget(_ object: Object) {
    adding.keys[ObjectIdentifier(object)] = nil
    adding.visited.remove(ObjectIdentifier(object))
  }

  private func schema(of object: Object) -> ObjectSchema {
    guard case .objects(let objectSchema) = schema.table(of: type(of: object)).role else {
      preconditionFailure("Entries of lists are no objects.")
    }
    return objectSchema
  }

  /// Writes the row of an object whose targets exist or are about to be written, with its own primary key or
  /// that of the row that a rule takes for the same.
  private func addRow(of object: Object, _ key: SQLiteValue?, _ objectSchema: ObjectSchema) {
    let table = schema.table(of: type(of: object))
    let values = objectSchema.columns(of: object, addingTo: self)
    let key = key ?? values[table.primaryKey]
    guard adding.policy != .error, exists(table, key) else {
      return insert(object, values, into: table, objectSchema)
    }
    let row = row(table, key)
    keep(object, values, objectSchema)
    if table.rules.uniqueKeys.isEmpty {
      for property in objectSchema.storedProperties where !property.isPrimaryKey && !property.isList {
        property.storage.write(at: property.address(in: object), to: row, property.slot)
      }
    } else {
      assign(values.indices.filter { $0 != table.primaryKey }.map { ($0, values[$0]) }, to: row)
    }
    object._row = row
    for property in objectSchema.properties where !property.isList {
      property.storage.adopt(at: property.address(in: object), property.slot)
    }
    object._before.isUpdate = true
    if row.shown == nil { row.shown = object }
    adding.adopted.append(Weak(value: object))
  }

  private func insert(
    _ object: Object, _ values: [SQLiteValue], into table: Table, _ objectSchema: ObjectSchema
  ) {
    guard let row = insert(table, values) else { return }
    row.shown = object
    keep(object, values, objectSchema)
    objectSchema.manage(object, row)
  }

  /// Makes the lists of an added object those of its row.
  private func connectLists(of object: Object) {
    guard let row = object._row else { return }
    for property in schema(of: object).lists {
      let address = property.address(in: object)
      if object._before.isUpdate {
        property.storage.write(at: address, to: row, property.slot)
        property.storage.adopt(at: address, property.slot)
      } else {
        property.storage.manage(at: address, row, property.slot)
      }
    }
  }

  /// The error of adding an object that has been deleted, or of linking to it or to the elements of its list.
  func deletedError(_ row: _ManagedRow) -> StoreError {
    StoreError(
      .invalidValue,
      "The \(row.table.name) with the primary key \(row.key.textReading ?? "") has been deleted, "
        + "or the write that made it was taken back; it can be neither linked to nor added. Make a new one.")
  }

  /// Inserts a row with the values of an object of a class without links. The object belongs to no store
  /// before and after; its lists are ignored. For many rows that nothing shows: a few objects can lend their
  /// values to all of them.
  ///
  /// - Returns: The primary key. If the row could not be inserted, the transaction cannot be committed.
  package func insertRow(like object: Object) -> SQLiteValue {
    requireWrite()
    let table = schema.table(of: type(of: object))
    let objectSchema = schema(of: object)
    precondition(
      object._row == nil && objectSchema.leading.allSatisfy(\.isList),
      "Only the values of an object in no store, and without links, can be those of a row.")
    let values = objectSchema.columns(of: object, addingTo: self)
    _ = insertNew(values, into: table)
    return values[table.primaryKey]
  }

  /// Inserts a row. Returns `nil` when that failed; the transaction can then not be committed.
  func insert(_ table: Table, _ values: [SQLiteValue]) -> _ManagedRow? {
    guard insertNew(values, into: table) else { return nil }
    let row = row(table, values[table.primaryKey])
    // A trigger of another program may have assigned columns.
    if connection.firesTriggers { row.forget() } else { row.adopt(values) }
    return row
  }

  /// Inserts a row; if its primary key is taken, the reason why the transaction cannot be committed says so.
  private func insertNew(_ values: [SQLiteValue], into table: Table) -> Bool {
    let hadFailed = writeFailure != nil
    if insertRow(values, into: table) { return true }
    // ``exists(_:_:)`` does not help here: a failed write shows no rows.
    let key = values[table.primaryKey]
    if !hadFailed, let failure = writeFailure, failure.isConstraint,
      (try? front.instance.row(table, key)) != nil
    {
      writeFailure = StoreError(failure.code, sentence(existing: key, in: table))
    }
    return false
  }

  func sentence(existing key: SQLiteValue, in table: Table) -> String {
    "There is a \(table.name) with the primary key \(key.textReading ?? "") already; "
      + "give the new one another key, or pass update: .modified."
  }

  /// Whether the present version, including the writes of the open transaction, has the row.
  func exists(_ table: Table, _ key: SQLiteValue) -> Bool {
    reading(else: false) { () throws(StoreError) in try front.instance.row(table, key) != nil }
  }
}

/// The state of adding objects to a store.
struct Adding {
  var policy = Store.UpdatePolicy.error
  /// Whether a value is being written of which is known where it puts its parts.
  var isPlacing = false
  /// The primary keys of the objects whose rows are about to be written.
  var keys: [ObjectIdentifier: SQLiteValue] = [:]
  /// The objects among them whose targets have been visited.
  var visited: Set<ObjectIdentifier> = []
  /// The objects that the open transaction has attached to existing rows.
  var adopted: [Weak<Object>] = []
  /// The targets that added objects linked to before they were added.
  var kept: [KeptTargets] = []
}
