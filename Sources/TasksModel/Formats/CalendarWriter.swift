import FoundationEssentials

/// The writer of iCalendar: a VTODO for each task.
struct CalendarWriter: RecordWriter {
  private let calendar: LocalCalendar
  /// The time at which it is written, which every task has to have.
  private let stamp: String
  private var list: String?
  private var isFirstList = true

  init(_ calendar: LocalCalendar, now: Date) throws(CalendarLibraryMissing) {
    try CalendarLibraryMissing.check()
    self.calendar = calendar
    stamp = now.basicGreenwichText
  }

  mutating func start(_ output: inout String) {
    output += "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//tasks//tasks//EN\r\n"
  }

  mutating func finish(_ output: inout String) {
    output += "END:VCALENDAR\r\n"
  }

  mutating func write(_ list: ListRecord, to output: inout String) {
    let isDefault = isFirstList && list.text == TaskList.firstListText
    self.list = isDefault || list.text.isEmpty ? nil : Self.word(list.text)
    isFirstList = false
  }

  mutating func write(_ task: RowValues, to output: inout String) {
    append(task, parent: nil, to: &output)
    for subtask in task.tasks { append(subtask, parent: task.id, to: &output) }
  }

  private func append(_ task: RowValues, parent: Identifier?, to output: inout String) {
    guard let todo = CalendarTodo() else { return }
    let (text, tags) = SeparateTags.split(TaskWords.line(task.text))
    todo.add("UID:" + CalendarText.escaped(task.id.description))
    todo.add("DTSTAMP:" + stamp)
    todo.add("SUMMARY:" + CalendarText.escaped(text))
    if let date = task.date {
      let time = calendar.localTime(of: date)
      todo.add(
        calendar.startOfDay(date) == date
          ? "DUE;VALUE=DATE:" + time.basicDayText : "DUE:" + date.basicGreenwichText)
    }
    if let wait = task.details.waitsUntil { todo.add("X-TASKS-WAIT:" + wait.basicGreenwichText) }
    todo.add(task.completed ? "STATUS:COMPLETED" : "STATUS:NEEDS-ACTION")
    if task.completed, let moment = task.details.completedAt {
      todo.add("COMPLETED:" + moment.basicGreenwichText)
    }
    // It stays in the note: it is not read from here.
    let notes = task.details.notes
    if let created = KeptValues(in: notes).created.flatMap(Timestamp.init) {
      todo.add("CREATED:" + created.date(calendar).basicGreenwichText)
    }
    switch task.details.priority {
    case .a: todo.add("PRIORITY:1")
    case .b: todo.add("PRIORITY:5")
    case .c: todo.add("PRIORITY:9")
    case .none: break
    }
    for tag in tags { todo.add("CATEGORIES:" + CalendarText.escaped(tag)) }
    if !notes.isEmpty { todo.add("DESCRIPTION:" + CalendarText.escaped(notes)) }
    if let rule = CalendarRule.rule(task.details.repetition, from: task.date.map(calendar.localTime)) {
      todo.add("RRULE:" + rule)
    } else if !task.details.repetition.isEmpty {
      todo.add("X-TASKS-REPEAT:" + Self.word(task.details.repetition))
    }
    if let parent { todo.add("RELATED-TO:" + CalendarText.escaped(parent.description)) }
    if let list { todo.add("X-TASKS-LIST:" + list) }
    output += todo.lines
  }

  /// A value of our own, of which libical takes a backslash for a code.
  private static func word(_ text: String) -> String {
    EncodedWord.encode(text).split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "%5C")
  }
}
