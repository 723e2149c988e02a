import TasksModel

/// A text that is being typed in a row. It is the editor's alone until Enter: the file is neither locked nor
/// changed.
struct RowEditing {
  enum Target {
    /// The text of a row.
    case row(Identifier)
    /// A row that is not in the file yet.
    case draft(InsertionPoint)
  }

  /// What it was begun with, to be repeated.
  var command: Command
  var target: Target
  var editor: LineEditor
  /// The row's text as far as the person knows: what they began with, or what they were shown since. Empty
  /// for a draft.
  var original: String
  /// The text that somebody else has given the row and the person has not been shown yet.
  var unseen: String?
  /// Somebody else has given the row another text since: what is typed here is not lost then, whoever's text
  /// is kept.
  var isContested = false
  /// Where the cursor goes back to when a draft is given up.
  var selectedBefore: RowID?
}
