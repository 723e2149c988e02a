import FoundationEssentials

@testable import TasksModel

/// Lists of tasks with subtasks, on arrays: each place has the rules of `RowsModel`, and tasks carry their
/// subtasks in their values.
struct OutlineModel: Equatable {
  struct ListModel: Equatable {
    var id: Identifier
    var rows: [RowValues]
  }

  var lists: [ListModel]

  /// The lists of a store as they are.
  init(_ store: TasksStore) {
    lists = store.lists.map { list in ListModel(id: list.id, rows: list.items.map(Self.values)) }
  }

  static func values(_ task: TaskItem) -> RowValues {
    var values = RowValues(task)
    values.tasks = task.subtasks.map { RowValues($0) }
    return values
  }

  /// Every place that there is, and its rows.
  var places: [(place: Place, rows: [RowValues])] {
    lists.flatMap { list in
      [(.tasks(inList: list.id), list.rows)] + list.rows.map { (.subtasks(of: $0.id), $0.tasks) }
    }
  }

  subscript(place: Place) -> RowsModel {
    get { RowsModel(rows: places.first { $0.place == place }?.rows ?? []) }
    set {
      for (index, list) in lists.enumerated() {
        if place == .tasks(inList: list.id) { lists[index].rows = newValue.rows }
        for (number, row) in list.rows.enumerated() where place == .subtasks(of: row.id) {
          lists[index].rows[number].tasks = newValue.rows
        }
      }
    }
  }

  private func owner(of place: Place) -> RowValues? {
    guard case .subtasks(let id) = place else { return nil }
    return lists.flatMap(\.rows).first { $0.id == id }
  }

  private func requireOpenOwner(_ place: Place) throws {
    if owner(of: place)?.completed == true { throw Refusal.openSubtaskOfCompletedTask }
  }

  // MARK: Operations

  mutating func add(_ values: RowValues, to place: Place, at point: InsertionPoint) throws {
    try requireOpenOwner(place)
    self[place].add(values, at: point)
  }

  mutating func toggleCompleted(_ index: Int, in place: Place) throws {
    let row = self[place].rows[index]
    if row.completed { try requireOpenOwner(place) }
    self[place].toggleCompleted(index)
    if !row.completed { completeSubtasks(of: row.id) }
  }

  private mutating func completeSubtasks(of id: Identifier) {
    let place = Place.subtasks(of: id)
    for subtask in self[place].rows where !subtask.completed {
      guard let index = self[place].rows.firstIndex(where: { $0.id == subtask.id }) else { continue }
      self[place].toggleCompleted(index)
    }
  }

  /// - Parameter indices: Ascending.
  mutating func toggleCompleted(_ indices: [Int], in place: Place) throws {
    let rows = indices.map { self[place].rows[$0] }
    let isReopening = rows.allSatisfy(\.completed)
    if isReopening { try requireOpenOwner(place) }
    for row in rows where row.completed == isReopening {
      guard let index = self[place].rows.firstIndex(where: { $0.id == row.id }) else { continue }
      try toggleCompleted(index, in: place)
    }
  }

  mutating func demote(_ indices: [Int], in place: Place, below owner: RowValues) throws {
    if case .subtasks = place { throw Refusal.subtaskOfSubtask }
    let rows = indices.map { self[place].rows[$0] }.filter { $0.id != owner.id }
    let target = Place.subtasks(of: owner.id)
    guard !rows.isEmpty else { return }
    try requireOpenOwner(target)
    let open = rows.filter { !$0.completed }
    if open.isEmpty { throw Refusal.movingCompletedRow }
    if open.contains(where: { !$0.tasks.isEmpty }) { throw Refusal.demotingTaskWithSubtasks }
    for row in open {
      self[place].rows.removeAll { $0.id == row.id }
      self[target].add(row, at: .afterOpenRows)
    }
  }

  mutating func promote(_ indices: [Int], in place: Place) throws {
    guard case .subtasks(let owner) = place,
      let list = lists.firstIndex(where: { $0.rows.contains { $0.id == owner } })
    else { throw Refusal.promotingTask }
    let rows = indices.map { self[place].rows[$0] }.filter { !$0.completed }
    if rows.isEmpty { throw Refusal.movingCompletedRow }
    for (number, row) in rows.enumerated() {
      self[place].rows.removeAll { $0.id == row.id }
      let below = (lists[list].rows.firstIndex { $0.id == owner } ?? 0) + 1 + number
      let end = (lists[list].rows.lastIndex { !$0.completed } ?? -1) + 1
      lists[list].rows.insert(row, at: min(below, end))
    }
  }

  mutating func move(_ indices: [Int], from place: Place, toList target: Identifier) {
    let rows = indices.map { self[place].rows[$0] }
    let target = Place.tasks(inList: target)
    guard place != target else { return }
    for row in rows {
      self[place].rows.removeAll { $0.id == row.id }
      if row.completed { self[target].rows.append(row) } else { self[target].add(row, at: .afterOpenRows) }
    }
  }
}
