import FoundationEssentials

/// Changes rows and writes down what became of each: every operation goes through it, so that every one can be undone.
struct ActionRecorder {
  /// What the person did; an operation that finds out only among the rows sets it there.
  var action: Action
  private(set) var transitions: [RowTransition] = []

  init(_ action: Action) {
    self.action = action
  }

  /// Adds new rows after the open ones.
  mutating func insertAfterOpenRows(_ values: [RowValues], in rows: any RowCollection) throws {
    let (above, below) = try rows.insertNewAfterOpenRows(values)
    for (offset, row) in values.enumerated() {
      let state = RowState(
        place: rows.place, values: row, index: RowState.unknownIndex,
        previous: offset == 0 ? above : values[offset - 1].id,
        next: offset == values.count - 1 ? below : values[offset + 1].id)
      transitions.append(RowTransition(id: row.id, before: nil, after: state))
    }
  }

  /// Adds new rows, the first of which gets the index.
  mutating func insert(_ values: [RowValues], at index: Int, in rows: any RowCollection) {
    guard let first = values.first, let last = values.last else { return }
    rows.insert(values, at: index)
    // All but the outermost neighbours are known without asking.
    let before = rows.neighbour(index - 1)
    let after = rows.neighbour(index + values.count)
    for (offset, row) in values.enumerated() {
      let state = RowState(
        place: rows.place, values: row, index: index + offset,
        previous: row.id == first.id ? before : values[offset - 1].id,
        next: row.id == last.id ? after : values[offset + 1].id)
      transitions.append(RowTransition(id: row.id, before: nil, after: state))
    }
  }

  /// Deletes a row and returns the values it had.
  @discardableResult
  mutating func delete(at index: Int, in rows: any RowCollection) -> RowValues {
    var state = rows.state(at: index)
    state.values = rows.delete(at: index)
    transitions.append(RowTransition(id: state.values.id, before: state, after: nil))
    return state.values
  }

  /// Gives a row other values or another place, or both.
  ///
  /// - Parameter destination: The index that it ends at; nil leaves it where it is.
  /// - Returns: Its values before and after.
  @discardableResult
  mutating func change(
    at index: Int, to destination: Int? = nil, in rows: any RowCollection,
    _ body: (any Row) -> Void = { _ in }
  ) -> (before: RowValues, after: RowValues) {
    let before = rows.state(at: index)
    body(rows.row(at: index))
    if let destination, destination != index { rows.move(from: index, to: destination) }
    let after = rows.state(at: destination ?? index)
    if before != after {
      transitions.append(RowTransition(id: before.values.id, before: before, after: after))
    }
    return (before.values, after.values)
  }

  /// Takes a task out of one list and puts it into another.
  mutating func transfer(
    at index: Int, of source: TaskRows, to destination: Int, of target: TaskRows
  ) {
    let before = source.state(at: index)
    target.items.insert(source.items.remove(at: index), at: destination)
    transitions.append(
      RowTransition(id: before.values.id, before: before, after: target.state(at: destination)))
  }
}

extension RowCollection {
  /// The id of the row at an index, or nil outside the rows.
  func neighbour(_ index: Int) -> UUID? {
    index >= 0 && index < count ? row(at: index).id : nil
  }

  /// A row as it is, without the tasks of a list. Complexity: O(log n).
  func state(at index: Int) -> RowState {
    RowState(
      place: place, values: RowValues(row(at: index)), index: index, previous: neighbour(index - 1),
      next: neighbour(index + 1))
  }
}
