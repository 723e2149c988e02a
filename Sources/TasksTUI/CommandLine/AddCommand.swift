import TasksModel

/// `tasks add`: adds tasks after the open ones of a list, or subtasks below a task.
struct AddCommand {
  let store: TasksStore
  /// The name of the list, or nil for the first; for subtasks nil means any.
  let list: String?

  /// - Parameters:
  ///   - texts: One for each task; empty ones are ignored.
  ///   - options: Values that are not given here are read from the texts.
  ///   - check: Throws if the texts have ended early; no task is added then.
  /// - Returns: The ids of the tasks.
  func run(
    _ texts: some Sequence<String>, _ options: NewTaskOptions, check: () throws -> Void = {}
  ) throws -> AddedRows {
    let date = try options.due.flatMap { try $0.valueOrNothing(store.date) }
    let repetition = try options.repetition.flatMap { try $0.valueOrNothing(store.repetition) }
    try options.requireDateForRepetition()
    let priority = try options.priority.map(store.priority) ?? .none
    let wait = try options.wait.flatMap { try $0.valueOrNothing(store.waitingDate) }
    let (place, holder) = try place(under: options.under)
    // A read that has failed may have led to another one.
    try store.requireReadable()
    var progress = ProgressLine()
    defer { progress.erase() }
    let added = try store.add(
      texts, to: place, date: date, repetition: repetition, priority: priority,
      notes: options.notesText ?? "", waitingUntil: wait, readingDates: true, without: options.absent,
      progress: { count in
        progress.show("Adding tasks", count)
        try check()
      })
    guard let added else { throw RuntimeError("\(holder) has just been deleted") }
    return added
  }

  /// The place of the new tasks, and its description.
  private func place(under owner: String?) throws -> (Place, holder: String) {
    guard let owner else {
      let list = try store.list(named: list)
      return (.tasks(inList: list.id), "the list “\(list.text)”")
    }
    let task = try store.openTask(named: owner, inList: list)
    guard task.parents.isEmpty else {
      throw RuntimeError("“\(task.text)” is a subtask, and a subtask has none of its own")
    }
    return (.subtasks(of: task.id), "the task “\(task.text)”")
  }
}
