import TasksModel

/// Screens that lead from one list to tasks of others, and from a task to its subtasks.
extension App {
  /// Shows the rows of a place; returns whether they still exist.
  @discardableResult
  func open(_ place: Place, selecting row: Identifier?) -> Bool {
    switch place {
    case .lists:
      show(ListsScreen(context: context, selecting: row), from: .above)
      return true
    case .tasks(let list): return open(list, selecting: row)
    case .subtasks(let owner): return openSubtasks(of: owner, selecting: row)
    }
  }

  /// Shows the subtasks of a task; returns whether it has a list to return to.
  @discardableResult
  func openSubtasks(of id: Identifier, selecting subtask: Identifier? = nil) -> Bool {
    guard let task = context.store.task(id) else {
      context.sayRowIsGone()
      return false
    }
    guard case .tasks(let listID)? = context.store.place(ofTask: id), let list = context.store.list(listID)
    else {
      context.say(task.parents.isEmpty ? "No list holds this task." : "\(Refusal.subtaskOfSubtask)")
      return false
    }
    if listID != TaskList.archiveID { stateFile?.remember(list: listID) }
    show(
      TasksScreen(context: context, list: list, owner: task, selecting: subtask), from: .below)
    return true
  }

  /// Returns from the subtasks of a task to its list.
  func closeSubtasks(of id: Identifier, list listID: Identifier) {
    guard let list = context.store.list(listID) else { return }
    show(TasksScreen(context: context, list: list, selecting: id), from: .above)
  }

  func startSearch(_ text: String) {
    // The order of the rows is read in the background, from the newest version.
    guard context.loss == nil else { return context.say("Nothing can be searched until then.") }
    // A held row is dropped first.
    screen.drop()
    push(screen.makeSearch(for: text))
  }

  /// Shows the tasks that were cleared.
  func openArchive() {
    guard context.store.archive != nil else {
      return context.say(
        "The archive is empty; \(context.key(.rows(.clearCompleted))) in a list moves completed tasks there.")
    }
    screen.drop()
    if screen.openList != TaskList.archiveID { open(TaskList.archiveID) }
  }

  /// Shows tasks of all lists with something in common.
  func collect(_ topic: CollectedScreen.Topic) {
    guard !screen.shows(topic) else { return }
    screen.drop()
    do {
      show(try CollectedScreen(context: context, topic, origin: screen.origin), from: .above)
    } catch {
      context.say(error)
    }
  }
}
