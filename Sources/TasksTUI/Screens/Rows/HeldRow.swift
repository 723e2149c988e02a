import TasksModel

/// A row that is held and moves with the cursor.
///
/// Each step is written at once, like any other move, so that every window shows it; all of them are one
/// action for undo.
struct HeldRow {
  let id: Identifier
  /// The action so far; nil before the first step.
  var step: Int?

  /// The rows by which a command moves the lifted row; nil if the row is dropped first.
  static func offset(of command: RowsCommand, times: Int, count: Int) -> Int? {
    switch command {
    case .moveDown: min(times, count)
    case .moveUp: -min(times, count)
    case .add, .addOnTop, .addBelow, .addAbove, .toggleCompleted, .edit, .delete, .clearCompleted, .hold,
      .sort, .undo, .redo, .nextMatch, .previousMatch, .mark, .markRange, .markAll, .copy:
      nil
    }
  }
}
