@testable import TasksModel

/// The words for what was undone or done again; nil where nothing was.
func undone(_ result: UndoResult) -> String? {
  if case .done(let undone) = result { undone.words } else { nil }
}
