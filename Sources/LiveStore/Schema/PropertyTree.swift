/// The properties of a class that a callback observes, and below each that leads to other objects, the
/// observed properties of those.
///
/// All key paths of a callback form one tree, so that their common parts are examined once.
struct PropertyTree: Hashable, Sendable {
  /// A property, identified by where the file stores it.
  enum Edge: Hashable, Sendable {
    /// A value or a link: the column in the class's own table.
    case column(Int)
    /// A list: the table of its entries.
    case list(entries: Int)
    /// The objects of a class that link here: their table and the column of the link.
    case linking(table: Int, column: Int)
    /// The owners of the lists that contain an object: the table of the lists' entries.
    case listing(entries: Int)

    /// Whether it belongs to the objects that lead here, instead of the object itself.
    var isBacklink: Bool {
      switch self {
      case .column, .list: false
      case .linking, .listing: true
      }
    }
  }

  /// A property, and the table of the objects that it leads to, if it leads to any.
  struct Step {
    let property: Edge
    let target: Int?
  }

  /// The table of the class.
  let table: Int
  /// The observed properties, each with the tree of the objects that it leads to.
  private(set) var branches: [Edge: PropertyTree] = [:]
  private(set) var columns: Set<Int> = []

  var isEmpty: Bool { branches.isEmpty }

  /// Adds a property, and below it the properties that `body` adds.
  mutating func watch(_ step: Step, _ body: (inout PropertyTree) -> Void = { _ in }) {
    if case .column(let column) = step.property { columns.insert(column) }
    body(&branches[step.property, default: PropertyTree(table: step.target ?? table)])
  }

  mutating func ignore(_ property: Edge) {
    if case .column(let column) = property { columns.remove(column) }
    branches[property] = nil
  }
}

/// The modifications that a callback receives.
enum PropertyFilter: Hashable, Sendable {
  /// Those of any property, its own or of an object that it leads to over at most three links.
  case any
  /// Those of certain properties.
  case properties(PropertyTree)

  /// Whether it excludes all modifications.
  var isEmpty: Bool {
    if case .properties(let tree) = self { tree.isEmpty } else { false }
  }
}

extension PropertyTree {
  /// The same properties in a schema in which the tables have other numbers.
  func translated(_ number: (Int) -> Int) -> PropertyTree {
    var copy = PropertyTree(table: number(table))
    for (property, below) in branches {
      let property: Edge =
        switch property {
        case .column: property
        case .list(let entries): .list(entries: number(entries))
        case .linking(let table, let column): .linking(table: number(table), column: column)
        case .listing(let entries): .listing(entries: number(entries))
        }
      copy.watch(Step(property: property, target: number(below.table))) { $0 = below.translated(number) }
    }
    return copy
  }

  mutating func watch(_ path: ArraySlice<Step>) {
    guard let step = path.first else { return }
    watch(step) { $0.watch(path.dropFirst()) }
  }

  /// The tables in which the properties are stored, with that of the class.
  var tables: Set<Int> {
    branches.reduce(into: [table]) { tables, branch in
      switch branch.key {
      case .column: break
      case .list(let entries), .listing(let entries): tables.insert(entries)
      case .linking(let origin, _): tables.insert(origin)
      }
      tables.formUnion(branch.value.tables)
    }
  }

  /// Whether it contains one of some columns, bit by bit, of the rows of a table.
  func contains(_ columns: UInt64, of table: Int) -> Bool {
    if self.table == table, self.columns.contains(where: { columns & columnBit($0) != 0 }) { return true }
    return branches.contains { property, below in
      let isAffected =
        switch property {
        case .column: false
        case .list(let entries), .listing(let entries): entries == table
        case .linking(let origin, let column): origin == table && columns & columnBit(column) != 0
        }
      return isAffected || below.contains(columns, of: table)
    }
  }

  /// Whether it contains more than values and links of the class's own table.
  var leadsFurther: Bool {
    branches.contains { property, below in
      if case .column = property { !below.isEmpty } else { true }
    }
  }
}
