import LiveStore
import TasksModel

/// Moving from one match of the last search to the next.
extension RowController {
  /// A search in progress. It examines rows in parts and is interrupted by any key.
  struct Seek {
    var row: Int
    let step: Int
    /// The rows that have not been examined.
    var left: Int
    /// The number of matches to pass.
    var times: Int
    let pattern: SearchPattern
  }

  func seekMatch(_ step: Int, times: Int) {
    guard let pattern = context.lastPattern else {
      return context.say("Nothing has been searched for yet; \(context.key(.app(.search))) searches.")
    }
    context.searchPattern = pattern
    guard let from = list.selectedIndex, list.count > 0 else { return context.say("There is no row here.") }
    seek = Seek(
      row: from, step: step, left: items.count, times: times, pattern: pattern)
    workOnSeek(for: .milliseconds(4))
  }

  /// Continues to look for the next match, for a limited time.
  func workOnSeek(for duration: Duration) {
    guard var seek else { return }
    let end = context.clock() + duration
    let count = items.count
    while seek.left > 0, count > 0 {
      seek.row = (seek.row + seek.step + count) % count
      seek.left -= 1
      let subtask = matchingSubtask(of: items[seek.row], seek.pattern)
      if subtask != nil || seek.pattern.matches(items[seek.row].text) {
        seek.times -= 1
        if seek.times <= 0 {
          list.select(seek.row)
          if let subtask { context.say("Below it: \(subtask.quoted).") }
          context.needsFrame = true
          self.seek = nil
          return
        }
        seek.left = count
      }
      if seek.left % 64 == 0, context.clock() >= end {
        self.seek = seek
        return
      }
    }
    self.seek = nil
    context.say("\(seek.pattern.text.quoted) is nowhere here.")
  }

  /// The first subtask of a row that matches, unless the row itself does; nil where subtasks are rows
  /// themselves.
  private func matchingSubtask(of row: Element, _ pattern: SearchPattern) -> String? {
    guard showsSubtasks, let task = row as? TaskItem, !pattern.matches(task.text) else { return nil }
    return task.subtasks.lazy.map(\.text).first(where: pattern.matches)
  }
}
