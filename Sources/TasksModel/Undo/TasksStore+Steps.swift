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
  /// - Throws: `Refusal.undoneMeanwhile`, too, for a part of an action that another window has undone.
  func keep(
    _ transitions: [RowTransition], as action: Action, continuing number: Int? = nil,
    partOf long: LongAction? = nil
  ) throws -> Int? {
    guard !transitions.isEmpty else { return number }
    if let root = long?.root, try isUndone(root) { throw Refusal.undoneMeanwhile }
    try deleteUndoneSteps()
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
    return try addStep(action, root: long?.root, rows: transitions).number
  }

  /// Stores the addition of many tasks, without their values.
  func keep(_ added: AddedRows) throws {
    try deleteUndoneSteps()
    try addStep(.add, root: nil, rows: added)
  }

  /// Stores an import, without the values of its rows.
  func keep(_ imported: ImportedRows) throws {
    try deleteUndoneSteps()
    try addStep(.importing, root: nil, rows: imported)
  }

  /// - Parameter root: The number of the first step of the same action; nil for the first.
  @discardableResult
  private func addStep(_ action: Action, root: Int?, rows: some Encodable) throws -> UndoStep {
    let step = UndoStep()
    step.author = author
    step.action = root.map { UndoStep.further(action, root: $0) } ?? action.rawValue
    try step.setRows(rows)
    let newest = greatestNumber()
    let start = root.flatMap(self.step)?.start ?? newest
    step.number = newest + max(1, min(step.rows.utf8.count, start + UndoStep.mostCounted - newest))
    store.add(step)
    // However many parts an action has, it can be undone as a whole.
    try removeSteps(upTo: min(step.number - Self.historyLimit, (root ?? step.number) - 1))
    return step
  }

  /// Deletes the author's undone steps.
  private func deleteUndoneSteps() throws {
    if try hasUndoneSteps { store.delete(try steps(isUndone: true)) }
  }

  /// Whether any step of an action of the author has been undone.
  ///
  /// - Parameter root: The number of its first step.
  private func isUndone(_ root: Int) throws -> Bool {
    try hasUndoneSteps && steps(isUndone: true).contains { $0.rootNumber == root }
  }

  /// Whether there are undone steps of any author. There are mostly none, which is found without the longer
  /// predicate, and without an order that would have to take up all rows that the transaction has written.
  private var hasUndoneSteps: Bool {
    get throws { try store.objects(UndoStep.self).filter(#Predicate { $0.isUndone }).last != nil }
  }

  /// The bytes of newer steps, of all authors, after which a step is removed.
  static let historyLimit = 4 << 20

  /// Removes old steps: those of an action together, once the newest of them is too old.
  ///
  /// Complexity: O(all steps), if any of them is so old.
  private func removeSteps(upTo limit: Int) throws {
    // The number of a step is above 0.
    guard limit > 0 else { return }
    let steps = store.objects(UndoStep.self)
    let old = try steps.filter(#Predicate { $0.number <= limit })
    // There are mostly none; see above.
    guard old.last != nil else { return }
    let further = try steps.filter(#Predicate { $0.number > limit && $0.action.contains(" ") })
    if let root = further.lazy.compactMap(\.root).filter({ $0 <= limit }).min() {
      return try removeSteps(upTo: root - 1)
    }
    store.delete(old)
  }

  /// The greatest number of a step; 0 without any. A step with the greatest possible number, which only
  /// another program can have written, has nothing above it and is dropped.
  private func greatestNumber() -> Int {
    let steps = store.objects(UndoStep.self).sorted(by: \.number)
    while let newest = steps.last {
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

  /// The steps to undo next: those of the author's newest action, or the newest of the action given.
  ///
  /// Complexity: O(log n) in the number of steps; O(n) for an action that has several.
  func stepsToUndo(partOf long: LongAction?) throws -> [UndoStep] {
    let steps = try steps(isUndone: false)
    if let long, long.root != nil { return try steps.first(of: long) }
    guard let newest = steps.first else { return [] }
    long?.begin(with: newest)
    return long == nil && newest.root != nil ? Array(try steps.filter(newest.actionPredicate)) : [newest]
  }

  /// The steps to redo next: those of the action that was undone last, or the oldest of the action given.
  ///
  /// Complexity: O(n) in the number of undone steps.
  func stepsToRedo(partOf long: LongAction?) throws -> [UndoStep] {
    let steps = try steps(isUndone: true).sorted(by: \.number)
    if let long, long.root != nil { return try steps.first(of: long) }
    guard let oldest = steps.first else { return [] }
    long?.begin(with: oldest)
    return long == nil ? Array(try steps.filter(oldest.actionPredicate)) : [oldest]
  }
}

extension LongAction {
  fileprivate func begin(with step: UndoStep) {
    root = step.rootNumber
    kind = step.kind
  }
}

extension Results<UndoStep> {
  /// The first step of an action, in an array; empty if there is none.
  fileprivate func first(of long: LongAction) throws -> [UndoStep] {
    guard let root = long.root, let kind = long.kind else { return [] }
    return try filter(UndoStep.predicate(kind, root: root)).first.map { [$0] } ?? []
  }
}

extension TasksStore {
  /// The change that a step made to each row.
  ///
  /// - Parameter visit: Called with each row that has to be read for it.
  /// - Throws: `UndoObstacle` when rows that were added are no longer as they were, `DecodingError` for a
  ///   step that cannot be read.
  func transitions(of step: UndoStep, visit: (TaskItem) -> Void) throws -> [RowTransition] {
    guard step.isOfAddedRows else { return try step.transitions() }
    if step.action == Action.importing.rawValue {
      return try JSONDecoder().decode(ImportedRows.self, from: Data(step.rows.utf8)).transitions(in: self)
    }
    let added = try step.addedRows()
    if let transitions = added.keptTransitions { return transitions }
    guard let rows = rows(of: added.place) as? TaskRows else { throw UndoObstacle.rowsDeleted }
    return try added.transitions(in: rows, visit: visit)
  }

  /// Keeps what redoing a step that is about to be undone gives back: the values of rows that it added, and
  /// what was read from texts that it wrote.
  ///
  /// - Returns: The transitions with these values.
  func keepValues(of transitions: [RowTransition], in step: UndoStep) throws -> [RowTransition] {
    guard step.isOfAddedRows else { return try keepReadValues(of: transitions, in: step) }
    if step.action == Action.importing.rawValue {
      try step.setRows(transitions)
      return transitions
    }
    var added = try step.addedRows()
    guard added.keptTransitions == nil else { return transitions }
    added.keepValues(of: transitions)
    try step.setRows(added)
    return transitions
  }

  /// Keeps the dates and repetitions that texts said when they were written: “tomorrow” means another day
  /// when the step is redone.
  private func keepReadValues(of transitions: [RowTransition], in step: UndoStep) throws -> [RowTransition] {
    var read = transitions
    for (index, transition) in transitions.enumerated() where transition.changesText {
      guard let task = task(transition.id), task.text == transition.after?.values.text else { continue }
      task.readTextIfNeeded(by: dates)
      read[index].after?.values.takeReadValues(of: RowValues(task))
    }
    if read != transitions { try step.setRows(read) }
    return read
  }
}

extension UndoStep {
  /// The bytes that an action counts for at most, so that a large one does not remove all others.
  fileprivate static let mostCounted = TasksStore.historyLimit / 4

  /// The greatest number when it was stored, of the first step of an action.
  fileprivate var start: Int { number - max(1, min(rows.utf8.count, Self.mostCounted)) }

  /// The number of the first step of its action, if this is a further one.
  var root: Int? {
    let words = action.split(separator: " ")
    return words.count == 2 ? Int(words[1]) : nil
  }

  var rootNumber: Int { root ?? number }

  /// The predicate of all steps of its action.
  var actionPredicate: Predicate<UndoStep> { Self.predicate(kind, root: rootNumber) }

  static func predicate(_ kind: Action, root: Int) -> Predicate<UndoStep> {
    let further = further(kind, root: root)
    return #Predicate { $0.number == root || $0.action == further }
  }

  /// The stored action of a further step.
  static func further(_ kind: Action, root: Int) -> String { "\(kind.rawValue) \(root)" }

  var kind: Action { Action(rawValue: String(action.prefix { $0 != " " })) ?? .edit }

  /// Whether it holds `AddedRows` or `ImportedRows`, and not an array of transitions.
  var isOfAddedRows: Bool { rows.utf8.first == UInt8(ascii: "{") }

  fileprivate func addedRows() throws -> AddedRows {
    try JSONDecoder().decode(AddedRows.self, from: Data(rows.utf8))
  }

  func transitions() throws -> [RowTransition] {
    try JSONDecoder().decode([RowTransition].self, from: Data(rows.utf8))
  }

  /// - Parameter rows: Transitions or `AddedRows`.
  func setRows(_ rows: some Encodable) throws {
    self.rows = String(decoding: try JSONEncoder().encode(rows), as: UTF8.self)
  }
}
