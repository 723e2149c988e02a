/// Which objects lead, over links and lists, to something that changed.
///
/// A collection without a filter reports an element as modified when a value changed that the element shows
/// itself or that it leads to over at most three links. Instead of looking at everything the elements lead
/// to, this goes from what changed backwards to what leads there. It asks the new version only: an object
/// that led there before, but no longer does, has a changed link of its own.
struct DeepChanges {
  private static let depth = 3

  /// For each table of objects, those that lead to a change.
  private let objects: [Int: Set<SQLiteValue>]

  /// - Parameters:
  ///   - tables: Whose objects will be asked for.
  ///   - ownersOfChangedLists: For a table of entries, the owners of lists that changed.
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
          // An entry leads from its owner to its target; the column that names the owner leads nowhere.
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
            // Those that changed themselves are where it began.
            if changes[schema.tables[origin]].contains(key: key) {
              all[origin, default: []].insert(key)
            } else if all[origin, default: []].insert(key).inserted {
              next[origin, default: []].insert(key)
            }
          }
          if step == 0 {
            let changed = changes[schema.tables[reference.target]].keys
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

  /// The objects of a table that lead to a change. Others changed themselves.
  subscript(table: Table) -> Set<SQLiteValue> {
    objects[table.index] ?? []
  }

  /// The tables of objects that objects of the given tables may lead to, and those tables, if any link leaves
  /// them.
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
