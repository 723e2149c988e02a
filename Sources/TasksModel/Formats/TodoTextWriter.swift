import FoundationEssentials

/// The writer of todo.txt. A list is a project, a tag a context; what the format has no word for is a word
/// `key:value`, as the format allows.
struct TodoTextWriter: RecordWriter {
  private let calendar: LocalCalendar
  private var project = ""
  private var isFirstList = true
  /// Whether the tasks of the list need no project: they go to the first list in any case.
  private var isDefault = false
  /// The number of tasks with subtasks so far.
  private var owners = 0

  init(_ calendar: LocalCalendar) {
    self.calendar = calendar
  }

  mutating func write(_ list: ListRecord, to output: inout String) {
    project = "+" + EncodedWord.encode(list.text)
    isDefault = isFirstList && list.text == TaskList.firstListText
    isFirstList = false
  }

  mutating func write(_ task: RowValues, to output: inout String) {
    guard !task.tasks.isEmpty else { return append(task, relation: nil, to: &output) }
    owners += 1
    append(task, relation: "nr:\(owners)", to: &output)
    for subtask in task.tasks { append(subtask, relation: "of:\(owners)", to: &output) }
  }

  private mutating func append(_ task: RowValues, relation: String?, to output: inout String) {
    let (kept, notes) = KeptValues.of(task) { kept in
      [kept.created, kept.completed].allSatisfy { $0.map { TodoTextReader.isDay(Substring($0)) } ?? true }
    }
    let (due, wait, repetition) = (task.date, task.details.waitsUntil, task.details.repetition)
    var words: [String] = []
    var ending: [String] = []
    if let due { ending.append(TaskWords.due(due, calendar)) }
    if let wait { ending.append(TaskWords.wait(wait, calendar)) }
    if !repetition.isEmpty { ending.append(TaskWords.repetition(repetition)) }
    let letter = task.details.priority == .none ? kept.priority : task.details.priority.rawValue
    if task.completed {
      words.append("x")
      if let moment = task.details.completedAt {
        words.append(calendar.localTime(of: moment).dayText)
        if let created = kept.created { words.append(created) }
      } else if let created = kept.created {
        ending.append("created:" + created)
      }
      if let letter { ending.append("pri:" + letter) }
    } else {
      if let letter { words.append("(\(letter))") }
      if let created = kept.created { words.append(created) }
      if let completed = kept.completed { ending.append("completed:" + completed) }
    }
    if !notes.isEmpty { ending.append("note:" + EncodedWord.encode(notes)) }
    let text = TaskWords.line(task.text)
    let parts = text.wordsBetweenSpaces
    // Another word could be taken for the project, or the beginning of the text for what stands before it.
    let comesFirst = parts.contains(where: TodoTextReader.isProject) || Self.isMarked(parts)
    if comesFirst { words.append(project) }
    let names = Set(ending.compactMap { $0.split(separator: ":").first })
    words += parts.map { textWord($0, ofCompleted: task.completed, besides: names) }
    if !isDefault, !comesFirst { words.append(project) }
    words += ending
    if let relation {
      words.append(relation)
    } else if parts.contains(where: TodoTextReader.isRelation) {
      // The word in the text is taken for no number where there is another one.
      owners += 1
      words.append("nr:\(owners)")
    }
    output += words.joined(separator: " ")
    output += "\n"
  }

  /// Whether a text begins with what would be a completion, a priority or a date.
  private static func isMarked(_ words: [Substring]) -> Bool {
    guard let first = words.first else { return false }
    return first == "x" || TodoTextReader.priority(first) != nil || TodoTextReader.isDay(first)
  }

  /// A word of the text, with a backslash if it would be read as something else, or as one that has it.
  ///
  /// - Parameter names: The names of the values that follow the text, of which the last one counts.
  private func textWord(_ word: Substring, ofCompleted: Bool, besides names: Set<Substring>) -> String {
    if word.hasPrefix("#"), TaskTags.name(String(word)) != nil { return "@" + word.dropFirst() }
    guard let (place, hasBackslash) = TodoTextReader.placeOfBackslash(in: word) else { return String(word) }
    let isValue =
      !names.contains(word[..<place])
      && TodoTextReader.takes(word, ofCompleted: ofCompleted, calendar)
    guard hasBackslash || place == word.startIndex || isValue else { return String(word) }
    return word[..<place] + "\\" + word[place...]
  }
}
