import LiveStore
import TasksModel
import VisibleText

/// `tasks restore`: gives a file the lists and tasks of a copy.
struct RestoreCommand {
  let store: TasksStore
  let path: String

  /// - Parameter isNew: Whether the file has just been made for it, and held nothing before.
  /// - Returns: What was done, as a line.
  func run(from copy: String, isNew: Bool) throws -> String {
    let former = try store.restore(from: copy, keepingFormer: !isNew)
    let what = "\(store.lists.count.counted("list")) and \(store.allTasks.count.counted("task"))"
    var sentence = "“\(path)” now has the \(what) of “\(copy)”"
    if let former {
      sentence += "; what it had before is in “\(former)”"
    } else if !isNew {
      sentence = "“\(path)” has what “\(copy)” has; nothing was changed"
    }
    return sentence.withControlsMadeVisible + ".\n"
  }
}
