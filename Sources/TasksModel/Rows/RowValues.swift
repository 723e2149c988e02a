import FoundationEssentials

/// The values of a row, independent of the store.
public struct RowValues: Equatable, Sendable, Codable {
  public var id: Identifier
  public var text: String
  public var date: Date?
  public var completed: Bool
  /// The values that only tasks have; for a list, those of a new task.
  public var details: TaskDetails
  /// The values that only lists have; nil for a task, and for a list without any.
  public var list: ListDetails?
  /// The tasks of a deleted list, or the subtasks of a deleted task, in order; empty otherwise, since no
  /// other operation needs them.
  public var tasks: [RowValues]

  public init(
    id: Identifier, text: String, date: Date? = nil, completed: Bool = false,
    details: TaskDetails = TaskDetails(),
    tasks: [RowValues] = []
  ) {
    self.id = id
    self.text = text
    self.date = date
    self.completed = completed
    self.details = details
    self.tasks = tasks
  }

  /// Whether a person or another program has set the date: it was not read from the text.
  var isDateSet: Bool { details.dateOrigin == .person || details.dateOrigin == .unknown && date != nil }

  /// Takes over the date and the repetition of the same text that has been read meanwhile.
  mutating func takeReadValues(of read: RowValues) {
    if !isDateSet, !read.isDateSet { (date, details.dateOrigin) = (read.date, read.details.dateOrigin) }
    if !details.isRepetitionSet, !read.details.isRepetitionSet {
      details.repetition = read.details.repetition
      details.repetitionOrigin = read.details.repetitionOrigin
    }
  }

  /// The present values of a row, without the rows it contains.
  public init(_ row: some Row) {
    self.init(
      id: row.id, text: row.text, date: row.date, completed: row.completed,
      details: (row as? TaskItem).map(TaskDetails.init) ?? TaskDetails())
    if let row = row as? TaskList {
      let details = ListDetails(row)
      list = details == ListDetails() ? nil : details
    }
  }
}
