import FoundationEssentials

/// The values of a task that a list does not have, independent of the store.
public struct TaskDetails: Equatable, Sendable {
  public var dateOrigin = DateOrigin.unknown
  public var notes = ""
  public var priority = TaskPriority.none
  /// The text in the task, readable or not.
  public var repetition = ""
  public var repetitionOrigin = DateOrigin.unknown
  /// The moment of completion, which changes with `completed` alone.
  public var completedAt: Date?
  public var archivedFrom = ""
  public var waitsUntil: Date?

  public init() {}

  init(_ task: TaskItem) {
    dateOrigin = task.dateOrigin
    notes = task.notes
    priority = task.priority
    repetition = task.repetition
    repetitionOrigin = task.repetitionOrigin
    completedAt = task.completedAt
    archivedFrom = task.archivedFrom
    waitsUntil = task.waitsUntil
  }

  func apply(to task: TaskItem) {
    task.dateOrigin = dateOrigin
    task.notes = notes
    task.priority = priority
    task.repetition = repetition
    task.repetitionOrigin = repetitionOrigin
    task.completedAt = completedAt
    task.archivedFrom = archivedFrom
    task.waitsUntil = waitsUntil
  }

  /// Whether a person or another program has set the repetition: it was not read from the text.
  var isRepetitionSet: Bool {
    repetitionOrigin == .person || repetitionOrigin == .unknown && !repetition.isEmpty
  }

  /// Sets the values of a task that differ between two states, and leaves the others alone.
  ///
  /// - Returns: Whether the task had the values of `before`, so that it was done. What its text says may have
  ///   been read, or have yet to be read.
  func replace(_ before: TaskDetails, in task: TaskItem) -> Bool {
    var isDone = true
    func replace<Value: Equatable>(
      _ value: KeyPath<TaskDetails, Value>, _ property: ReferenceWritableKeyPath<TaskItem, Value>,
      isRead: Bool = false
    ) {
      guard before[keyPath: value] != self[keyPath: value] else { return }
      if isRead || task[keyPath: property] == before[keyPath: value] {
        task[keyPath: property] = self[keyPath: value]
      } else {
        isDone = false
      }
    }
    let isRepetitionRead = !before.isRepetitionSet && !TaskDetails(task).isRepetitionSet
    replace(
      \.dateOrigin, \.dateOrigin, isRead: before.dateOrigin != .person && task.dateOrigin != .person)
    replace(\.notes, \.notes)
    replace(\.priority, \.priority)
    replace(\.repetition, \.repetition, isRead: isRepetitionRead)
    replace(\.repetitionOrigin, \.repetitionOrigin, isRead: isRepetitionRead)
    replace(\.archivedFrom, \.archivedFrom)
    replace(\.waitsUntil, \.waitsUntil)
    return isDone
  }
}

extension TaskDetails: Codable {
  private enum CodingKeys: CodingKey {
    case dateOrigin, notes, priority, repetition, repetitionOrigin, completedAt, archivedFrom,
      waitsUntil
  }

  /// Stores only values that differ from those of a new task: most tasks have only a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if dateOrigin != .unknown { try container.encode(dateOrigin, forKey: .dateOrigin) }
    if !notes.isEmpty { try container.encode(notes, forKey: .notes) }
    if priority != .none { try container.encode(priority, forKey: .priority) }
    if !repetition.isEmpty { try container.encode(repetition, forKey: .repetition) }
    if repetitionOrigin != .unknown { try container.encode(repetitionOrigin, forKey: .repetitionOrigin) }
    try container.encodeIfPresent(completedAt, forKey: .completedAt)
    if !archivedFrom.isEmpty { try container.encode(archivedFrom, forKey: .archivedFrom) }
    try container.encodeIfPresent(waitsUntil, forKey: .waitsUntil)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    dateOrigin = try container.decodeIfPresent(DateOrigin.self, forKey: .dateOrigin) ?? .unknown
    notes = try container.decodeIfPresent(String.self, forKey: .notes) ?? ""
    priority = try container.decodeIfPresent(TaskPriority.self, forKey: .priority) ?? .none
    repetition = try container.decodeIfPresent(String.self, forKey: .repetition) ?? ""
    repetitionOrigin = try container.decodeIfPresent(DateOrigin.self, forKey: .repetitionOrigin) ?? .unknown
    completedAt = try container.decodeIfPresent(Date.self, forKey: .completedAt)
    archivedFrom = try container.decodeIfPresent(String.self, forKey: .archivedFrom) ?? ""
    waitsUntil = try container.decodeIfPresent(Date.self, forKey: .waitsUntil)
  }
}
