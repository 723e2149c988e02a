import FoundationEssentials

/// The reader of todo.txt; see `TodoTextWriter`.
struct TodoTextReader: RecordReader {
  private var lines: LineReader
  private let calendar: LocalCalendar
  /// The numbers of the tasks so far that may have subtasks.
  private var owners: Set<Identifier> = []
  /// The line that has been read ahead, with its number.
  private var ahead: (line: LineReader.Line, number: Int)?

  init(_ bytes: @escaping ByteSource, _ calendar: LocalCalendar) {
    lines = LineReader(bytes)
    self.calendar = calendar
  }

  mutating func next() throws -> FormatRecord? {
    while let (line, number) = try ahead ?? nextLine() {
      ahead = nil
      switch line {
      case .problem(let sentence): return FormatRecord(line: number, .problem(sentence))
      case .text(let text):
        if let content = try content(of: text) { return FormatRecord(line: number, content) }
      }
    }
    return nil
  }

  private mutating func nextLine() throws -> (line: LineReader.Line, number: Int)? {
    try lines.next().map { ($0, lines.number) }
  }

  /// The priority of a word such as `(A)`.
  static func priority(_ word: Substring) -> Substring? {
    guard word.utf8.count == 3, word.hasPrefix("("), word.hasSuffix(")") else { return nil }
    let letter = word.dropFirst().dropLast()
    return KeptValues.isLetter(letter) ? letter : nil
  }

  /// Whether a word is a day, such as `2026-12-01`.
  static func isDay(_ word: Substring) -> Bool {
    word.utf8.count == 10 && Timestamp(word)?.isWholeDay == true
  }

  /// The record of a line; nil for an empty one.
  private mutating func content(of line: String) throws -> FormatRecord.Content? {
    var words = line.wordsBetweenSpaces[...]
    while let last = words.last, last.isEmpty { words.removeLast() }
    guard !words.isEmpty, !line.allSatisfy(\.isWhitespace) else { return nil }
    var values = RowValues(record: "")
    var kept = KeptValues()
    if words.first == "x", words.count > 1 {
      values.completed = true
      words.removeFirst()
    }
    if let word = words.first, let letter = Self.priority(word), words.count > 1 {
      Self.setPriority(String(letter), &values, &kept)
      words.removeFirst()
    }
    var days: [String] = []
    while days.count < (values.completed ? 2 : 1), let word = words.first, Self.isDay(word) {
      days.append(String(word))
      words.removeFirst()
    }
    if values.completed { kept.completed = days.first } else { kept.created = days.first }
    if days.count == 2 { kept.created = days[1] }
    var record = TaskRecord(values)
    let relation = words.lastIndex(where: Self.isRelation)
    var text: [Int] = []
    // Of words that say the same the last one counts, which programs add; the others belong to the text.
    for index in words.indices.reversed() where !Self.isProject(words[index]) {
      let isTaken =
        index == relation
        ? try takeRelation(words[index], into: &record)
        : Self.take(words[index], into: &record.values, &kept, calendar)
      if !isTaken { text.append(index) }
    }
    // Of projects it is the first one.
    let projects = words.indices.filter { Self.isProject(words[$0]) }
    record.list = projects.first.map { EncodedWord.decode(Substring(words[$0].unicodeScalars.dropFirst())) }
    let rest = (text + projects.dropFirst()).sorted().map { Self.textWord(words[$0]) }
    record.values.text = rest.joined(separator: " ").trimmedForRow
    if record.values.text.isEmpty {
      // A task of nothing but such words: they are its text.
      record = TaskRecord(values, list: record.list)
      record.values.text =
        words.filter { $0.utf8.first != UInt8(ascii: "+") }.joined(separator: " ").trimmedForRow
    }
    guard !record.values.text.isEmpty else { return .problem("the task has no text") }
    if let number = record.key { owners.insert(number) }
    kept.add(to: &record.values, calendar)
    return .task(record)
  }

  /// Takes the value of a word that is not part of the text.
  private static func take(
    _ word: Substring, into values: inout RowValues, _ kept: inout KeptValues, _ calendar: LocalCalendar
  ) -> Bool {
    if TaskWords.take(word, into: &values, calendar) { return true }
    guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let value = word[word.utf8.index(after: colon)...]
    guard !value.isEmpty else { return false }
    switch word[..<colon] {
    case "note" where values.details.notes.isEmpty:
      values.details.notes = EncodedWord.decode(value).trimmedForNotes
    case "pri" where values.completed && KeptValues.isLetter(value):
      guard values.details.priority == .none, kept.priority == nil else { return false }
      setPriority(String(value), &values, &kept)
    case "created" where values.completed && kept.created == nil && isDay(value):
      kept.created = String(value)
    case "completed" where !values.completed && kept.completed == nil && isDay(value):
      kept.completed = String(value)
    default: return false
    }
    return true
  }

  /// Whether a word names a list, `+Home`.
  static func isProject(_ word: Substring) -> Bool {
    word.utf8.first == UInt8(ascii: "+") && word.utf8.count > 1
  }

  /// Whether a word gives a task a number for its subtasks, `nr:1`, or makes it such a subtask, `of:1`.
  static func isRelation(_ word: Substring) -> Bool {
    (word.hasPrefix("nr:") || word.hasPrefix("of:")) && word.utf8.count > 3
  }

  /// Takes the number in such a word; a subtask of no task before it is none. Other programs and people
  /// mean other numbers with `nr:`: of a task it is the next one, or that of the subtask on the next line.
  private mutating func takeRelation(_ word: Substring, into record: inout TaskRecord) throws -> Bool {
    let number = Identifier(String(word.dropFirst(3)))
    if word.hasPrefix("nr:") {
      guard try word == "nr:\(owners.count + 1)" || isOfNextLine(number) else { return false }
      record.key = number
      return true
    }
    guard owners.contains(number) else { return false }
    record.parent = number
    return true
  }

  /// Whether the next line is a subtask of the task with a number.
  private mutating func isOfNextLine(_ number: Identifier) throws -> Bool {
    if ahead == nil { ahead = try nextLine() }
    guard case .text(let text)? = ahead?.line else { return false }
    return text.wordsBetweenSpaces.last(where: Self.isRelation) == "of:\(number)"
  }

  /// Sets a priority, or keeps a letter below C.
  static func setPriority(_ letter: String, _ values: inout RowValues, _ kept: inout KeptValues) {
    if let priority = TaskPriority(rawValue: letter) {
      values.details.priority = priority
    } else {
      kept.priority = letter
    }
  }

  /// Whether a word is a context, `@home`, which is a tag.
  private static func isContext(_ word: Substring) -> Bool {
    word.hasPrefix("@") && TaskTags.name(String(word.dropFirst())) != nil && !word.dropFirst().hasPrefix("#")
  }

  private static func textWord(_ word: Substring) -> String {
    if isContext(word) { return "#" + word.dropFirst() }
    guard case (let place, true)? = placeOfBackslash(in: word) else { return String(word) }
    return String(word[..<word.unicodeScalars.index(before: place)] + word[place...])
  }

  private static let names: Set<Substring> = ["due", "t", "rec", "note", "pri", "created", "completed"]

  /// The place in a word at which a backslash keeps it from being a context or a value: before the `@`, or
  /// before the colon, and behind all backslashes that stand there. Nil for any other word.
  static func placeOfBackslash(in word: Substring) -> (place: Substring.Index, hasBackslash: Bool)? {
    let bare = word.unicodeScalars.drop { $0 == "\\" }
    if isContext(Substring(bare)) { return (bare.startIndex, bare.startIndex > word.startIndex) }
    guard let colon = word.unicodeScalars.firstIndex(of: ":") else { return nil }
    var name = word.unicodeScalars[..<colon]
    while name.last == "\\" { name.removeLast() }
    return names.contains(Substring(name)) ? (colon, name.endIndex < colon) : nil
  }

  /// Whether a word would be taken for a value of a task that has none of that name.
  static func takes(_ word: Substring, ofCompleted isCompleted: Bool, _ calendar: LocalCalendar) -> Bool {
    var (values, kept) = (RowValues(record: ""), KeptValues())
    values.completed = isCompleted
    return take(word, into: &values, &kept, calendar)
  }
}
