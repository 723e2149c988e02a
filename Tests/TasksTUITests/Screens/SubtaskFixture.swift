import FoundationEssentials
import TasksModel
import Testing

@testable import TasksTUI

extension AppHarness {
  /// The task with a text, also a subtask.
  func id(_ text: String) throws -> Identifier {
    try #require(store.store.objects(TaskItem.self).first { $0.text == text }, "no task \(text)").id
  }

  /// Gives a task subtasks; upper-case ones are completed.
  @discardableResult
  func addSubtasks(_ texts: [String], to task: String) throws -> Place {
    let place = Place.subtasks(of: try id(task))
    try store.add(texts, to: place)
    for text in texts where text.first?.isUppercase == true {
      try store.toggleCompleted([id(text)], in: RowScope(place))
    }
    try settle()
    return place
  }

  /// The tasks with their subtasks, completed ones in brackets: `a b(c [d])`.
  var outline: String {
    func words(_ task: TaskItem) -> String {
      let text = task.completed ? "[\(task.text)]" : task.text
      return task.subtasks.isEmpty ? text : "\(text)(\(task.subtasks.map(words).joined(separator: " ")))"
    }
    return tasks.map(words).joined(separator: " ")
  }

  /// The list is open, and not the subtasks of a task.
  var isInList: Bool { title.hasPrefix("My Tasks") && !title.contains("›") }

  /// The rows with single spaces: a count stands behind its text.
  var words: [String] { rows.map { $0.split(separator: " ").joined(separator: " ") } }
}
