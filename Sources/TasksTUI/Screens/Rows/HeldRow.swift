import TasksModel

/// A row that is held and moves with the cursor.
///
/// Each step is written at once, like any other move, so that every window shows it; all of them are one
/// action for undo.
struct HeldRow {
  let id: Identifier
  /// The action so far; nil before the first step.
  var step: Int?
}
