import FoundationEssentials
import LiveStore

/// The completion of tasks that repeat: the task goes on to its next date, and a finished one is added.
///
/// The row that people go on with keeps its id, so that a text, a note or a subtask that another machine
/// changes meanwhile is that of the open task, and not of the finished one.
extension ActionRecorder {
  /// Takes a task that repeats to its next date, with its subtasks open again, and adds the finished one to
  /// the completed rows.
  ///
  /// - Parameter number: The number of rows of the place that the action has completed before.
  /// - Returns: The id of the finished one; nil if the task is completed, or does not repeat.
  mutating func finishOccurrence(of task: TaskItem, in rows: TaskRows, following number: Int) -> Identifier? {
    guard !task.completed else { return nil }
    task.readTextIfNeeded(by: rows.dates)
    guard let occurrence = task.nextOccurrence(by: rows.dates) else { return nil }
    let subtasks = task.ownSubtasks
    for subtask in subtasks { subtask.readTextIfNeeded(by: rows.dates) }
    let now = rows.dates.now()
    // The moment as the file keeps it.
    let finished = rows.values(of: task).finished(at: Date(sqliteValue: now.sqliteValue) ?? now)
    insertCompleted(finished, in: rows, following: number)
    let days = rows.dates.calendar.days(from: task.date ?? now, to: occurrence.date)
    change(task, in: rows) { $0.goOn(to: occurrence) }
    if !subtasks.isEmpty { renew(subtasks, after: days, in: rows.held(by: task)) }
    return finished.id
  }

  /// Opens the subtasks of a task that goes on again. Finished ones of those that repeat by themselves go.
  ///
  /// - Parameter days: The number of days by which the date of the task has moved, and theirs move.
  private mutating func renew(_ subtasks: [TaskItem], after days: Int, in rows: TaskRows) {
    for subtask in subtasks {
      if subtask.isFinishedOne, let index = rows.find(subtask.id)?.index {
        delete(at: [index], in: rows)
      } else if let occurrence = subtask.nextOccurrence(by: rows.dates) {
        change(subtask, in: rows) { $0.goOn(to: occurrence) }
      } else {
        change(subtask, in: rows) { $0.renew(after: days, rows.dates.calendar) }
      }
    }
    noteRenewal(of: rows.place)
  }
}

extension TasksStore {
  /// Leaves out of the transitions that undo an action those that would take a task that repeats back to a
  /// date for which another machine has finished it too: only the person's own finished one goes.
  ///
  /// - Complexity: O(all tasks) if one would go back, and the file is joined to a space.
  func keepingFinishedElsewhere(_ transitions: [RowTransition]) throws -> [RowTransition] {
    let finished = transitions.filter { $0.after == nil && $0.before?.values.completed == true }
    guard !finished.isEmpty, lastArrival > 0 else { return transitions }
    let goingBack = transitions.filter { transition in
      guard let former = transition.after?.values, !former.details.repetition.isEmpty else { return false }
      return transition.before?.values.date != former.date
    }
    guard !goingBack.isEmpty else { return transitions }
    let own = Set(finished.map(\.id))
    let texts = Set(goingBack.compactMap(\.after?.values.text))
    let completed = try allTasks.filter(#Predicate { $0.completed && texts.contains($0.text) })
    let alike = Array(completed).filter { !own.contains($0.id) && remoteActor(on: $0.id, after: 0) != nil }
    let staying = Set(
      goingBack.filter { transition in
        alike.contains {
          $0.text == transition.after?.values.text && $0.date == transition.after?.values.date
        }
      }.map(\.id))
    return transitions.filter { !staying.contains($0.id) && !$0.owners.contains(where: staying.contains) }
  }
}
