import FoundationEssentials
import LiveStore
import TestSupport

@testable import TasksModel
@testable import TasksTUI
@testable import TerminalUI

/// A reader of bytes of any origin: a terminal, a person, another program. Each is run with
/// inputs of libFuzzer's making by `make fuzz`, and with those that were kept by a test.
enum TasksFuzzTarget: String, CaseIterable, Sendable {
  case input, editors, dates, toml, undo, search, formats

  /// Ends with an error, or ends the process, when something is wrong.
  func run(_ bytes: [UInt8]) throws {
    var input = FuzzInput(bytes)
    switch self {
    case .input: try decode(&input)
    case .editors: try edit(&input)
    case .dates: try readDates(String(decoding: bytes, as: UTF8.self))
    case .toml: readConfiguration(String(decoding: bytes, as: UTF8.self))
    case .undo: try undo(String(decoding: bytes, as: UTF8.self))
    case .search: try search(&input)
    case .formats: try importFile(&input)
    }
  }

  /// The same events come of the same bytes, in however many pieces they come.
  private func decode(_ input: inout FuzzInput) throws {
    let size = 1 + input.number(below: 16)
    let bytes = input.rest
    var whole = InputDecoder(sequences: Self.sequences)
    let events = whole.decode(bytes) + whole.flush()
    var cut = InputDecoder(sequences: Self.sequences)
    var pieces: [InputEvent] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      pieces += cut.decode(bytes[start..<min(start + size, bytes.count)])
    }
    pieces += cut.flush()
    try require(pieces == events, "\(events) in one piece, \(pieces) in pieces of \(size) bytes")
  }

  private static let sequences: [[UInt8]: Key] = [
    Array("\u{1B}OA".utf8): Key(.up), Array("\u{1B}[A".utf8): Key(.up), Array("\u{1B}[3~".utf8): Key(.delete),
  ]

  private func edit(_ input: inout FuzzInput) throws {
    let isNote = input.number(below: 2) == 1
    var decoder = InputDecoder(sequences: Self.sequences)
    let events = decoder.decode(input.rest) + decoder.flush()
    var note = TextEditor("first\nsecond")
    var line = LineEditor("text")
    for event in events {
      switch event {
      case .key(let key):
        if isNote { _ = note.handle(key, width: 11) } else { _ = line.handle(key) }
      case .paste(let text):
        if isNote { note.paste(text) } else { line.paste(text) }
      default: continue
      }
      if isNote {
        try require(note.lines.indices.contains(note.current), "the cursor is on line \(note.current)")
        for line in note.lines { try check(line) }
        _ = note.lines[note.current].layout(width: 11)
      } else {
        try check(line)
        _ = line.layout(width: 11)
      }
    }
  }

  private func check(_ line: LineEditor) throws {
    try require((0...line.clusters.count).contains(line.cursor), "the cursor is at \(line.cursor)")
    try require(Array(line.text) == line.clusters, "“\(line.text)” is cut into \(line.clusters)")
  }

  private func readDates(_ text: String) throws {
    let reader = DateReader(now: { Date(timeIntervalSince1970: 1_760_000_000) })
    if let words = reader.words(in: text) { _ = reader.find(in: words) }
    let (dates, repetition) = reader.allPhrases(in: text)
    if !dates.isEmpty || repetition != nil {
      try require(DateSignals.mayBe(in: text), "“\(text)” has a date and is passed over")
    }
    if let found = reader.find(in: text) { _ = text[found.range] }
    _ = try? reader.read(text)
    guard let repetition = (try? reader.readRepetition(text)) ?? Repetition(text) else { return }
    // A value that is kept in the file is read as the same again.
    try require(
      Repetition(repetition.description) == repetition.withoutFirstDate,
      "“\(repetition.description)” is another repetition than was written")
  }

  private func readConfiguration(_ text: String) {
    _ = TOMLDocument(text)
    _ = AppConfiguration(text)
    _ = try? CommandLineParser.call(text)
  }

  /// A step that another program may have written does what it can, and the file stays whole.
  private func undo(_ text: String) throws {
    let store = try Self.store.get()
    let list = TaskList.firstListID
    try store.store.write {
      store.store.delete(store.store.objects(UndoStep.self))
      store.store.delete(store.store.objects(TaskItem.self))
      for id in Self.ids {
        let task = TaskItem()
        (task.id, task.text) = (Identifier(id), "a")
        store.list(list)?.items.append(task)
      }
      let step = UndoStep()
      (step.number, step.author, step.action, step.rows) = (1 << 40, "fuzz", "edit", text)
      store.store.add(step)
    }
    for _ in 0..<2 {
      _ = try? store.undo(showing: RowScope(.tasks(inList: list)))
      _ = try? store.redo(showing: RowScope(.tasks(inList: list)))
    }
    guard let items = store.list(list)?.items else { return }
    try require(Set(items.map(\.id)).count == items.count, "a task stands twice in the list")
  }

  // Used by one thread: fuzz targets run one after the other.
  nonisolated(unsafe) private static let store = Result {
    try TasksStore(inMemory: "fuzz", scheduler: .fileDescriptor(NotificationSource()), author: "fuzz")
  }

  private static let ids = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"]

  private func search(_ input: inout FuzzInput) throws {
    let length = input.number(below: 16)
    let bytes = input.rest
    let pattern = SearchPattern(String(decoding: bytes.prefix(length), as: UTF8.self))
    let text = String(decoding: bytes.dropFirst(length), as: UTF8.self)
    let ranges = pattern.ranges(in: text)
    let count = text.count
    for range in ranges { try require(range.upperBound <= count && !range.isEmpty, "\(range) of \(count)") }
    _ = pattern.matches(text)
    _ = TaskTags.column(of: text)
  }

  /// Any file is imported or refused, and what comes of it is exported and imported again.
  private func importFile(_ input: inout FuzzInput) throws {
    let format = FileFormat.allCases[input.number(below: FileFormat.allCases.count)]
    let size = 1 + input.number(below: 64)
    let store = try Self.newStore()
    defer { store.close() }
    let result: ImportResult
    do {
      result = try Self.take(input.rest, format, parts: size, into: store)
    } catch ImportFailure.newerVersion {
      return try require(store.allTasks.isEmpty, "\(store.allTasks.count) tasks of a file that was refused")
    }
    try require(store.allTasks.count == result.tasks, "\(store.allTasks.count) tasks, not \(result.tasks)")
    var exported = ""
    try store.exportRecords(.jsonl, to: { exported += $0 })
    let copy = try Self.newStore()
    defer { copy.close() }
    let again = try Self.take(Array(exported.utf8), .jsonl, parts: 1 << 16, into: copy)
    var text = ""
    try copy.exportRecords(.jsonl, to: { text += $0 })
    try require(again.problems == 0 && text == exported, "“\(exported)” becomes “\(text)”")
    try store.exportRecords(format, to: { _ in })
  }

  private static func newStore() throws -> TasksStore {
    try TasksStore(
      inMemory: UUID().uuidString, scheduler: .fileDescriptor(NotificationSource()), author: "fuzz")
  }

  private static func take(
    _ bytes: [UInt8], _ format: FileFormat, parts: Int, into store: TasksStore
  ) throws -> ImportResult {
    var rest = bytes[...]
    return try store.importRecords(
      format,
      from: {
        defer { rest = rest.dropFirst(parts) }
        return Array(rest.prefix(parts))
      }, skippingBad: true)
  }
}
