import FoundationEssentials
import LiveStore

/// A list or a task, which a line on a screen shows. The rules for the positions of rows are the same for
/// both.
public protocol Row: Object {
  var id: Identifier { get set }
  var text: String { get set }
  var date: Date? { get set }
  var completed: Bool { get set }
}

extension Row {
  /// Completes the row, or opens it again; of a task the moment is kept.
  func complete(_ completed: Bool, at moment: Date?) {
    if let task = self as? TaskItem {
      (task.completed, task.completedAt) = (completed, completed ? moment : nil)
    } else {
      self.completed = completed
    }
  }
}
