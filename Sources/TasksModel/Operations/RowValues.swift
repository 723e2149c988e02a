import FoundationEssentials

/// A row's values, apart from the store.
public struct RowValues: Equatable, Sendable, Codable {
  public var id: UUID
  public var text: String
  public var date: Date?
  public var completed: Bool
  /// The tasks of a list that is deleted, in order; empty otherwise, since no other operation changes them.
  public var tasks: [RowValues]

  public init(id: UUID, text: String, date: Date? = nil, completed: Bool = false, tasks: [RowValues] = []) {
    self.id = id
    self.text = text
    self.date = date
    self.completed = completed
    self.tasks = tasks
  }

  /// The values of a row as they are now, without the tasks of a list.
  public init(_ row: some Row) {
    self.init(id: row.id, text: row.text, date: row.date, completed: row.completed)
  }
}
