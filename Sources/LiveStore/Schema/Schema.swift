import Synchronization

/// The tables that a store's classes need.
final class Schema: Sendable {
  let version: Int
  let tables: [Table]
  private let byName: [String: Int]
  private let byType: [ObjectIdentifier: Int]
  /// The classes of the first tables.
  private let typeIDs: [ObjectIdentifier]
  /// The tables of entries of the lists of each table of objects, in the order of the class's lists.
  let lists: [[Int]]
  let searchIndexes: [SearchIndex]
  /// The properties that lead to each table of objects, by its properties of linking objects.
  let backlinks: [[Backlink]]
  /// The properties that embed objects.
  let partPlaces: [PartPlace]

  private struct Key: Hashable {
    let types: [ObjectIdentifier]
    let version: Int
  }

  private static let known = Mutex<[Key: Schema]>([:])

  /// The schema of some classes; shared by all stores of the process, so that results for one are valid for
  /// the others.
  static func of(_ types: [Object.Type], version: Int) throws(StoreError) -> Schema {
    let key = Key(types: types.map { ObjectIdentifier($0) }, version: version)
    if let schema = known.withLock({ $0[key] }) { return schema }
    let schema = try Schema(types, version: version)
    return known.withLock { known in
      // Another thread may have created it first.
      defer { known[key] = known[key] ?? schema }
      return known[key] ?? schema
    }
  }

  init(_ types: [Object.Type], version: Int = 1) throws(StoreError) {
    self.version = version
    let classes = try SchemaClasses(types)
    var tables = try classes.tables()
    lists = try classes.appendEntries(to: &tables)
    try requireDistinctNames(tables)
    try requireDistinctIndexNames(tables)
    try requireFiniteOwnership(tables, lists)
    backlinks = try classes.backlinks(lists)
    self.tables = tables
    partPlaces = PartPlace.all(in: tables, lists: lists)
    searchIndexes = tables.compactMap { SearchIndex(of: $0) }
    byType = classes.byType
    typeIDs = classes.schemas.map { ObjectIdentifier($0.type) }
    byName = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.index) })
  }

  func table(named name: String) -> Table? {
    byName[name].map { tables[$0] }
  }

  func table(of type: Object.Type) -> Table {
    // Objects are added one after the other, and a few comparisons cost less than a hash.
    if typeIDs.count <= 8, let index = typeIDs.firstIndex(of: ObjectIdentifier(type)) { return tables[index] }
    guard let index = byType[ObjectIdentifier(type)] else {
      fatalError("\(type) is not among the object types of this store's configuration; add it there.")
    }
    return tables[index]
  }

  func table(ofList slot: Int, in owner: Table) -> Table {
    tables[lists[owner.index][slot]]
  }
}

/// SQLite ignores case in names, and reserves some for itself.
private func requireDistinctNames(_ tables: [Table]) throws(StoreError) {
  for table in tables {
    let name = foldedName(table.name)
    if name.hasPrefix("sqlite_") || name.hasPrefix(LogTriggers.prefix) {
      throw StoreError(.schema, "\(table.name) is a name that the file keeps for itself; rename the class.")
    }
    if let other = tables.first(where: { $0.index < table.index && isSameName($0.name, table.name) }) {
      throw StoreError(
        .schema, "\(other.name) and \(table.name) would be one table of the file; rename one of them.")
    }
    for (index, column) in table.columns.enumerated() {
      if let other = table.columns[..<index].first(where: { isSameName($0.name, column.name) }) {
        throw StoreError(
          .schema,
          "\(table.name).\(other.name) and \(table.name).\(column.name) would be one column; "
            + "rename one of them."
        )
      }
    }
  }
}

/// An index is called after its class and properties, in the same name space of the file as tables.
private func requireDistinctIndexNames(_ tables: [Table]) throws(StoreError) {
  var owners = Dictionary(uniqueKeysWithValues: tables.map { (foldedName($0.name), $0.name) })
  for table in tables {
    for name in table.indexCreations.keys.sorted() {
      guard let other = owners.updateValue(table.name, forKey: foldedName(name)) else { continue }
      throw StoreError(
        .schema,
        "An index of \(table.name) and a table or an index of \(other) would both be called \(name); "
          + "rename a property or a class.")
    }
  }
}

/// A trigger does not fire for what it deletes itself: an object cannot own others of which one may own it.
private func requireFiniteOwnership(_ tables: [Table], _ lists: [[Int]]) throws(StoreError) {
  var owned: [Int: Set<Int>] = [:]
  for table in tables {
    for owner in table.rules.owners {
      switch owner.property {
      case .column(let column):
        for reference in table.references where reference.column == column {
          owned[table.index, default: []].insert(reference.target)
        }
      case .list(let slot):
        if case .entries(_, let target) = tables[lists[table.index][slot]].role {
          owned[table.index, default: []].insert(target)
        }
      }
    }
  }
  var gone = owned
  for table in tables {
    for reference in table.references where table.rules.deletions[reference.column] == .cascade {
      gone[reference.target, default: []].insert(table.index)
    }
  }
  for (owner, targets) in owned.sorted(by: { $0.key < $1.key }) {
    var waiting = Array(targets)
    var seen = targets
    while let table = waiting.popLast() {
      if table == owner {
        throw StoreError(
          .schema,
          "A \(tables[owner].name) owns objects that may own it in turn, so that it could own itself; "
            + "give each a link to its parent, and the rule .references(link, onDelete: .cascade).")
      }
      for next in gone[table] ?? [] where seen.insert(next).inserted { waiting.append(next) }
    }
  }
}
