import FoundationEssentials

/// A task between the file and a format, independent of both.
public struct TaskRecord: Equatable, Sendable {
  /// The values and the subtasks. The id is given by the import.
  public var values: RowValues
  /// The id in the format; nil if it has none. Only a format that keeps ids gives it to the task.
  public var key: Identifier?
  /// The key of the task that it is a subtask of; nil for a task of a list, and for one of `values.tasks`.
  public var parent: Identifier?
  /// The name of its list; nil for the list of the record before it, or the one that the person names.
  public var list: String?

  public init(
    _ values: RowValues, key: Identifier? = nil, parent: Identifier? = nil, list: String? = nil
  ) {
    self.values = values
    self.key = key
    self.parent = parent
    self.list = list
  }
}

/// A list between the file and a format.
public struct ListRecord: Equatable, Sendable {
  /// The id, in a format that keeps it.
  public var id: Identifier?
  public var text: String
  public var date: Date?
  public var completed = false
  public var details = ListDetails()

  public init(id: Identifier? = nil, text: String, date: Date? = nil, completed: Bool = false) {
    self.id = id
    self.text = text
    self.date = date
    self.completed = completed
  }

  init(_ list: TaskList) {
    self.init(id: list.id, text: list.text, date: list.date, completed: list.completed)
    details = ListDetails(list)
  }
}

/// A record of a format with the number of its first line.
public struct FormatRecord: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    /// The beginning of a file, of which several may follow each other, or the end of a list: what follows is
    /// in none.
    case start
    /// The beginning of a file of a version that is not known, whose records may mean something else.
    case newerVersion(Int)
    /// The list of the tasks that follow.
    case list(ListRecord)
    case task(TaskRecord)
    /// Words to search for, under a name.
    case search(name: String, words: String)
    /// The reason why the record cannot be taken, a sentence without capital and full stop.
    case problem(String)
    /// The same for a list, whose tasks follow.
    case listProblem(String)
  }

  public var line: Int
  public var content: Content

  public init(line: Int, _ content: Content) {
    self.line = line
    self.content = content
  }

  /// The reason why it cannot be taken, as its reader knows it.
  var problem: String? {
    switch content {
    case .problem(let sentence), .listProblem(let sentence): sentence
    case .start, .newerVersion, .list, .task, .search: nil
    }
  }
}

/// A reader of the records of a format, one at a time.
public protocol RecordReader {
  /// The next record; nil at the end.
  ///
  /// - Throws: What the source of the bytes throws.
  mutating func next() throws -> FormatRecord?
}

/// A writer of lists and tasks in a format. Each function appends to a text, which the caller passes on.
public protocol RecordWriter {
  /// Writes what comes before the first list.
  mutating func start(_ output: inout String)
  /// Begins a list.
  mutating func write(_ list: ListRecord, to output: inout String)
  /// Writes a task of the list with its subtasks.
  mutating func write(_ task: RowValues, to output: inout String)
  /// Writes words to search for, under a name, in a format that keeps them.
  mutating func write(search name: String, words: String, to output: inout String)
  /// Writes what comes after the last task.
  mutating func finish(_ output: inout String)
}

extension RecordWriter {
  public mutating func start(_ output: inout String) {}
  public mutating func write(search name: String, words: String, to output: inout String) {}
  public mutating func finish(_ output: inout String) {}
}

extension RowValues {
  /// The values of a record that has no id of its own yet.
  init(record text: String) {
    self.init(id: Identifier(""), text: text)
  }
}
