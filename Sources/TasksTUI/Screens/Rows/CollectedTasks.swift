import FoundationEssentials
import LiveStore
import TasksModel

/// Tasks of any lists that a screen has collected.
struct CollectedTasks {
  let results: Results<TaskItem>
  /// The date that a task shows.
  var date: @Sendable (TaskItem) -> Date? = { $0.date }
  /// Whether they are due at that date.
  var isDue = true
  /// Whether those of a day follow one another, below a heading.
  var isByDay = false
  /// Returns the text and the date that make a new task one of these; nil where none is made one by that.
  let adopt: ((_ text: String) -> (text: String, date: Date?))?
}
