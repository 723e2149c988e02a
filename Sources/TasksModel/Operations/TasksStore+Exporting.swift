import LiveStore

extension TasksStore {
  /// Writes lists and their tasks in some format, in their order, as they are at the version that the store
  /// shows; in our own format the archive as well, if it holds anything. A task that another program has put
  /// into several lists, or below several tasks, is written in the first; subtasks of a subtask follow it. Of
  /// a task without a text, which other formats do not have, they say so in its place.
  ///
  /// - Parameters:
  ///   - only: The list to write; nil for all of them.
  ///   - write: Called with the parts of the file.
  ///   - progress: Called now and then with the number of tasks written so far.
  /// - Returns: The number of tasks and subtasks.
  /// - Throws: `StoreError` if the file could not be read, `QueryError`, what `write` throws.
  ///
  /// Complexity: O(n). The values of one list are in memory at a time.
  @discardableResult
  public func exportRecords(
    _ format: FileFormat, ofList only: Identifier? = nil, to write: (String) throws -> Void,
    progress: (Int) -> Void = { _ in }
  ) throws -> Int {
    var writer = try format.writer(dates)
    var output = ""
    var count = 0
    writer.start(&output)
    var written: Set<Identifier> = []
    func subtasks(of task: TaskItem) -> [RowValues] {
      Array(task.subtasks).filter { $0.lists.isEmpty && written.insert($0.id).inserted }
        .flatMap { [named(RowValues($0))] + subtasks(of: $0) }
    }
    func named(_ task: RowValues) -> RowValues {
      guard !format.isLossless, task.text.trimmedForRow.isEmpty else { return task }
      var task = task
      task.text = "(no text)"
      return task
    }
    // One that holds nothing any more is as good as none.
    let others = format == .jsonl ? [archive].compactMap { $0 }.filter { !$0.items.isEmpty } : []
    for list in distinctLists + others where only == nil || list.id == only {
      writer.write(ListRecord(list), to: &output)
      let owners = try list.items.idsOfTasksWithSubtasks()
      for (
        id, text, date, completed, dateOrigin, notes, priority, repetition, repetitionOrigin, completedAt,
        waitsUntil, archivedFrom
      )
        in list.items.values(
          of: \.id, \.text, \.date, \.completed, \.dateOrigin, \.notes, \.priority, \.repetition,
          \.repetitionOrigin, \.completedAt, \.waitsUntil, \.archivedFrom)
      where written.insert(id).inserted {
        var task = RowValues(id: id, text: text, date: date, completed: completed)
        task.details.dateOrigin = dateOrigin
        task.details.notes = notes
        task.details.priority = priority
        task.details.repetition = repetition
        task.details.repetitionOrigin = repetitionOrigin
        task.details.completedAt = completedAt
        task.details.waitsUntil = waitsUntil
        task.details.archivedFrom = archivedFrom
        if owners.contains(id) { task.tasks = self.task(id).map(subtasks) ?? [] }
        writer.write(named(task), to: &output)
        count += 1 + task.tasks.count
        if output.utf8.count > 65_536 {
          try write(output)
          output.removeAll(keepingCapacity: true)
          progress(count)
        }
      }
    }
    if only == nil {
      for (name, words) in savedSearches.values(of: \.name, \.words) {
        writer.write(search: name, words: words, to: &output)
      }
    }
    writer.finish(&output)
    try requireReadable()
    try write(output)
    return count
  }
}
