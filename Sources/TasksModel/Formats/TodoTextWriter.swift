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
    guard !task.tasks.isEmpty else {
      append(task, relation: nil, to: &output)
      return
    }
    owners += 1
    append(task, relation: "nr:\(owners)", to: &output)
    for subtask in task.tasks { append(subtask, relation: "of:\(owners)", to: &output) }
  }

  private mutating func append(_ task: RowValues, relation: String?, to output: inout String) {
    let (kept, notes) = KeptValues.of(task, ofOpenTask: true, calendar)
    var words: [String] = []
    var ending: [String] = []
    let letter = task.details.priority == .none ? kept.priority : task.details.priority.rawValue
    let created = KeptValues.day(kept.created, calendar)
    if task.completed {
      words.append("x")
      if let completed = KeptValues.day(kept.completed, calendar) {
        words.append(completed)
        if let created { words.append(created) }
      } else if let created {
        ending.append("created:" + created)
      }
      if let letter { ending.append("pri:" + letter) }
    } else {
      if let letter { words.append("(\(letter))") }
      if let created { words.append(created) }
      if let completed = KeptValues.day(kept.completed, calendar) { ending.append("completed:" + completed) }
    }
    let text = TaskWords.line(task.text)
    let parts = text.wordsBetweenSpaces
    // Another word could be taken for the project, or the beginning of the text for what stands before it.
    let comesFirst = parts.contains(where: TodoTextReader.isProject) || Self.isMarked(parts)
    if comesFirst { words.append(project) }
    words += parts.map(Self.contextWord)
    if !isDefault, !comesFirst { words.append(project) }
    if let date = task.date { words.append(TaskWords.due(date, calendar)) }
    if let wait = task.details.waitsUntil { words.append(TaskWords.wait(wait, calendar)) }
    if !task.details.repetition.isEmpty { words.append(TaskWords.repetition(task.details.repetition)) }
    words += ending
    if !notes.isEmpty { words.append("note:" + EncodedWord.encode(notes)) }
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

  private static func contextWord(_ word: Substring) -> String {
    guard word.hasPrefix("#"), TaskTags.name(String(word)) != nil else { return String(word) }
    return "@" + word.dropFirst()
  }
}
