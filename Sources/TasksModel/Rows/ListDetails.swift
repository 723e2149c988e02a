/// The values of a list that a task does not have, independent of the store.
public struct ListDetails: Equatable, Sendable, Codable {
  public var color = ""
  /// The order in which its open tasks are kept; nil for that of the person.
  public var sorting: RowOrder?

  public init() {}

  init(_ list: TaskList) {
    color = list.color
    sorting = list.order
  }

  func apply(to list: TaskList) {
    if list.color != color { list.color = color }
    if list.order != sorting { list.sorting = sorting?.rawValue ?? "" }
  }

  /// Sets the values of a list that differ between two states, and leaves the others alone; returns whether
  /// the list had the values of `before`, so that it was done.
  func replace(_ before: ListDetails, in list: TaskList) -> Bool {
    if before.color != color {
      guard list.color == before.color else { return false }
      list.color = color
    }
    if before.sorting != sorting {
      guard list.order == before.sorting else { return false }
      list.sorting = sorting?.rawValue ?? ""
    }
    return true
  }
}

extension TaskList {
  /// The order in which its open tasks are kept; nil for that of the person.
  public var order: RowOrder? { RowOrder(rawValue: sorting) }
}
