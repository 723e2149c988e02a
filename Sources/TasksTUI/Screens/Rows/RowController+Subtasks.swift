import LiveStore
import TasksModel

extension RowController where Element == TaskItem {
  private struct NoTaskAbove: Error, CustomStringConvertible {
    var description: String { "There is no open task above to put it below." }
  }

  /// Adds a subtask without leaving the screen if its text is given; otherwise it is typed among the others.
  func addSubtask(_ call: CommandCall) -> ScreenRequest? {
    drop()
    catchUp()
    // Subtasks have none: another one of the same task is meant.
    if place?.isOfSubtasks == true {
      return perform(.add, CommandCall(.rows(.add), argument: call.argument))
    }
    guard let meant = meantRow(), let row = context.store.task(meant) else { return nil }
    let task = row.parents.first ?? row
    let id = task.id
    guard !task.completed else { return context.say(Refusal.openSubtaskOfCompletedTask) }
    guard let text = call.argument else { return .addSubtask(of: id) }
    do {
      // Its task is notified of the change as of one from elsewhere.
      let edit = try context.store.add(text, to: .subtasks(of: id))
      if let reason = edit.noChange {
        explain(reason)
      } else {
        context.lastChange = call
        context.say("Added below \(task.text.quoted).")
      }
    } catch {
      context.say(error)
    }
    return nil
  }

  /// Makes tasks subtasks of the open one above them.
  func demote(_ call: CommandCall) -> ScreenRequest? {
    if refusesInCollection(Self.orderSentence) { return nil }
    if place?.isOfSubtasks == true {
      return context.say(Refusal.subtaskOfSubtask)
    }
    prepareForChange()
    var owner: Identifier?
    // Those of many tasks that have subtasks; of few they are a refusal. A part may be tried several times.
    var remaining: Set<Identifier> = []
    return operateOnRows(call) { [self] store, ids, long in
      guard let above = owner ?? taskAbove(ids)?.id else { throw NoTaskAbove() }
      owner = above
      for case let task? in ids.map(store.task) where !task.completed && task.subtasks.last != nil {
        remaining.insert(task.id)
      }
      return try store.demote(ids, in: scope, below: above, partOf: long)
    } then: { [self] edit in
      guard let owner, let task = context.store.task(owner) else { return }
      if let index = index(of: owner) { list.select(index) }
      let what = edit.before.count == 1 ? edit.before[0].text.quoted : "\(edit.before.count.grouped) tasks"
      let rest =
        switch remaining.subtracting([owner]).count {
        case 0: ""
        case 1: " One that has subtasks stays."
        case let count: " \(count.grouped) that have subtasks stay."
        }
      context.say("Put \(what) below \(task.text.quoted); \(context.key(.screen(.open))) opens it.\(rest)")
    }
  }

  /// The open task above the first of some tasks.
  private func taskAbove(_ ids: [Identifier]) -> TaskItem? {
    guard var index = ids.compactMap(index(of:)).min() else { return nil }
    // Other programs may have completed tasks in place.
    repeat { index -= 1 } while index >= 0 && items[index].completed
    return index < 0 ? nil : items[index]
  }

  func promote(_ call: CommandCall) -> ScreenRequest? {
    if let place, !place.isOfSubtasks {
      return context.say(Refusal.promotingTask)
    }
    prepareForChange()
    return operateOnRows(call, fromBottom: true) { [self] in
      try $0.promote($1, in: scope, partOf: $2)
    } then: { [self] edit in
      guard let first = edit.after.first, let task = context.store.task(first.id),
        let place = context.store.whereabouts(of: task)
      else { return }
      let what = edit.after.count == 1 ? first.text.quoted : "\(edit.after.count.grouped) subtasks"
      context.say("Moved \(what) to \(place.quoted).")
    }
  }

  func fold() {
    guard showsSubtasks else { return context.say("Subtasks unfold in the list of their task.") }
    reconcile()
    guard let id = meantRow(), let task = context.store.task(id) else { return }
    guard subtaskSummary(of: task) != nil else {
      return context.say("\(task.text.quoted) has no subtasks; \(context.key(.tasks(.subtask))) adds one.")
    }
    context.folding.toggle(id)
    showFolding()
  }

  func foldAll() {
    guard showsSubtasks else { return context.say("Subtasks unfold in the list of their task.") }
    reconcile()
    context.folding.toggleAll()
    showFolding()
  }

  /// The rows are the same, with other heights.
  private func showFolding() {
    context.needsFrame = true
    show(ChangeSet())
  }
}
