/// Creation of objects from untyped values, as they come from JSON.
extension Store {
  /// Creates an object of a class from values by property name, or updates the one with the same primary key.
  ///
  /// A property that `value` does not name has its default, or, in an existing object, keeps its value. A
  /// link takes an object, a dictionary from which one is created by the same rules, or `nil`. A list takes
  /// an array of objects and dictionaries. An enum takes its raw value; a Date, a UUID and Data (in base 64)
  /// take text. The null of JSON is `nil`.
  ///
  /// ```swift
  /// let json = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
  /// try store.write {
  ///   for person in json { try store.create(Person.self, value: person, update: .modified) }
  /// }
  /// ```
  ///
  /// - Throws: ``StoreError/Code/invalidValue`` when the class has no property of a name or the property
  ///   cannot have a value, naming both, and when with ``UpdatePolicy/error`` the primary key is taken.
  ///   Nothing has been written then, except where one value holds two objects with the same primary key.
  @discardableResult
  public func create<Element: Object>(
    _ type: Element.Type, value: [String: Any] = [:], update: UpdatePolicy = .error
  ) throws(StoreError) -> Element {
    requireWrite()
    let draft = try draft(schema.table(of: type), value, update)
    guard update != .error else { return unsafeDowncast(try write(draft, update).object(), to: type) }
    let row = try placing(placements(creating: draft)) { () throws(StoreError) in
      try write(draft, update)
    }
    return unsafeDowncast(row.object(), to: type)
  }

  /// The values of an object that is to be created, after each was checked against its property.
  private struct Draft {
    enum Value {
      case column(SQLiteValue)
      case link(Element?)
      case list([Element])
    }

    enum Element {
      case object(Object)
      case draft(Draft)
    }

    let table: Table
    let objects: ObjectSchema
    var key: SQLiteValue?
    var values: [(property: Property, value: Value)] = []
  }

  private func draft(
    _ table: Table, _ value: [String: Any], _ update: UpdatePolicy
  ) throws(StoreError) -> Draft {
    guard case .objects(let objects) = table.role else {
      throw StoreError(.misuse, "\(table.name) holds no objects.")
    }
    var draft = Draft(table: table, objects: objects)
    // In order, so that of two mistakes the same one is reported every time.
    for (name, value) in value.sorted(by: { $0.key < $1.key }) {
      guard let property = objects.properties.first(where: { $0.name == name }) else {
        throw StoreError(.invalidValue, "\(objects.name) has no property “\(name)”.")
      }
      let converted = try self.value(value, of: property, in: objects, update)
      if property.isPrimaryKey, case .column(let key) = converted {
        draft.key = key
      } else {
        draft.values.append((property, converted))
      }
    }
    if let key = draft.key {
      if update == .error, exists(table, key) {
        throw StoreError(.invalidValue, sentence(existing: key, in: table))
      }
    } else if update != .error, objects.key.defaultValue != .null,
      table.rules.uniqueKeys.isEmpty
    {
      throw StoreError(
        .invalidValue,
        "The values for a \(objects.name) lack “\(objects.key.name)”, "
          + "by which the one to be updated is known.")
    }
    return draft
  }

  private func value(
    _ value: Any, of property: Property, in objects: ObjectSchema, _ update: UpdatePolicy
  ) throws(StoreError) -> Draft.Value {
    func mismatch(_ expected: String) -> StoreError {
      StoreError(
        .invalidValue,
        "\(objects.name).\(property.name) cannot be “\(String(String(describing: value).prefix(100)))” "
          + "(\(type(of: value))); it takes \(expected).")
    }
    func element(_ value: Any, _ type: Object.Type) throws(StoreError) -> Draft.Element? {
      if let object = value as? Object { return Swift.type(of: object) == type ? .object(object) : nil }
      guard let value = value as? [String: Any] else { return nil }
      return .draft(try draft(schema.table(of: type), value, update))
    }
    switch property.kind {
    case .value:
      guard let column = property.storage.column(converting: value) else {
        throw mismatch(property.storage.typeName)
      }
      return .column(column)
    case .link(let type):
      if isNil(value) { return .link(nil) }
      guard let element = try element(value, type) else { throw mismatch("a \(type), a dictionary or nil") }
      return .link(element)
    case .list(let type):
      guard let values = value as? [Any] else { throw mismatch("an array of \(type) or dictionaries") }
      var elements: [Draft.Element] = []
      for value in values {
        guard let element = try element(value, type) else {
          throw mismatch("an array of \(type) or dictionaries")
        }
        elements.append(element)
      }
      return .list(elements)
    case .linkingObjects:
      throw mismatch("nothing: what leads to an object is found from the other objects")
    }
  }

  private func write(_ draft: Draft, _ update: UpdatePolicy) throws(StoreError) -> _ManagedRow {
    let objects = draft.objects
    var columns: [(slot: Int, value: SQLiteValue)] = []
    for (property, value) in draft.values {
      switch value {
      case .column(let column): columns.append((property.slot, column))
      case .link(nil): columns.append((property.slot, .null))
      case .link(let element?): columns.append((property.slot, try key(of: element, update)))
      case .list: continue
      }
    }
    let row: _ManagedRow
    if update != .error, let key = existingKey(of: draft, columns) {
      row = self.row(draft.table, key)
      assign(columns.map { ($0.slot, $0.value) }, to: row)
    } else {
      var values = objects.newColumns()
      if let key = draft.key { values[objects.primaryKey] = key }
      for (slot, value) in columns { values[slot] = value }
      guard let inserted = insert(draft.table, values) else {
        throw writeFailure ?? StoreError(.misuse, "The transaction has failed.")
      }
      row = inserted
    }
    for (property, value) in draft.values {
      guard case .list(let elements) = value else { continue }
      var keys: [SQLiteValue] = []
      for element in elements { keys.append(try key(of: element, update)) }
      property.storage.setList(of: row, property.slot, keys: keys)
    }
    if let writeFailure { throw writeFailure }
    return row
  }

  /// The parts of an object that is about to be created or updated, and of those that it leads to.
  private func placements(creating draft: Draft) -> [Placement] {
    var placements: [Placement] = []
    for (property, value) in draft.values {
      let elements: [Draft.Element]
      switch value {
      case .column: continue
      case .link(let element): elements = element.map { [$0] } ?? []
      case .list(let list): elements = list
      }
      var parts: [SQLiteValue] = []
      for element in elements {
        switch element {
        case .object(let object):
          placements += self.placements(adding: object)
          parts.append(presentKey(of: object))
        case .draft(let part):
          placements += self.placements(creating: part)
          if let key = presentKey(of: part) { parts.append(key) }
        }
      }
      // A new owner has no parts yet, whatever its key will be.
      let owner = presentKey(of: draft) ?? draft.key ?? .null
      for place in schema.partPlaces
      where place.owner == draft.table.index
        && place.property == (property.isList ? .list(property.slot) : .column(property.slot))
      {
        placements.append(Placement(place: place, owner: owner, parts: parts))
      }
    }
    return placements
  }

  private func presentKey(of draft: Draft) -> SQLiteValue? {
    let columns = draft.values.compactMap { property, value -> (slot: Int, value: SQLiteValue)? in
      if case .column(let column) = value { (property.slot, column) } else { nil }
    }
    return existingKey(of: draft, columns)
  }

  /// The primary key of the object that gets the values of a draft, by its own or by a rule that takes both
  /// for the same.
  private func existingKey(of draft: Draft, _ columns: [(slot: Int, value: SQLiteValue)]) -> SQLiteValue? {
    if let key = draft.key, exists(draft.table, key) { return key }
    return key(in: draft.table) { column in columns.first { $0.slot == column }?.value ?? .null }
  }

  private func key(of element: Draft.Element, _ update: UpdatePolicy) throws(StoreError) -> SQLiteValue {
    switch element {
    case .draft(let draft): return try write(draft, update).key
    case .object(let object):
      add(object, update: update)
      if let writeFailure { throw writeFailure }
      return object._row?.key ?? .null
    }
  }
}
