import FoundationEssentials
import LiveStore
import TestSupport
import Testing

@testable import TasksModel

@Suite("Formats: there and back")
struct FormatRoundTripTests {
  @Test(
    "What is exported and imported again is the same, and so is what is then exported",
    arguments: FileFormat.allCases)
  func random(format: FileFormat) throws {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    for _ in 0..<cases(40, sample: 10) {
      let (source, copy) = (try FormatFixture(), try FormatFixture())
      try source.fill(using: &generator, for: format)
      let text = try source.export(format)
      let parts = Int.random(in: 1...200, using: &generator)
      var problems: [RecordProblem] = []
      let result = try copy.take(text, format, parts: parts) { problems.append($0) }
      #expect(problems == [], comment)
      #expect(result.tasks == source.store.allTasks.count, comment)
      #expect(copy.lines == source.lines, comment)
      #expect(try copy.export(format) == text, comment)
      guard copy.lines == source.lines else { return }
    }
  }

  @Test(
    "Subtasks of subtasks follow those, and one that is below two tasks is that of the first",
    arguments: FileFormat.allCases)
  func deepSubtasks(format: FileFormat) throws {
    let fixture = try FormatFixture()
    try fixture.store.store.write {
      let tasks = ["a", "b", "child", "grandchild", "shared"].map { text in
        let task = TaskItem()
        task.text = text
        fixture.store.store.add(task)
        return task
      }
      for task in tasks[..<2] { fixture.store.lists[0].items.append(task) }
      tasks[0].subtasks.append(tasks[2])
      tasks[2].subtasks.append(tasks[3])
      for task in tasks[..<2] { task.subtasks.append(tasks[4]) }
      // A circle.
      tasks[3].subtasks.append(tasks[2])
    }
    let copy = try FormatFixture()
    try copy.take(try fixture.export(format), format)
    #expect(copy.lines == ["# My Tasks", "o a", "  o child", "  o grandchild", "  o shared", "o b"])
  }

  @Test("JSON Lines keep every value: ids, origins of dates, empty lists and the order of all rows")
  func lossless() throws {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    for _ in 0..<20 {
      let (source, copy) = (try FormatFixture(), try FormatFixture())
      try source.fill(using: &generator, for: .jsonl)
      try source.store.store.write {
        let first = source.store.lists[0]
        first.text = "Inbox \u{7}"
        let empty = TaskList()
        empty.text = "Empty"
        empty.completed = true
        source.store.store.add(empty)
        source.store.lists.insert(empty, at: 0)
        // As another program may have written them.
        let odd = TaskItem()
        odd.id = Identifier(sqliteValue: .blob([0, 255]))
        odd.text = "  line\nbreak\u{2028}  "
        odd.date = Date(timeIntervalSince1970: 1_795_000_000.25)
        odd.dateOrigin = .text
        odd.repetition = "Every 2 weeks"
        odd.repetitionOrigin = .person
        odd.completed = true
        source.store.store.add(odd)
        first.items.insert(odd, at: 0)
      }
      try copy.take(try source.export(.jsonl), .jsonl, parts: 1 + Int.random(in: 0..<100, using: &generator))
      func values(_ fixture: FormatFixture) -> [[RowValues]] {
        fixture.store.lists.map { list in
          [RowValues(list)]
            + list.items.flatMap { task in [RowValues(task)] + task.subtasks.map { RowValues($0) } }
        }
      }
      #expect(values(copy) == values(source), comment)
      #expect(try copy.export(.jsonl) == source.export(.jsonl), comment)
      guard values(copy) == values(source) else { return }
      // A new file is as it was.
      guard case .done = try copy.store.undo(showing: RowScope(.lists)) else {
        Issue.record("the import is not undone")
        return
      }
      #expect(copy.lines == ["# \(TaskList.firstListText)"], comment)
    }
  }

  @Test("Words of another program that are no repetition are in no JSON Lines, which would not be taken back")
  func falseRepetition() throws {
    let (source, copy) = (try FormatFixture(), try FormatFixture())
    try source.store.add(["a", "b"], to: .tasks(inList: TaskList.firstListID))
    try source.store.store.write {
      for task in source.store.allTasks { task.repetition = task.text == "a" ? "now and then" : "every day" }
    }
    let text = try source.export(.jsonl)
    #expect(!text.contains("now and then") && text.contains("every day"))
    try copy.take(text, .jsonl, parts: 9)
    #expect(try copy.export(.jsonl) == text)
  }

  @Test("Rows without a text, as other programs make them, come back", arguments: FileFormat.allCases)
  func emptyTexts(format: FileFormat) throws {
    let (source, copy) = (try FormatFixture(), try FormatFixture())
    try source.store.store.write {
      let tasks = ["", " \u{A0}", "sub"].map { text in
        let task = TaskItem()
        (task.text, task.notes) = (text, "a note")
        source.store.store.add(task)
        return task
      }
      source.store.lists[0].items.append(contentsOf: tasks[..<2])
      tasks[1].subtasks.append(tasks[2])
      let subtask = TaskItem()
      source.store.store.add(subtask)
      tasks[1].subtasks.append(subtask)
    }
    let text = try source.export(format)
    #expect(try copy.take(text, format) { Issue.record("\($0)") }.tasks == 4)
    #expect(try copy.export(format) == text)
    let name = format == .jsonl ? "" : "(no text)"
    let other = format == .jsonl ? " \u{A0}" : name
    #expect(
      copy.lines == [
        "# My Tasks", "o \(name) | a note", "o \(other) | a note", "  o sub | a note", "  o \(name)",
      ])
  }

  @Test(
    "An export cut off anywhere is imported or refused, and no task is made up",
    arguments: FileFormat.allCases)
  func truncated(format: FileFormat) throws {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    let source = try FormatFixture()
    try source.fill(using: &generator, for: format)
    let bytes = Array(try source.export(format).utf8)
    for _ in 0..<cases(60, sample: 15) {
      let copy = try FormatFixture()
      let end = Int.random(in: 0...bytes.count, using: &generator)
      let result = try copy.take(bytes: Array(bytes[..<end]), format, skippingBad: true)
      #expect(result.tasks <= source.store.allTasks.count, comment)
      #expect(copy.store.allTasks.count == result.tasks, comment)
    }
  }

  @Test("Any bytes are imported or refused", arguments: FileFormat.allCases)
  func damaged(format: FileFormat) throws {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    let source = try FormatFixture()
    try source.fill(using: &generator, for: format)
    let bytes = Array(try source.export(format).utf8)
    for _ in 0..<cases(60, sample: 15) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8, using: &generator) where !damaged.isEmpty {
        let place = Int.random(in: damaged.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &generator)
        case 1:
          damaged.insert(
            contentsOf: Array("\"{[\n,#+:\u{0}\u{1B}\\".utf8).shuffled(using: &generator), at: place)
        default: damaged.removeSubrange(place..<min(damaged.count, place + 20))
        }
      }
      let copy = try FormatFixture()
      let result = try copy.take(bytes: damaged, format, parts: 100, skippingBad: true)
      #expect(copy.store.allTasks.count == result.tasks, comment)
      for task in copy.store.allTasks where task.text.contains("\u{0}") { Issue.record("a NUL in a text") }
    }
  }
}
