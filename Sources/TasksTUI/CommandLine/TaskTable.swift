import FoundationEssentials
import TasksModel
import TerminalUI
import VisibleText

/// A printed list of tasks: mark and text at the left, wrapped below itself, due date and priority in columns
/// at the right, or below the text where there is no room for columns, the first line of the note and the
/// subtasks below.
struct TaskTable {
  struct Row {
    var text: String
    var completed: Bool
    var date: Date?
    var repetition = ""
    var priority = TaskPriority.none
    var notes = ""
    var isSubtask = false
    /// The list of the task in words, where tasks of several are printed.
    var place: String?
  }

  /// At least `leastWidth`.
  let width: Int
  let isColored: Bool
  let words: DateWords

  /// The least width of lines: that of a subtask with a mark and a few letters.
  static let leastWidth = 12
  /// The least width of texts beside columns.
  private static let leastTextWidth = 10

  /// - Returns: The lines, each with its end.
  ///
  /// Complexity: O(the length of the texts).
  func text(of rows: [Row]) -> String {
    let dues = rows.map(due)
    let hasPriority = rows.contains { $0.priority != .none }
    let leftOfSubtasks = 8
    // A third, or what the texts leave.
    let texts = rows.map { ($0.isSubtask ? leftOfSubtasks : 4) + Self.width(Self.words(of: $0)) }
    let textWidth = max(leftOfSubtasks + Self.leastTextWidth, texts.max() ?? 0)
    let room = max(width / 3, width - textWidth - 2 - (hasPriority ? 3 : 0))
    let dueWidth = min(dues.map(Self.width).max() ?? 0, room)
    var right = (dueWidth > 0 ? dueWidth + 2 : 0) + (hasPriority ? 3 : 0)
    let hasColumns = width - leftOfSubtasks - right >= Self.leastTextWidth
    if !hasColumns { right = 0 }
    var text = ""
    for (row, due) in zip(rows, dues) {
      let indent = row.isSubtask ? 4 : 0
      let left = indent + 4
      let lines = Self.wrapped(Self.words(of: row), to: width - left - right)
      for (number, line) in lines.enumerated() {
        let mark = number == 0 ? "[\(row.completed ? "x" : " ")] " : "    "
        text += String(repeating: " ", count: indent)
        text += styled(mark + line, row.completed ? .dim : .plain)
        if hasColumns, number == 0, !due.isEmpty || row.priority != .none {
          let gap = max(2, width - right - left - Self.width(line) + 2)
          text += String(repeating: " ", count: gap)
          let shown = Self.clipped(due, to: dueWidth)
          text += styled(shown, dueStyle(row))
          if row.priority != .none {
            text += String(repeating: " ", count: dueWidth - Self.width(shown) + (dueWidth > 0 ? 2 : 0))
            text += styled(row.priority.rawValue, priorityStyle(row))
          }
        }
        text += "\n"
      }
      if !hasColumns, !due.isEmpty || row.priority != .none {
        let priority = row.priority == .none ? "" : row.priority.rawValue + (due.isEmpty ? "" : " ")
        let shown = Self.clipped(due, to: width - left - priority.utf8.count)
        text += String(repeating: " ", count: left)
        text += styled(priority, priorityStyle(row)) + styled(shown, dueStyle(row)) + "\n"
      }
      if let note = row.notes.split(separator: "\n").first {
        let isWhole = note.utf8.count == row.notes.utf8.count
        let line = Self.clipped(
          String(note).withControlsMadeVisible + (isWhole ? "" : " …"), to: width - left - 2)
        text += String(repeating: " ", count: left) + styled("| " + line, .dim) + "\n"
      }
    }
    return text
  }

  private static func words(of row: Row) -> String {
    (row.text + (row.place.map { "  (\($0))" } ?? "")).withControlsMadeVisible
  }

  private func due(_ row: Row) -> String {
    guard let date = row.date else { return "" }
    let late = !row.completed && words.due(date).state == .overdue ? "overdue, " : ""
    return late + words.words(for: date)
      + (row.repetition.isEmpty ? "" : ", " + Repetition.words(of: row.repetition))
  }

  private enum Emphasis: String {
    case plain = ""
    case dim = "2"
    case red = "31"
    case yellow = "33"
  }

  private func dueStyle(_ row: Row) -> Emphasis {
    guard !row.completed, let date = row.date else { return .dim }
    return switch words.due(date).state {
    case .overdue: .red
    case .today: .yellow
    case .later: .plain
    }
  }

  private func priorityStyle(_ row: Row) -> Emphasis {
    row.completed ? .dim : row.priority == .a ? .red : .yellow
  }

  private func styled(_ text: String, _ style: Emphasis) -> String {
    isColored && style != .plain && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  static func width(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + (TextWidth.columns(of: $1) ?? 0) }
  }

  /// The text, with an ellipsis in place of what has no room.
  static func clipped(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    var (clipped, used) = ("", 0)
    for character in text {
      let width = width(String(character))
      guard used + width < columns else { break }
      clipped.append(character)
      used += width
    }
    return columns > 0 ? clipped + "…" : ""
  }

  /// Lines of whole words; a longer word is cut.
  static func wrapped(_ text: String, to columns: Int) -> [String] {
    var lines = [""]
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let width = width(word)
      if used > 0, used + 1 + width > columns {
        lines.append("")
        used = 0
      } else if used > 0 || !lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] += " "
        used += 1
      }
      guard width > columns else {
        lines[lines.count - 1] += word
        used += width
        continue
      }
      for character in word {
        let width = Self.width(String(character))
        if used > 0, used + width > columns {
          lines.append("")
          used = 0
        }
        lines[lines.count - 1].append(character)
        used += width
      }
    }
    return lines
  }
}

extension TaskTable {
  init?(_ style: OutputStyle, _ dates: DateReader) {
    guard let width = style.width else { return nil }
    self.init(
      width: width, isColored: style.isColored, words: DateWords(calendar: dates.calendar, now: dates.now))
  }
}

extension TaskTable.Row {
  init(_ task: TaskItem, isSubtask: Bool = false, place: String? = nil) {
    self.init(
      text: task.text, completed: task.completed, date: task.date, repetition: task.repetition,
      priority: task.priority, notes: task.notes, isSubtask: isSubtask, place: place)
  }
}
