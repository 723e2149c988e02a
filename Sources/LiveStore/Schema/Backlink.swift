/// A link or list property, seen from the objects that it leads to.
struct Backlink: Hashable, Sendable {
  enum LinkOrList: Hashable, Sendable {
    /// The column of a link.
    case column(Int)
    /// The number of the table of a list's entries.
    case list(entries: Int)
  }

  /// The number of the table of the objects that have the property.
  let origin: Int
  let property: LinkOrList
  /// The number of the table of the objects that it leads to.
  let target: Int

  /// The same backlink in a schema in which the tables have other numbers.
  func translated(_ number: (Int) -> Int) -> Backlink {
    let property: LinkOrList =
      switch property {
      case .column: property
      case .list(let entries): .list(entries: number(entries))
      }
    return Backlink(origin: number(origin), property: property, target: number(target))
  }

  /// The step along the property.
  var forward: PropertyTree.Step {
    switch property {
    case .column(let column): PropertyTree.Step(property: .column(column), target: target)
    case .list(let entries): PropertyTree.Step(property: .list(entries: entries), target: target)
    }
  }

  /// The step back.
  var backward: PropertyTree.Step {
    switch property {
    case .column(let column):
      PropertyTree.Step(property: .linking(table: origin, column: column), target: origin)
    case .list(let entries): PropertyTree.Step(property: .listing(entries: entries), target: origin)
    }
  }
}
