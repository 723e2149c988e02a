import TasksModel

/// The sentence about several steps of undo, or of redo.
struct UndoReport {
  static let undo = UndoReport(done: "Undid", none: "There is nothing to undo.", undoing: "undone")
  static let redo = UndoReport(done: "Redid", none: "There is nothing to redo.", undoing: "redone")

  /// The verb before the actions that were undone.
  let done: String
  /// The sentence if there was no action.
  let none: String
  /// The verb for an action that cannot be undone any more.
  let undoing: String
  private(set) var words: [String] = []
  private(set) var obstacle: String?
  private(set) var isOver = false

  mutating func add(_ result: UndoResult) {
    switch result {
    case .done(let undone): words.append(undone.words)
    case .nothing: isOver = true
    case .impossible(let action, let reason):
      obstacle = "\(action.noun.firstUppercased) can no longer be \(undoing): \(reason)"
      isOver = true
    }
  }

  var sentence: String {
    if let obstacle { return obstacle }
    switch words.count {
    case 0: return none
    case 1: return "\(done): \(words[0])."
    default: return "\(done): \(words.count.grouped) changes."
    }
  }
}
