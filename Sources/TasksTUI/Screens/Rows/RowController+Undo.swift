import FoundationEssentials
import LiveStore
import TasksModel

/// Undo and redo.
extension RowController {
  func undo(times: Int) {
    take(times, done: "Undone", none: "There is nothing to undo.", impossible: "can no longer be undone") {
      try $0.undo(showing: scope)
    }
  }

  func redo(times: Int) {
    take(
      times, done: "Done again", none: "There is nothing to do again.", impossible: "can no longer be redone"
    ) {
      try $0.redo(showing: scope)
    }
  }

  private func take(
    _ times: Int, done: String, none: String, impossible: String,
    _ operation: (TasksStore) throws -> UndoResult
  ) {
    clearMarks()
    var words: [String] = []
    for _ in 0..<times {
      do {
        let result = try operation(context.store)
        mirror(result)
        switch result {
        case .done(let undone):
          words.append(undone.words)
          continue
        case .nothing:
          if words.isEmpty { return context.say(none) }
        case .impossible(let action, let obstacle):
          return context.say("\(action.noun.firstUppercased) \(impossible): \(obstacle)")
        }
      } catch {
        return context.say(error)
      }
      break
    }
    context.say(words.count == 1 ? "\(done): \(words[0])." : "\(done): \(words.count) changes.")
  }

  /// Shows the changes of undo, with the cursor on the first of its rows.
  func mirror(_ result: UndoResult) {
    guard case .done(let undone) = result, !undone.changes.isEmpty else { return }
    show(undone.changes)
    if let index = undone.rowID.flatMap(index(of:)) { list.select(index) }
  }
}

extension Action {
  /// The noun at the beginning of a sentence.
  fileprivate var noun: String {
    switch self {
    case .add: "adding"
    case .edit: "editing"
    case .complete: "completing"
    case .reopen: "opening again"
    case .delete: "deleting"
    case .clear: "clearing"
    case .move, .moveToList: "moving"
    case .setDate: "setting the date"
    case .setNotes: "writing the note"
    case .setPriority: "setting the priority"
    case .setRepetition: "setting the repetition"
    case .demote: "demoting"
    case .promote: "promoting"
    }
  }
}

extension String {
  fileprivate var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}
