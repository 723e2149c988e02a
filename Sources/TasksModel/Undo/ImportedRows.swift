import FoundationEssentials
import LiveStore

/// The lists and tasks of one import, as far as undo has to know them: their values are kept in the file only
/// once the import is undone, so that it can be redone.
struct ImportedRows: Codable {
  /// Tasks side by side in a list that was there before.
  struct Run: Codable {
    /// Those with new ids, and what is around them.
    var generated: AddedRows
    /// The ids of the others, which the format has.
    var given: [Identifier] = []

    var ids: [Identifier] { given.isEmpty ? Array(generated) : given }
  }

  /// The lists that the import has made.
  private(set) var lists: [Identifier] = []
  /// Their names and other values, without their tasks.
  private var listTrace = WorkTrace()
  /// The changes of the only list of a new file.
  var changes: [RowTransition] = []
  var runs: [Run] = []
  /// The number of tasks and subtasks.
  private(set) var count = 0
  /// The work in all tasks and subtasks, in whatever order they come.
  private var trace = WorkTrace()

  /// Notes a list that the import has made, without its tasks.
  mutating func add(list: RowValues) {
    lists.append(list.id)
    listTrace.add(list)
  }

  /// Notes a task without its subtasks.
  mutating func add(_ task: RowValues) {
    trace.add(task)
    count += 1
  }

  /// The rows as they are now, as transitions that added them with these values.
  ///
  /// - Throws: `UndoObstacle.rowsDeleted`, `.rowWorkedOn` and `.rowsChanged` when a person has been at one of
  ///   them.
  ///
  /// Complexity: O(count log n).
  func transitions(in store: TasksStore) throws(UndoObstacle) -> [RowTransition] {
    var present = ImportedRows()
    var transitions = changes
    guard let all = store.rows(of: .lists) else { throw .rowsDeleted }
    for id in lists {
      guard let index = all.find(id)?.index else { throw .rowsDeleted }
      var state = all.state(at: index)
      state.values = all.values(at: index)
      present.add(list: state.values)
      for task in state.values.tasks.flatMap(\.withAllSubtasks) { present.add(task) }
      transitions.append(RowTransition(id: id, before: nil, after: state))
    }
    for run in runs {
      let place = run.generated.place
      guard let rows = store.rows(of: place) as? TaskRows else { throw .rowsDeleted }
      var values: [RowValues] = []
      for id in run.ids {
        guard let task = store.task(id), store.place(ofTask: id) == place else { throw .rowsDeleted }
        values.append(rows.values(of: task))
        for task in values[values.count - 1].withAllSubtasks { present.add(task) }
      }
      transitions += [RowTransition](
        adding: values, to: place, above: run.generated.previous, below: run.generated.next)
    }
    guard present.listTrace == listTrace else {
      throw listTrace.obstacle(in: transitions.compactMap(\.after?.values).filter { lists.contains($0.id) })
    }
    guard present.count == count else { throw .rowsChanged }
    guard present.trace == trace else {
      let added = transitions.filter { $0.before == nil }.compactMap(\.after)
      let tasks = added.flatMap { $0.place == .lists ? $0.values.tasks : [$0.values] }
      throw trace.obstacle(in: tasks.flatMap(\.withAllSubtasks))
    }
    return transitions
  }
}

extension RowValues {
  /// The task and all its subtasks.
  fileprivate var withAllSubtasks: [RowValues] {
    tasks.reduce(into: [self]) { $0 += $1.withAllSubtasks }
  }
}
