/// The properties of a class that a callback watches, and below each that leads to other objects, those of
/// theirs.
///
/// All key paths of a callback together make one tree, so that what they have in common is looked at once.
struct PropertyTree: Hashable, Sendable {
  /// A property by where the file keeps it.
  enum Edge: Hashable, Sendable {
    /// A value or a link: the column in the class's own table.
    case column(Int)
    /// A list: the table of its entries.
    case list(entries: Int)
    /// The objects of a class that link here: their table and the column of the link.
    case linking(table: Int, column: Int)
    /// The owners of the lists that an object stands in: the table of the lists' entries.
    case listing(entries: Int)

    /// Whether it is not of the object itself, but of those that lead to it.
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
  /// The properties watched, each with what is watched of the objects that it leads to.
  private(set) var branches: [Edge: PropertyTree] = [:]
  /// The columns among them.
  private(set) var columns: Set<Int> = []

  /// No property at all.
  init(table: Int) {
    self.table = table
  }

  var isEmpty: Bool { branches.isEmpty }

  /// Watches a property, and below it what `body` adds.
  mutating func watch(_ step: Step, _ body: (inout PropertyTree) -> Void = { _ in }) {
    if case .column(let column) = step.property { columns.insert(column) }
    body(&branches[step.property, default: PropertyTree(table: step.target ?? table)])
  }

  mutating func ignore(_ property: Edge) {
    if case .column(let column) = property { columns.remove(column) }
    branches[property] = nil
  }
}

/// Which modifications a callback is told of.
enum PropertyFilter: Hashable, Sendable {
  /// Those of any property, its own or of an object that it leads to over at most three links.
  case any
  /// Those of certain properties.
  case properties(PropertyTree)

  /// Whether no modification is wanted.
  var isEmpty: Bool {
    if case .properties(let tree) = self { tree.isEmpty } else { false }
  }
}

extension PropertyTree {
  /// The same properties where the tables have other numbers.
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

  /// Watches a property and, on the way to it, those that lead there.
  mutating func watch(_ path: ArraySlice<Step>) {
    guard let step = path.first else { return }
    watch(step) { $0.watch(path.dropFirst()) }
  }

  /// Whether anything is watched but values and links of the class's own table.
  var leadsFurther: Bool {
    branches.contains { property, below in
      if case .column = property { !below.isEmpty } else { true }
    }
  }
}
