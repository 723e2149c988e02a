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
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - height: The number of lines of the list.
  static func offset(of command: CursorCommand, times: Int, count: Int, height: Int) -> Int? {
    let times = min(times, count)
    let page = max(1, height - 1)
    let halfPage = max(1, height / 2)
    return switch command {
    case .down: times
    case .up: -times
    case .pageDown: times * page
    case .pageUp: -times * page
    case .halfPageDown: times * halfPage
    case .halfPageUp: -times * halfPage
    case .first: -count
    case .last: count
    case .top, .middle, .bottom, .scrollDown, .scrollUp: nil
    }
  }

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
