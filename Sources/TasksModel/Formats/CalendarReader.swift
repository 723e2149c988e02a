import FoundationEssentials

/// The reader of the tasks of iCalendar, one VTODO at a time. A calendar's name is that of the list; events
/// and other parts are left out.
struct CalendarReader: RecordReader {
  private var lines: LineReader
  private let calendar: LocalCalendar
  /// The name of the calendar, as it is written.
  private var name: String?
  private var hasCalendar = false
  /// The line on which the calendar has begun that has not ended yet.
  private var beginning: Int?

  init(_ bytes: @escaping ByteSource, _ calendar: LocalCalendar) throws(CalendarLibraryMissing) {
    try CalendarLibraryMissing.check()
    lines = LineReader(bytes)
    self.calendar = calendar
  }

  mutating func next() throws -> FormatRecord? {
    // Whether the line before is the name, which goes on in lines that begin with a space.
    var isName = false
    while let line = try lines.next() {
      guard case .text(let text) = line else { continue }
      if text.utf8.first == 0x20 || text.utf8.first == 0x09 {
        if isName, let begin = name, begin.utf8.count < LineReader.longestLine {
          name = begin + String(text.unicodeScalars.dropFirst())
        }
        continue
      }
      let value = Self.name(in: text)
      isName = value != nil
      if let value { name = value }
      if text.utf8.count > 200 { continue }
      if text.uppercased() == "BEGIN:VCALENDAR" {
        name = nil
        hasCalendar = true
        let unended = beginning
        beginning = lines.number
        if let unended { return Self.unended(unended) }
      } else if text.uppercased() == "END:VCALENDAR" {
        beginning = nil
      } else if text.uppercased() == "BEGIN:VTODO" {
        hasCalendar = true
        return try todo()
      }
    }
    if let beginning {
      self.beginning = nil
      return Self.unended(beginning)
    }
    guard !hasCalendar, lines.number > 0 else { return nil }
    // Told once.
    hasCalendar = true
    return FormatRecord(line: 1, .problem("the file has no BEGIN:VCALENDAR, and is no calendar"))
  }

  /// The value of a line that begins the name of the calendar.
  private static func name(in line: String) -> String? {
    let property = line.prefix { $0 != ":" && $0 != ";" }
    guard property.utf8.count == 12, property.uppercased() == "X-WR-CALNAME" else { return nil }
    return line.firstIndex(of: ":").map { String(line[line.index(after: $0)...]) }
  }

  private static func unended(_ line: Int) -> FormatRecord {
    FormatRecord(line: line, .problem("the calendar has no END:VCALENDAR; some of it may be missing"))
  }

  /// Reads a task, whose first line has been read.
  private mutating func todo() throws -> FormatRecord {
    let number = lines.number
    var text = "BEGIN:VTODO\r\n"
    var problem: String?
    var hasDue = false
    while let line = try lines.next() {
      switch line {
      case .problem(let sentence): problem = problem ?? sentence
      case .text(let line):
        if text.utf8.count < LineReader.longestLine { text += line + "\r\n" }
        if line.utf8.count > 3, line.prefix(3).uppercased() == "DUE" { hasDue = true }
        guard line.utf8.count == 9, line.uppercased() == "END:VTODO" else { continue }
        if text.utf8.count >= LineReader.longestLine {
          problem = problem ?? "it is longer than \(LineReader.longestLine >> 20) MB"
        }
        return FormatRecord(line: number, problem.map { .problem($0) } ?? content(of: text, hasDue: hasDue))
      }
    }
    // The calendar has none either, for the same reason.
    beginning = nil
    return FormatRecord(line: number, .problem("it has no END:VTODO"))
  }

  /// - Parameter hasDue: Whether it has a date, which libical may not have understood.
  private func content(of text: String, hasDue: Bool) -> FormatRecord.Content {
    guard let todo = CalendarTodo(text) else { return .problem("it is no VTODO") }
    var values = RowValues(record: "")
    var kept = KeptValues()
    let summary = TaskWords.line(todo.text("SUMMARY") ?? "").trimmedForRow
    guard !summary.isEmpty else { return .problem("the task has no SUMMARY") }
    var tags: [String] = []
    while let tag = todo.text("CATEGORIES", Int32(tags.count)), tags.count < 1_000 { tags.append(tag) }
    values.text = SeparateTags.join(summary, tags)
    if let due = todo.value("DUE") {
      guard let date = date(due, zone: todo.parameter("TZID", of: "DUE")) else {
        return .problem("its DUE, “\(due)”, is no date")
      }
      values.date = date
    } else if hasDue {
      return .problem("its DUE is no date")
    }
    values.details.waitsUntil = todo.value("X-TASKS-WAIT").flatMap { date($0, zone: nil) }
    let completed = todo.value("COMPLETED")
    values.completed =
      completed != nil || todo.value("STATUS") == "COMPLETED" || todo.value("STATUS") == "CANCELLED"
    if let completed, let date = date(completed, zone: nil) {
      kept.completed = KeptValues.text(date, calendar)
    }
    switch todo.value("PRIORITY").flatMap({ Int($0) }) ?? 0 {
    case 1...4: values.details.priority = .a
    case 5: values.details.priority = .b
    case 6...9: values.details.priority = .c
    default: break
    }
    if let words = todo.value("X-TASKS-REPEAT") {
      values.details.repetition = EncodedWord.decode(words)
    } else if let rule = todo.value("RRULE") {
      values.details.repetition = CalendarRule.repetition(rule) ?? rule
    }
    values.details.notes = (todo.text("DESCRIPTION") ?? "").trimmedForNotes
    kept.add(to: &values, calendar)
    let relation = todo.parameter("RELTYPE", of: "RELATED-TO") ?? "PARENT"
    return .task(
      TaskRecord(
        values, key: todo.text("UID").map { Identifier($0) },
        parent: relation == "PARENT" ? todo.text("RELATED-TO").map { Identifier($0) } : nil,
        list: todo.value("X-TASKS-LIST").map { EncodedWord.decode($0) } ?? name.map(CalendarText.unescaped)))
  }

  /// The moment of a date or time, which is local without a zone.
  private func date(_ text: String, zone: String?) -> Date? {
    guard var time = Timestamp(text) else { return nil }
    if let zone, time.offset == nil, !time.isWholeDay {
      time.offset = CalendarTodo.secondsFromGreenwich(at: time.time, in: zone)
    }
    return time.date(calendar)
  }
}
