import FoundationEssentials
import LiveStore

/// The steps that can be undone, within a transaction.
extension TasksStore {
  /// Stores an action of this store's author. Actions undone before cannot be redone from then on.
  ///
  /// - Parameter continuing: The number of a step about the same single row that this action continues: the
  ///   two become one. An action of the author in between, in another window, keeps them separate.
  /// - Returns: The number of the step, or nil when there is nothing to undo: there was no change, or the two
  ///   cancel each other.
  func keep(_ transitions: [RowTransition], as action: Action, continuing number: Int? = nil) throws -> Int? {
    guard !transitions.isEmpty else { return number }
    store.delete(try steps(isUndone: true))
    if let number, let step = step(number), let first = try? step.transitions().first, transitions.count == 1,
      transitions[0].id == first.id
    {
      let joined = RowTransition(id: first.id, before: first.before, after: transitions[0].after)
      if joined.before == joined.after {
        store.delete(step)
        return nil
      }
      try step.setRows([joined])
      return number
    }
    return try addStep(action, rows: transitions).number
  }

  /// Stores the addition of many tasks, without their values.
  func keep(_ added: AddedRows) throws {
    store.delete(try steps(isUndone: true))
    try addStep(.add, rows: added)
  }

  @discardableResult
  private func addStep(_ action: Action, rows: some Encodable) throws -> UndoStep {
    let step = UndoStep()
    step.author = author
    step.action = action.rawValue
    try step.setRows(rows)
    step.number = greatestNumber() + max(1, step.rows.utf8.count)
    store.add(step)
    let limit = step.number - Self.historyLimit
    try store.delete(store.objects(UndoStep.self).filter(#Predicate { $0.number <= limit }))
    return step
  }

  /// The bytes of newer steps, of all authors, after which a step is removed.
  static let historyLimit = 4 << 20

  /// The greatest number of a step; 0 without any. A step with the greatest possible number, which only
  /// another program can have written, has nothing above it and is dropped.
  private func greatestNumber() -> Int {
    let steps = store.objects(UndoStep.self).sorted(by: \.number, ascending: false)
    while let newest = steps.first {
      if newest.number < 1 << 62 { return max(0, newest.number) }
      store.delete(newest)
    }
    return 0
  }

  /// The author's steps, newest first.
  private func steps(isUndone: Bool) throws -> Results<UndoStep> {
    let author = author
    return try store.objects(UndoStep.self)
      .filter(#Predicate { $0.author == author && $0.isUndone == isUndone })
      .sorted(by: \.number, ascending: false)
  }

  /// The author's step with the number, unless it has been undone.
  func step(_ number: Int) -> UndoStep? {
    store.object(ofType: UndoStep.self, forPrimaryKey: number).flatMap {
      $0.author == author && !$0.isUndone ? $0 : nil
    }
  }

  /// The action to undo next. Complexity: O(log n) in the number of steps.
  func newestStep() throws -> UndoStep? { try steps(isUndone: false).first }

  /// The action to redo next.
  func oldestUndoneStep() throws -> UndoStep? {
    let author = author
    return try store.objects(UndoStep.self)
      .filter(#Predicate { $0.author == author && $0.isUndone })
      .sorted(by: \.number).first
  }
}

extension TasksStore {
  /// The change that a step made to each row.
  ///
  /// - Throws: `UndoObstacle` when rows that were added are no longer as they were, `DecodingError` for a
  ///   step that cannot be read.
  func transitions(of step: UndoStep) throws -> [RowTransition] {
    guard step.isOfAddedRows else { return try step.transitions() }
    let added = try JSONDecoder().decode(AddedRows.self, from: Data(step.rows.utf8))
    guard let rows = rows(of: added.place) as? TaskRows else { throw UndoObstacle.rowsDeleted }
    return try added.transitions(in: rows)
  }
}

extension UndoStep {
  /// Whether it holds `AddedRows`, and not an array of transitions.
  var isOfAddedRows: Bool { rows.utf8.first == UInt8(ascii: "{") }

  func transitions() throws -> [RowTransition] {
    try JSONDecoder().decode([RowTransition].self, from: Data(rows.utf8))
  }

  /// - Parameter rows: Transitions or `AddedRows`.
  func setRows(_ rows: some Encodable) throws {
    self.rows = String(decoding: try JSONEncoder().encode(rows), as: UTF8.self)
  }
}
