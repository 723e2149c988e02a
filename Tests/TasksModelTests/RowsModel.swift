import FoundationEssentials

@testable import TasksModel

/// The rules on where a row goes, on an array and as simply as they can be said.
struct RowsModel: Equatable {
  var rows: [RowValues] = []
  var completedRows = CompletedRows.end
  /// The present of the stores that are compared with it.
  static let moment = Date(timeIntervalSince1970: 1_795_000_000)
  static var dates: DateReader { DateReader(now: { moment }) }

  private func openEnd(_ rows: [RowValues]) -> Int {
    (rows.lastIndex { !$0.completed } ?? -1) + 1
  }

  mutating func add(_ values: RowValues, at point: InsertionPoint) {
    rows.insert(values, at: point == .top ? 0 : openEnd(rows))
  }

  mutating func edit(_ index: Int, text: String) throws {
    if rows[index].text == text { return }
    if rows[index].completed { throw Refusal.editingCompletedRow }
    if text.isEmpty { rows.remove(at: index) } else { rows[index].text = text }
  }

  mutating func toggleCompleted(_ index: Int) {
    var row = rows.remove(at: index)
    row.completed.toggle()
    row.details.completedAt = row.completed ? Self.moment : nil
    rows.insert(row, at: row.completed && completedRows == .end ? rows.count : openEnd(rows))
  }

  mutating func move(_ index: Int, by offset: Int) throws {
    if rows[index].completed { throw Refusal.movingCompletedRow }
    let row = rows.remove(at: index)
    let end = openEnd(rows)
    if offset > 0, index >= end, index < rows.count {
      rows.insert(row, at: index)
      throw Refusal.movingAmongCompletedRows
    }
    rows.insert(row, at: max(0, min(index + offset, max(end, index))))
  }

  mutating func clearCompleted() {
    rows.removeAll(where: \.completed)
  }

  /// The effect of the edit on a view.
  mutating func apply(_ edit: Edit) {
    let changes = edit.changes
    var values = Dictionary(edit.before.map { ($0.id, $0) }) { $1 }
    for row in edit.after { values[row.id] = row }
    let moved = Dictionary(uniqueKeysWithValues: changes.moves.map { ($0.to, rows[$0.from].id) })
    for index in changes.modifications { rows[index] = values[rows[index].id] ?? rows[index] }
    for index in changes.deletions.reversed() { rows.remove(at: index) }
    let arriving = edit.after.filter { row in !rows.contains { $0.id == row.id } }
    var new = arriving.filter { row in !moved.values.contains(row.id) }[...]
    for index in changes.insertions {
      let row = moved[index].flatMap { values[$0] } ?? new.removeFirst()
      rows.insert(row, at: index)
    }
  }
}
