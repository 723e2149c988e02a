/// Which objects lead, over links and lists, to something that changed.
///
/// A collection reports an element as modified when a value changed that the element shows itself or that it leads to
/// over at most three links. Instead of looking at everything the elements lead to, this goes from what changed
/// backwards to what leads there. It asks the new version only: an object that led there before, but no longer does,
/// has a changed link of its own.
struct DeepChanges {
  private static let depth = 3

  /// For each table of objects, those that changed or lead to a change.
  private let objects: [Int: Set<SQLiteValue>]

  init(_ changes: RowChanges, schema: Schema, reader: RowReader, for tables: Set<Int>) throws(StoreError) {
    let relevant = DeepChanges.reachable(from: tables, schema: schema)
    var frontier: [Int: Set<SQLiteValue>] = [:]
    var all: [Int: Set<SQLiteValue>] = [:]
    for table in schema.tables where !changes[table].isEmpty {
      switch table.role {
      case .objects:
        if relevant.contains(table.index) {
          frontier[table.index, default: []].formUnion(changes[table].keys)
        }
      case .entries(let owner, _):
        guard relevant.contains(owner) else { continue }
        frontier[owner, default: []].formUnion(
          try DeepChanges.owners(ofChangedListsIn: table, changes, reader))
      }
    }
    all = frontier
    for _ in 0..<DeepChanges.depth where !frontier.isEmpty {
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
          guard relevant.contains(origin), let targets = frontier[reference.target] else { continue }
          let select = try reader.statements.prepare(
            "SELECT \(table.column(column)) FROM \(quoted(table.name)) WHERE \(table.column(reference.column)) = ?"
          )
          for target in targets {
            select.reset()
            select.bind(target, at: 1)
            while try select.step() {
              let key = select.value(0)
              if all[origin, default: []].insert(key).inserted { next[origin, default: []].insert(key) }
            }
          }
          select.reset()
        }
      }
      frontier = next
    }
    objects = all
  }

  /// The owners whose lists have other elements, or the same in another order.
  private static func owners(
    ofChangedListsIn table: Table, _ changes: RowChanges, _ reader: RowReader
  ) throws(StoreError) -> Set<SQLiteValue> {
    typealias Column = Table.EntryColumn
    var owners: Set<SQLiteValue> = []
    var moved: [SQLiteValue: [SQLiteValue: RowChanges.Change]] = [:]
    for (entry, change) in changes[table] {
      if let old = change.old, let new = change.new, old[Column.owner] == new[Column.owner],
        old[Column.target] == new[Column.target]
      {
        moved[new[Column.owner], default: [:]][entry] = change
      } else {
        for row in [change.old, change.new] { if let row { owners.insert(row[Column.owner]) } }
      }
    }
    for (owner, entries) in moved where !owners.contains(owner) {
      if try isReordered(entries, in: table, reader) { owners.insert(owner) }
    }
    return owners
  }

  /// Whether entries that only got other positions stand in another order. It is the same order exactly when each of
  /// them has the same entry before it as it had.
  ///
  /// - Complexity: O(log n) until the first that has not; O(k²) for k entries that all have.
  private static func isReordered(
    _ moved: [SQLiteValue: RowChanges.Change], in table: Table, _ reader: RowReader
  ) throws(StoreError) -> Bool {
    typealias Column = Table.EntryColumn
    func place(_ row: RowImage) -> RankKey {
      var key = RankKeyWriter()
      for column in [Column.position, Column.target, Column.entry] { key.append(row[column]) }
      return key.key
    }
    let select = try reader.statements.prepare(
      "SELECT \(table.columnList) FROM \(quoted(table.name)) WHERE owner = ? "
        + "AND (position, target, entry) < (?, ?, ?) ORDER BY position DESC, target DESC, entry DESC")
    func entryBefore(_ row: RowImage, among moved: [RowImage], isMoved: (SQLiteValue) -> Bool)
      throws(StoreError)
      -> SQLiteValue?
    {
      select.reset()
      select.bind([row[Column.owner], row[Column.position], row[Column.target], row[Column.entry]])
      defer { select.reset() }
      var nearest: RowImage?
      while nearest == nil, try select.step() {
        let other = select.values(0..<table.columns.count)
        if !isMoved(other[Column.entry]) { nearest = other }
      }
      let own = place(row)
      for other in moved where place(other) < own {
        if nearest.map({ place($0) < place(other) }) ?? true { nearest = other }
      }
      return nearest?[Column.entry]
    }
    let isMoved = { (entry: SQLiteValue) in moved[entry] != nil }
    let old = moved.values.compactMap(\.old)
    let new = moved.values.compactMap(\.new)
    for change in moved.values {
      guard let before = change.old, let after = change.new else { return true }
      if try entryBefore(before, among: old, isMoved: isMoved)
        != entryBefore(after, among: new, isMoved: isMoved)
      {
        return true
      }
    }
    return false
  }

  /// The objects of a table that changed or lead to a change.
  subscript(table: Table) -> Set<SQLiteValue> {
    objects[table.index] ?? []
  }

  /// The tables of objects that objects of the given tables may lead to, and those tables, if any link leaves them.
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
