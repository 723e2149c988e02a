import TasksModel
import TerminalUI

/// A text that is being typed in a row. It exists only in the editor until Enter: the file is neither locked
/// nor changed.
struct RowEditing {
  enum Target {
    case row(Identifier)
    /// A row that is not in the file yet.
    case draft(InsertionPoint)
  }

  /// The command that began it, to be repeated.
  var command: Command
  var target: Target
  /// The row whose text a draft was, and the original of that: the text returns to it if it comes back.
  var formerRow: (id: Identifier, original: String)?
  var editor: LineEditor
  /// The row's text as last known to the person: the one they began with, or the one they were shown since.
  /// Empty for a draft.
  var original: String
  /// The text that another person has set and this one has not been shown yet.
  var unseen: String?
  /// Whether another person has set another text since: the text typed here is then kept in any case.
  var isContested = false
  /// The sentence about a change by another person, which is shown below the row; nil without one.
  var conflict: String?
  /// The words that Tab offers in turn for the one that was being typed, and the one taken; nil before Tab.
  var completion: (offers: [String], taken: Int)?
  /// Whether another row will be typed below this one once it is stored, so that none moves yet.
  var isContinued = false
  /// The row to return the cursor to when a draft is cancelled.
  var selectedBefore: RowID?
}
