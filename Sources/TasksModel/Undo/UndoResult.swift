import FoundationEssentials

/// What became of an attempt to undo or redo an action.
public enum UndoResult: Equatable, Sendable {
  /// It was done.
  case done(Undone)
  /// There is no action left to undo, or to redo.
  case nothing
  /// The rows have changed since in a way that leaves no way back without taking back what somebody else did.
  /// Nothing was changed. The action has been dropped, so that the one before it is next.
  case impossible(Action, UndoObstacle)
}

/// An action that was undone or redone.
public struct Undone: Equatable, Sendable {
  public var action: Action
  /// How many rows it was about; subtasks that went the way of their task are not counted.
  public var count: Int
  /// The text of the first of them.
  public var text: String
  /// The place in which the rows are, or were.
  public var place: Place
  /// The topmost of the rows in the place that was asked about, or nil when none of them is there.
  public var rowID: Identifier?
  /// What happened to the rows of the place that was asked about.
  public var edit: Edit

  /// Words for it, such as `complete “Buy milk”` or `delete 3 rows`.
  public var words: String {
    count == 1 ? "\(action.verb) “\(text)”" : "\(action.verb) \(count) rows"
  }
}

/// Why an action cannot be undone or redone any more. Its description is a sentence.
public enum UndoObstacle: Error, Equatable, Sendable, CustomStringConvertible {
  /// The row was deleted since.
  case rowDeleted(String)
  /// The row's text or whether it is completed was changed since.
  case rowChanged(String)
  /// The row was moved since, or its neighbours were moved around it.
  case rowMoved(String)
  /// The list that the row is to go back into was deleted.
  case listDeleted(String)
  /// The task that the row is to go back below was deleted.
  case taskDeleted(String)
  /// The row would become a subtask of a subtask.
  case nested(String)
  /// The row that is to come back is there.
  case rowExists(String)
  /// What was kept cannot be read.
  case unreadable

  public var description: String {
    switch self {
    case .rowDeleted(let text): "“\(text)” has been deleted since."
    case .rowChanged(let text): "“\(text)” has been changed since."
    case .rowMoved(let text): "“\(text)” or its neighbours have been moved since."
    case .listDeleted(let text): "The list of “\(text)” has been deleted since."
    case .taskDeleted(let text): "The task that “\(text)” belonged to has been deleted since."
    case .nested(let text): "“\(text)” would become a subtask of a subtask."
    case .rowExists(let text): "“\(text)” is there."
    case .unreadable: "What it did was not kept in a form that can be read."
    }
  }
}
