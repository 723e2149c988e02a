import TerminalEmulator

@testable import TasksTUI

/// The screen that the model expects of a window, line by line, and the comparison with the real one.
struct SessionPicture {
  struct Line: Equatable, CustomStringConvertible {
    var text: String
    var isStruck = false

    var description: String { isStruck ? "\(text)  [struck through]" : text }
  }

  var title: String
  /// The rows; nil where the model says nothing about them.
  var lines: [Line]?
  /// The sentence instead of rows.
  var notice: String?
  /// The beginning of the bottom line.
  var prompt: String?
  private var isTyping = false
  /// Which of the lines has the cursor.
  var cursorLine: Int?

  /// Rows that another window has in hand.
  private let editedElsewhere: [Int]

  /// Whether dates are beside the texts, not below, and the lists beside the tasks.
  private let hasDateColumn: Bool
  /// Whether the lists are the rows.
  private var isOfLists = false

  /// - Parameter others: The other windows.
  init(_ window: SessionWindow, _ rows: SessionRows, others: [SessionWindow], columns: Int) {
    title = ""
    hasDateColumn = columns >= 110
    editedElsewhere = others.compactMap(\.editedRow)
    switch window.mode {
    case .help: title = "Keys"
    case .note(let task, let text):
      title = Self.join(rows.row(task)?.text ?? "", "note")
      lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
        Line(text: "  \($0)".trimmingEnd)
      }
    case .search(let text, let everywhere, let cursor):
      let found = window.found(text, everywhere: everywhere, rows)
      let name = everywhere || window.list == nil ? "All lists" : rows.row(window.list ?? 0)?.text ?? ""
      let count = found.count == 1 ? "1 match" : "\(found.count) matches"
      title = Self.join(name, text.isEmpty ? "" : count)
      setRows(
        found.map { row in
          var row = row
          row.priority = ""
          row.note = ""
          return row
        }, cursor: found.indices.contains(cursor) ? found[cursor].id : nil, mode: window.mode
      ) {
        everywhere || window.list == nil ? Self.listName(of: $0, rows) : nil
      }
      if found.isEmpty { notice = text.isEmpty ? "Search" : "Nothing found" }
      prompt = "/" + text
    default: setScreen(window, rows)
    }
  }

  private mutating func setScreen(_ window: SessionWindow, _ rows: SessionRows) {
    let shown = window.shownRows(rows)
    let marked = window.markedRows(rows)
    var summary = ""
    switch window.screen {
    case .rows(.lists):
      title = "Lists"
      isOfLists = true
    case .rows(.list(let id)):
      title = rows.row(id)?.text ?? ""
      if !shown.isEmpty { summary = "\(shown.count { !$0.isCompleted }) open" }
    case .today: title = "Today"
    case .tag(let name): title = "#\(name)"
    }
    if window.list == nil, window.screen != .rows(.lists) {
      summary = shown.count == 1 ? "1 task" : "\(shown.count) tasks"
    }
    if !marked.isEmpty { summary = "\(marked.count) marked" }
    title = Self.join(title, summary)
    if case .prompt(let label, let text, _) = window.mode {
      // The completions are listed over the rows.
      prompt = label + text
      return
    }
    setRows(shown, cursor: window.cursor, marked: marked, mode: window.mode) { row in
      switch window.screen {
      case .rows(.lists): "\(row.openTasks)"
      case .rows(.list): nil
      default: Self.listName(of: row, rows).map { String($0.prefix(9)) }
      }
    }
    guard shown.isEmpty, lines?.isEmpty == true else { return }
    switch window.screen {
    case .rows(.lists): notice = "No lists"
    case .rows: notice = "Nothing to do"
    case .today: notice = "Nothing is due today"
    case .tag(let name): notice = "No task has the tag #\(name)"
    }
  }

  private static func listName(of row: SessionRows.Row, _ rows: SessionRows) -> String? {
    guard case .list(let id)? = rows.place(of: row.id) else { return nil }
    return rows.row(id)?.text
  }

  private mutating func setRows(
    _ rows: [SessionRows.Row], cursor: Int?, marked: [Int] = [], mode: SessionWindow.Mode = .plain,
    badge: (SessionRows.Row) -> String?
  ) {
    var lines: [Line] = []
    var typing: SessionWindow.Typing?
    if case .typing(let typed) = mode { typing = typed }
    isTyping = typing != nil
    func addTyped(_ text: String) {
      cursorLine = lines.count
      lines.append(Line(text: "  \(text)".trimmingEnd))
    }
    for (index, row) in rows.enumerated() {
      if typing?.place == index { addTyped(typing?.text ?? "") }
      if typing?.target == .row(row.id) {
        addTyped((typing?.text ?? "") + pen(row))
        continue
      }
      var mark = " "
      if row.id == cursor, typing == nil {
        if case .holding = mode { mark = "↕" } else { mark = "›" }
        cursorLine = lines.count
      }
      let words = [row.priority, badge(row) ?? ""].filter { !$0.isEmpty }.joined(separator: "  ")
      if marked.contains(row.id) { mark = mark == " " ? "●" : "◉" }
      var text = mark + " " + row.text
      let due = self.due(of: row, mode)
      if !due.isEmpty, hasDateColumn { text += "  " + due }
      if !words.isEmpty { text += "  " + words }
      let sign = pen(row).isEmpty && !row.note.isEmpty ? "  ≡" : pen(row)
      text += words.isEmpty || sign.isEmpty ? sign : String(sign.dropFirst())
      lines.append(Line(text: text, isStruck: row.isCompleted))
      if !due.isEmpty, !hasDateColumn { lines.append(Line(text: "  " + due)) }
    }
    if let typing, typing.place == rows.count { addTyped(typing.text) }
    self.lines = lines
  }

  private func due(of row: SessionRows.Row, _ mode: SessionWindow.Mode) -> String {
    // The search has no words for overdue tasks.
    if case .search = mode { return row.due }
    return (row.due == "yesterday" && !row.isCompleted ? "overdue, " : "") + row.due
  }

  private func pen(_ row: SessionRows.Row) -> String { editedElsewhere.contains(row.id) ? "  ✎" : "" }

  private static func join(_ title: String, _ summary: String) -> String {
    summary.isEmpty ? title : "\(title)  \(summary)"
  }

  // MARK: Comparison

  /// The fault of a screen; nil when it is as it should be.
  func problem(of screen: ScreenParser) -> String? {
    let shown = (0..<screen.lines).map { plain(screen, line: $0) }
    let title = String(shown[0].text.drop { $0 == " " })
    // The help counts the lines that are in sight.
    let expected = squeezed(Line(text: "  " + self.title)).text.dropFirst(2)
    guard title == expected || self.title == "Keys" && title.hasPrefix("Keys") else {
      return "the title is “\(title)”, not “\(self.title)”"
    }
    if let prompt {
      let bottom = String(screen.text(line: screen.lines - 1).trimmingEnd.drop { $0 == " " })
      guard bottom == prompt.trimmingEnd || bottom.hasPrefix(prompt.trimmingEnd + " ") else {
        return "the bottom line is “\(bottom)”, not “\(prompt)”"
      }
    }
    if let notice {
      return shown.contains { $0.text.contains(notice) } ? nil : "it does not say “\(notice)”"
    }
    guard lines != nil else { return nil }
    let problem = problem(ofRows: Array(shown[1..<screen.lines - 1]))
    guard problem != nil, shown[screen.lines - 2].text.hasPrefix("  ") else { return problem }
    // A long message takes two lines.
    return self.problem(ofRows: Array(shown[1..<screen.lines - 2])) == nil ? nil : problem
  }

  private func problem(ofRows all: [Line]) -> String? {
    guard let lines = lines?.map(squeezed) else { return nil }
    // A change by another person to the row that is being typed is said below it.
    let room = isTyping ? all.filter { !$0.text.contains(" elsewhere") } : all
    guard lines.count > room.count || isTyping else {
      let expected = lines + Array(repeating: Line(text: ""), count: room.count - lines.count)
      return room == expected ? nil : "the rows are not those expected"
    }
    // A part of them, with the cursor. A row that is being typed goes to the top, whatever is below it.
    let blanks = Array(repeating: Line(text: ""), count: isTyping ? room.count - 1 : 0)
    let rows = lines + blanks
    for first in 0...rows.count - room.count where Array(rows[first..<first + room.count]) == room {
      let isInSight = cursorLine.map { (first..<first + room.count).contains($0) } ?? true
      return isInSight ? nil : "the cursor is not in sight"
    }
    return "the rows are not a part of those expected"
  }

  /// A line without the mark at the right edge that tells which rows are in sight, and with gaps all alike.
  private func plain(_ screen: ScreenParser, line: Int) -> Line {
    var text = screen.text(line: line).replacing("\u{A0}", with: " ")
    if hasDateColumn, title != "Keys", line < screen.lines - 1 {
      let width = max(24, screen.columns / 5)
      text = String(isOfLists ? text.prefix(width)[...] : text.dropFirst(width + 2))
    }
    if text.hasSuffix("▐") { text.removeLast() }
    let margin = text.prefix(2)
    var rest = String(text.dropFirst(2)).trimmingEnd
    while rest.contains("   ") { rest = rest.replacing("   ", with: "  ") }
    return squeezed(
      Line(text: (margin + rest).description.trimmingEnd, isStruck: screen.isStruck(line: line)))
  }

  /// The line with gaps of one blank, where details have columns.
  private func squeezed(_ line: Line) -> Line {
    guard hasDateColumn else { return line }
    let words = line.text.dropFirst(2).split(separator: " ").joined(separator: " ")
    return Line(text: (line.text.prefix(2) + words).trimmingEnd, isStruck: line.isStruck)
  }
}

extension StringProtocol {
  var trimmingEnd: String {
    var text = self[self.startIndex...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
