/// Values that are added or created and name parts, embedded objects, which are in another place so far.
///
/// A part must not be in two places, nor leave the last, not even for a moment: triggers in the file refuse
/// the one and delete it after the other. A value that moves parts is therefore written without those
/// triggers, and the store does afterwards what they would have done.
extension Store {
  /// The parts that a value puts into a place.
  struct Placement {
    let place: PartPlace
    /// The primary key of the owner.
    let owner: SQLiteValue
    let parts: [SQLiteValue]
  }

  /// Writes a value that puts parts into places.
  ///
  /// - Complexity: O(log n) for each place and each part that comes into one, besides `write`.
  func placing<R>(
    _ placements: @autoclosure () -> [Placement], _ write: () throws(StoreError) -> R
  ) throws(StoreError) -> R {
    guard !adding.isPlacing, !schema.partPlaces.isEmpty else { return try write() }
    adding.isPlacing = true
    defer { adding.isPlacing = false }
    let placements = placements()
    guard let parts = partsBeforeMoving(placements) else { return try write() }
    connection.keepsParts = true
    defer { connection.keepsParts = false }
    let result = try write()
    connection.keepsParts = false
    settle(parts)
    if let writeFailure { throw writeFailure }
    return result
  }

  /// All parts that are in the places, before and after; `nil` if none comes there from another place.
  private func partsBeforeMoving(_ placements: [Placement]) -> [RowIdentity]? {
    var parts: [RowIdentity] = []
    var isMoving = false
    for placement in placements {
      let target = placement.place.target
      let present = self.parts(at: placement.place, of: placement.owner)
      for key in present { parts.append(RowIdentity(table: target, key: key)) }
      for key in Set(placement.parts).subtracting(present) {
        let part = RowIdentity(table: target, key: key)
        parts.append(part)
        isMoving = isMoving || !places(of: part).isEmpty
      }
    }
    return isMoving && writeFailure == nil ? parts : nil
  }

  /// The parts at a place of an owner, which need not exist.
  private func parts(at place: PartPlace, of owner: SQLiteValue) -> Set<SQLiteValue> {
    let holder = schema.tables[place.holder]
    let column = holder.isEntries ? Table.EntryColumn.owner : holder.primaryKey
    return reading(else: []) { () throws(StoreError) in
      let select = try front.instance.statements.prepare(
        "SELECT \(holder.column(place.column)) FROM \(quoted(holder.name)) "
          + "WHERE \(holder.column(column)) = ?")
      return Set(try select.all([owner]) { $0.value(0) }).subtracting([.null])
    }
  }

  /// The places of a part, one for each entry of a list.
  private func places(of part: RowIdentity) -> [PartPlace] {
    reading(else: []) { () throws(StoreError) in
      var places: [PartPlace] = []
      for place in schema.partPlaces where place.target == part.table {
        let holder = schema.tables[place.holder]
        let select = try front.instance.statements.prepare(
          "SELECT count(*) FROM \(quoted(holder.name)) WHERE \(holder.column(place.column)) = ?")
        let count = try select.first([part.key]) { Int($0.integer(0)) } ?? 0
        places += Array(repeating: place, count: count)
      }
      return places
    }
  }

  /// Deletes the parts that have lost their last place, and has the write fail if one is in two.
  private func settle(_ parts: [RowIdentity]) {
    var left: [RowIdentity] = []
    for part in parts {
      if places(of: part).isEmpty {
        delete(schema.tables[part.table], part.key)
      } else {
        left.append(part)
      }
    }
    for part in left {
      // Deleted parts had parts of their own.
      let places = places(of: part)
      guard places.count > 1, writeFailure == nil else { continue }
      let name = schema.tables[part.table].name
      let names = places.map(\.name)
      let isIn = Set(names).count == 1 ? "\(names[0]) twice" : names.joined(separator: " and ")
      failWrite(
        StoreError(
          .invalidValue,
          "The \(name) with the primary key \(part.key.textReading ?? "") would be in \(isIn), "
            + "but a part has one place; have the value that is written take it out of the other, "
            + "or name a copy of it."))
    }
  }

  /// The parts of an object that is about to be added, and of those that it leads to.
  func placements(adding object: Object) -> [Placement] {
    var placements: [Placement] = []
    var waiting = [object]
    var seen: Set<ObjectIdentifier> = []
    while let object = waiting.popLast() {
      guard object._row == nil, seen.insert(ObjectIdentifier(object)).inserted else { continue }
      let table = schema.table(of: type(of: object))
      guard case .objects(let objects) = table.role else { continue }
      waiting += objects.targets(of: object)
      for place in schema.partPlaces where place.owner == table.index {
        let property =
          switch place.property {
          case .column(let column): objects.columns[column]
          case .list(let slot): objects.lists[slot]
          }
        let parts = property.storage.targets(at: property.address(in: object))
        placements.append(
          Placement(place: place, owner: presentKey(of: object), parts: parts.map(presentKey)))
      }
    }
    return placements
  }
}
