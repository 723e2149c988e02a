import LiveStore

/// The migration of files of older versions. Version 2 added undo, 3 the details of tasks, 4 subtasks and
/// repetitions, 5 the moment of completion and the archive, 6 tasks that wait, colors and
/// orders of lists, and searches with a name.
extension TasksStore {
  static func migrate(_ migration: Migration, from oldVersion: Int) throws {
    if oldVersion < 3 {
      // “At 6pm” in a text of last year does not mean today.
      try migration.enumerateObjects(ofType: "TaskItem") { old, new in
        let text = old?["text", as: String.self] ?? ""
        new?["readText"] = text
        new?["tags"] = TaskTags.column(of: text)
      }
    }
  }
}
