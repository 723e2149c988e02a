/// The changes between two versions, by the properties that a callback observes.
///
/// A path is followed backwards: from the objects whose property at its end changed to those that lead to
/// them. Only the new version is read: an object that led there before, but no longer does, has a changed
/// link on the path. Results are cached, because many callbacks need the same ones.
final class ChangedObjects {
  let rows: VersionDifference
  let reader: RowReader
  private let schema: Schema
  private let deepTables: Set<Int>
  private var deep: DeepChanges?
  private var listOwners: [Int: Set<SQLiteValue>] = [:]
  private var trees: [PropertyTree: Set<SQLiteValue>] = [:]
  private var leading: [PropertyTree: Set<SQLiteValue>] = [:]

  /// - Parameters:
  ///   - reader: A reader of the new version.
  ///   - deepTables: The classes for which ``modified(_:of:)`` may be called without a filter.
  init(_ rows: VersionDifference, schema: Schema, reader: RowReader, deepTables: Set<Int>) {
    self.rows = rows
    self.schema = schema
    self.reader = reader
    self.deepTables = deepTables
  }

  /// The objects of a class that count as modified for a filter, if they are in both versions.
  func modified(_ filter: PropertyFilter, of table: Table) throws(StoreError) -> ModifiedObjects {
    switch filter {
    case .properties(let tree):
      return ModifiedObjects(rows[table], own: .columns(tree.columns), leading: try keys(leadingInto: tree))
    case .any:
      return ModifiedObjects(rows[table], own: .any, leading: try deepChanges(for: table)[table])
    }
  }

  private func deepChanges(for table: Table) throws(StoreError) -> DeepChanges {
    if let deep { return deep }
    let deep = try DeepChanges(
      rows, schema: schema, reader: reader, for: deepTables.union([table.index]),
      ownersOfChangedLists: ownersOfChangedLists)
    self.deep = deep
    return deep
  }

  /// The owners of lists that have other elements, or another order.
  func ownersOfChangedLists(in table: Table) throws(StoreError) -> Set<SQLiteValue> {
    if rows[table].isEmpty { return [] }
    if let owners = listOwners[table.index] { return owners }
    let owners = try rows.ownersOfChangedLists(in: table, reader)
    listOwners[table.index] = owners
    return owners
  }

  /// The objects of a class that were written to, or lead over at most three links and lists to one that was.
  func elements(of table: Table, leadingTo rows: Set<RowIdentity>) throws(StoreError) -> TouchedElements {
    let reachable = DeepChanges.reachable(from: [table.index], schema: schema)
    var builder = VersionDifference.Builder(schema: schema)
    for row in rows {
      let rowTable = schema.tables[row.table]
      switch rowTable.role {
      case .objects:
        builder.add(row, old: nil, new: try reader.row(rowTable, row.key))
      case .entries(let owner, _):
        // The list that an entry was in before is not known.
        if reachable.contains(owner) { return .all }
      }
    }
    let changes = builder.finish()
    let deep = try DeepChanges(
      changes, schema: schema, reader: reader, for: [table.index], ownersOfChangedLists: { _ in [] })
    return .some(ModifiedObjects(changes[table], own: .any, leading: deep[table]))
  }

  private func keys(_ tree: PropertyTree) throws(StoreError) -> Set<SQLiteValue> {
    if rows.isEmpty || tree.isEmpty { return [] }
    if let keys = trees[tree] { return keys }
    var keys: Set<SQLiteValue> = []
    if !tree.columns.isEmpty {
      for (key, change) in rows[schema.tables[tree.table]] where change.modifies(tree.columns) {
        keys.insert(key)
      }
    }
    keys.formUnion(try self.keys(leadingInto: tree))
    trees[tree] = keys
    return keys
  }

  /// The objects whose observed lists or backlinks changed, and those that lead to an observed change.
  func keys(leadingInto tree: PropertyTree) throws(StoreError) -> Set<SQLiteValue> {
    if rows.isEmpty || tree.isEmpty { return [] }
    if let keys = leading[tree] { return keys }
    var keys: Set<SQLiteValue> = []
    for (property, below) in tree.branches {
      keys.formUnion(try self.keys(leadingThrough: property, to: below, from: tree.table))
    }
    leading[tree] = keys
    return keys
  }

  /// The objects whose list or backlinks changed, and those that lead, through a property, to an object with
  /// an observed change.
  func keys(
    leadingThrough property: PropertyTree.Edge, to below: PropertyTree, from table: Int
  ) throws(StoreError) -> Set<SQLiteValue> {
    typealias Column = Table.EntryColumn
    var keys: Set<SQLiteValue> = []
    let changed = try self.keys(below)
    switch property {
    case .column(let column):
      let table = schema.tables[table]
      try reader.forEach(table.primaryKey, in: table, where: column, isIn: changed) { keys.insert($0) }
    case .list(let entries):
      let entries = schema.tables[entries]
      keys = try ownersOfChangedLists(in: entries)
      try reader.forEach(Column.owner, in: entries, where: Column.target, isIn: changed) { keys.insert($0) }
    case .linking(let origin, let column):
      let origin = schema.tables[origin]
      for (_, change) in rows[origin] where change.differs(in: [column]) {
        for target in [change.old?[column], change.new?[column]] {
          if let target, target != .null { keys.insert(target) }
        }
      }
      try reader.forEach(column, in: origin, where: origin.primaryKey, isIn: changed) { target in
        if target != .null { keys.insert(target) }
      }
    case .listing(let entries):
      let entries = schema.tables[entries]
      keys = rows.targetsOfChangedLists(in: entries)
      try reader.forEach(Column.target, in: entries, where: Column.owner, isIn: changed) { keys.insert($0) }
    }
    return keys
  }
}
