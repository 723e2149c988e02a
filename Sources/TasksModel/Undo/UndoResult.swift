import LiveStore

/// The result of an attempt to undo or redo an action.
public enum UndoResult: Equatable, Sendable {
  /// The action was undone or redone.
  case done(Undone)
  /// There is no action left to undo, or to redo.
  case nothing
  /// The rows have changed since, so that the action cannot be undone without undoing changes of another
  /// person. Nothing was changed. The action has been dropped, so that the one before it is next.
  case impossible(Action, UndoObstacle)
}

/// An action that was undone or redone.
public struct Undone: Equatable, Sendable {
  public var action: Action
  /// The number of its rows; subtasks that followed their task are counted only in an import.
  public var count: Int
  /// The text of the first of them.
  public var text: String
  /// The topmost of the rows in the scope that was asked about, otherwise of the tasks that have them as
  /// subtasks; nil when none of these is there.
  public var rowID: Identifier?
  /// The change of the rows of the scope that was asked about.
  public var changes: ChangeSet
  /// Whether parts of the action are left, if it is undone or redone in parts.
  public var hasMore = false

  /// The description, such as `completing “Buy milk”` or `deleting 3 rows`.
  public var words: String { action.words(about: count == 1 ? "“\(text)”" : "\(count.grouped) rows") }
}

/// The reason why an action cannot be undone or redone any more. Its description is a sentence.
public enum UndoObstacle: Error, Equatable, Sendable, CustomStringConvertible {
  /// The row was deleted since.
  case rowDeleted(String)
  /// The row's text or whether it is completed was changed since.
  case rowChanged(String)
  /// The row was moved since, or its neighbours were moved around it.
  case rowMoved(String)
  /// Some of many rows that were added together were deleted since.
  case rowsDeleted
  /// Some of many rows that were added together were changed since.
  case rowsChanged
  /// One of many rows that were added together has work of a person, which would be lost.
  case rowWorkedOn(String, Work)
  /// The list that the row would return to was deleted.
  case listDeleted(String)
  /// The task that the row would return to was deleted.
  case taskDeleted(String)
  /// The row would become a subtask of a subtask.
  case nested(String)
  /// The row to restore exists already.
  case rowExists(String)
  /// The stored step cannot be read.
  case unreadable

  /// The work in a row that was done since it was added.
  public enum Work: Equatable, Sendable {
    case completing, changing, givingSubtasks
  }

  public var description: String {
    switch self {
    case .rowDeleted(let text): "“\(text)” has been deleted since."
    case .rowChanged(let text): "“\(text)” has been changed since."
    case .rowMoved(let text): "“\(text)” or its neighbours have been moved since."
    case .rowsDeleted: "Some of the rows have been deleted since."
    case .rowsChanged: "Some of the rows have been changed since."
    case .rowWorkedOn(let text, .completing): "“\(text)”, which has been completed since, would be lost."
    case .rowWorkedOn(let text, .changing): "“\(text)”, which has been changed since, would be lost."
    case .rowWorkedOn(let text, .givingSubtasks):
      "“\(text)”, which has subtasks by now, would be lost with them."
    case .listDeleted(let text): "The list of “\(text)” has been deleted since."
    case .taskDeleted(let text): "The task that “\(text)” belonged to has been deleted since."
    case .nested(let text): "“\(text)” would become a subtask of a subtask."
    case .rowExists(let text): "“\(text)” is there."
    case .unreadable: "What it did was not kept in a form that can be read."
    }
  }
}
