import LiveStore
import TasksModel

/// The screen of the app, in words.
extension App {
  /// Whether a text is expected: then a line is one.
  var isTyping: Bool { front.isEditing }

  var isSearching: Bool { front.answersWhileTyping }

  /// The place that is shown.
  var place: Place { screen.place ?? .lists }

  /// The tasks of any lists that are shown instead of a place.
  var collectedTasks: Results<TaskItem>? { screen.collectedTasks }

  /// The title of the screen and its summary.
  var spokenTitle: String { screens.topmost(\.spokenTitle) ?? "" }

  /// The question of a prompt, or the row with the cursor.
  var spokenPosition: String { screens.topmost(\.spokenPosition) ?? "" }
}

extension RowController {
  var spokenPosition: String {
    if let editing {
      return editing.editor.isEmpty
        ? "Type the text of the row" : "Type the new text of: \(editing.editor.text)"
    }
    guard let index = list.selectedIndex, let element = element(at: index) else { return "No rows" }
    return words(for: element, at: index)
  }

  var spokenRows: [String] {
    showAllItems()
    return (0..<list.count).compactMap { index in element(at: index).map { words(for: $0, at: index) } }
  }

  private func words(for element: Element, at index: Int) -> String {
    var words = ["\((index + 1).grouped) of \(list.count.grouped): \(element.text)"]
    if element.completed { words.append("completed") }
    if isHolding { words.append("lifted") }
    if marks.contains(element.id, at: index, range: markedRange) { words.append("marked") }
    if let date = element.date { words.append("due \(context.calendar.words(for: date))") }
    if let summary = (element as? TaskItem).flatMap(subtaskSummary) { words.append(summary.spokenWords) }
    // Of a list the number of its open tasks, of a task its list.
    if let badge = decorate(element).badge { words.append(element is TaskList ? "\(badge) open" : badge) }
    return words.joined(separator: ", ")
  }
}
