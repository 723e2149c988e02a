import TasksModel

/// A row that is lifted and goes where the cursor goes.
///
/// Each of its steps is written at once, as any other move is, so that every window sees it travel; all of
/// them are one action for undo.
struct HeldRow {
  let id: Identifier
  /// The action that it has been so far; nil before the first step.
  var step: Int?
}
