import TasksModel

/// The screen of the app, in words.
extension App {
  /// Whether a text is expected: then a line is one.
  var isTyping: Bool { prompt != nil || search != nil || front.isEditing }

  var isSearching: Bool { prompt == nil && search != nil }

  /// The place that is shown.
  var place: Place { (screen as? TasksScreen)?.rows.place ?? .lists }

  /// The title of the screen and its summary.
  var spokenTitle: String {
    let screen: any Screen = search ?? screen
    return screen.summary.isEmpty ? screen.title : "\(screen.title), \(screen.summary)"
  }

  /// The question of a prompt, or the row with the cursor.
  var spokenPosition: String {
    if let prompt = prompt?.prompt {
      let choices = prompt.completions.prefix(12).map(\.title).joined(separator: ", ")
      return prompt.label + (choices.isEmpty ? "" : " One of: \(choices)")
    }
    if let search { return search.spokenPosition }
    return (screen as? TasksScreen)?.rows.spokenPosition ?? (screen as? ListsScreen)?.rows.spokenPosition
      ?? ""
  }
}

extension RowController {
  fileprivate var spokenPosition: String {
    if let editing {
      return editing.editor.isEmpty
        ? "Type the text of the row" : "Type the new text of: \(editing.editor.text)"
    }
    guard let index = list.selectedIndex, let element = element(at: index) else { return "No rows" }
    var words = ["\(index + 1) of \(list.count): \(element.text)"]
    if element.completed { words.append("completed") }
    if isHolding { words.append("lifted") }
    if marks.contains(element.id, at: index, range: markedRange) { words.append("marked") }
    if let date = element.date { words.append("due \(context.calendar.words(for: date))") }
    if let summary = (element as? TaskItem).flatMap(subtaskSummary) { words.append(summary.spokenWords) }
    if let badge = decorate(element).badge { words.append("\(badge) open") }
    return words.joined(separator: ", ")
  }
}

extension SearchScreen {
  fileprivate var spokenPosition: String {
    let found = texts(atMost: 12)
    guard !found.isEmpty else { return "Type words to search for" }
    return found.joined(separator: "; ") + ". An empty line goes to the first"
  }
}
