import TasksModel

/// The rows in words, for a session without a screen.
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
