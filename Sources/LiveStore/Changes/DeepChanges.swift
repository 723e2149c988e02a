/// The objects that lead, over links and lists, to a changed object.
///
/// A collection without a filter reports an element as modified when a value changed that is the element's
/// own or that it leads to over at most three links. Instead of visiting everything the elements lead to,
/// this goes backwards from the changes to the objects that lead there. It reads only the new version: an
/// object that led there before, but no longer does, has a changed link of its own.
struct DeepChanges {
  private static let depth = 3

  /// The objects of each table that lead to a change.
  private let objects: [Int: Set<SQLiteValue>]

  /// - Parameters:
  ///   - tables: The tables of the objects that will be looked up.
  ///   - ownersOfChangedLists: Returns, for a table of entries, the owners of changed lists.
  init(
    _ changes: VersionDifference, schema: Schema, reader: RowReader, for tables: Set<Int>,
    ownersOfChangedLists: (Table) throws(StoreError) -> Set<SQLiteValue>
  ) throws(StoreError) {
    let relevant = DeepChanges.reachable(from: tables, schema: schema)
    var frontier: [Int: Set<SQLiteValue>] = [:]
    var all: [Int: Set<SQLiteValue>] = [:]
    for table in schema.tables where !changes[table].isEmpty {
      switch table.role {
      case .objects: break
      case .entries(let owner, _):
        guard relevant.contains(owner) else { continue }
        frontier[owner, default: []].formUnion(try ownersOfChangedLists(table))
      }
    }
    all = frontier
    for step in 0..<DeepChanges.depth where step == 0 || !frontier.isEmpty {
      var next: [Int: Set<SQLiteValue>] = [:]
      for table in schema.tables {
        for reference in table.references {
          // An entry leads from its owner to its target, not the other way.
          let origin: Int
          let column: Int
          switch table.role {
          case .objects:
            origin = table.index
            column = table.primaryKey
          case .entries(let owner, _):
            guard reference.column == Table.EntryColumn.target else { continue }
            origin = owner
            column = Table.EntryColumn.owner
          }
          guard relevant.contains(origin) else { continue }
          func follow(_ key: SQLiteValue) {
            // The search began with the objects that changed themselves.
            if changes[schema.tables[origin]][key]?.isModification == true {
              all[origin, default: []].insert(key)
            } else if all[origin, default: []].insert(key).inserted {
              next[origin, default: []].insert(key)
            }
          }
          if step == 0 {
            let changed = changes[schema.tables[reference.target]].modifiedKeys
            try reader.forEach(column, in: table, where: reference.column, isIn: changed, follow)
          }
          if let targets = frontier[reference.target] {
            try reader.forEach(column, in: table, where: reference.column, isIn: targets, follow)
          }
        }
      }
      frontier = next
    }
    objects = all
  }

  /// The objects of a table that lead to a change. Other objects may have changed themselves.
  subscript(table: Table) -> Set<SQLiteValue> {
    objects[table.index] ?? []
  }

  /// The tables of objects that objects of the given tables may lead to, and the given tables that have any
  /// link.
  static func reachable(from tables: Set<Int>, schema: Schema) -> Set<Int> {
    var reached: Set<Int> = []
    var frontier = tables
    for _ in 0...depth {
      var next: Set<Int> = []
      for table in frontier where reached.insert(table).inserted {
        for reference in schema.tables[table].references { next.insert(reference.target) }
        for list in schema.lists[table] {
          if case .entries(_, let target) = schema.tables[list].role { next.insert(target) }
        }
      }
      frontier = next
    }
    return reached
  }
}
