/// An object as one callback observes it.
struct ObservedObject: Observed {
  let row: RowIdentity
  let filter: PropertyFilter
  private let schema: Schema
  private let columns: Set<Int>
  /// Lists whose elements and order are observed, but not the properties of the elements.
  private let lists: [(entries: Table, property: PropertyTree.Edge)]
  /// Links, lists and backlinks beyond which properties are observed.
  private let deep: [(property: PropertyTree.Edge, below: PropertyTree)]

  init(_ row: RowIdentity, _ tree: PropertyTree, schema: Schema) {
    self.row = row
    self.schema = schema
    filter = .properties(tree)
    columns = tree.columns
    var lists: [(entries: Table, property: PropertyTree.Edge)] = []
    var deep: [(property: PropertyTree.Edge, below: PropertyTree)] = []
    for (property, below) in tree.branches {
      switch property {
      case .list(let entries) where below.isEmpty: lists.append((schema.tables[entries], property))
      case .column where below.isEmpty: break
      default: deep.append((property, below))
      }
    }
    self.lists = lists
    self.deep = deep
  }

  var identity: ObservedIdentity { .object(row) }
  var live: LiveQuery? { nil }

  /// The properties of an object that changed, with the row in both versions.
  struct Modification {
    let old: RowImage
    let new: RowImage
    let properties: Set<PropertyTree.Edge>
  }

  /// - Complexity: O(1) when the object did not change.
  func event(
    since base: Subscription.Base, _ changes: ChangesSinceBase, tree: CollectionTree?
  ) throws(StoreError) -> Subscription.Event? {
    let table = schema.tables[row.table]
    let change = changes.rows[table, row.key]
    if let change {
      // The callback knew already that the object was deleted; a later object with its primary key is not
      // observed.
      guard change.old != nil else { return nil }
      guard change.new != nil else { return .objectDeleted }
    }
    var properties: Set<PropertyTree.Edge> = []
    if let change {
      for column in columns where change.modifies([column]) { properties.insert(.column(column)) }
    }
    for (entries, property) in lists {
      let mayHaveChanged = changes.touched?.includes(entries) ?? false
      let owners = try changes.objects.ownersOfChangedLists(in: entries)
      if mayHaveChanged || owners.contains(row.key) {
        properties.insert(property)
      }
    }
    for (property, below) in deep {
      let mayHaveChanged = changes.touched.map { !$0.isEmpty } ?? false
      let changed = try changes.objects.keys(leadingThrough: property, to: below, from: row.table)
      if mayHaveChanged || changed.contains(row.key) {
        properties.insert(property)
      }
    }
    if properties.isEmpty { return nil }
    if let change, let old = change.old, let new = change.new {
      return .objectModified(Modification(old: old.image, new: new.image, properties: properties))
    }
    guard let image = try changes.objects.reader.row(table, row.key) else { return nil }
    return .objectModified(Modification(old: image, new: image, properties: properties))
  }
}
