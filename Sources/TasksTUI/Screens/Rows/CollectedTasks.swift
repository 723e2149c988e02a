import FoundationEssentials
import LiveStore
import TasksModel

/// Tasks of any lists that a screen has collected.
struct CollectedTasks {
  let results: Results<TaskItem>
  /// What a new task has to be like to be among them.
  let adopt: (_ text: String) -> (text: String, date: Date?)
}
