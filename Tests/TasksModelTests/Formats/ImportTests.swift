import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("Import")
struct ImportTests {
  private let fixture: FormatFixture

  init() throws {
    fixture = try FormatFixture()
    try fixture.store.add(["a", "b", "c"], to: .tasks(inList: TaskList.firstListID))
    let last = try #require(fixture.store.lists[0].items.last)
    try fixture.store.toggleCompleted([last.id], in: RowScope(.tasks(inList: TaskList.firstListID)))
  }

  private func steps() -> Int { fixture.store.store.objects(UndoStep.self).count }

  private func undo() throws -> UndoResult { try fixture.store.undo(showing: RowScope(.lists)) }

  private func redo() throws -> UndoResult { try fixture.store.redo(showing: RowScope(.lists)) }

  @Test("Open tasks stand below the open ones of their list, completed ones at its end; other lists are made")
  func places() throws {
    let result = try fixture.take(
      "x done\nopen +My_Tasks\nfirst +At_home\nsecond +At_home\nx third +At_home\n", .todoText)
    #expect(result == ImportResult(tasks: 5, lists: 1))
    #expect(
      fixture.lines == [
        "# My Tasks", "o a", "o b", "o open", "x c done 2026-11-27", "x done", "# At home", "o first",
        "o second", "x third",
      ])
  }

  @Test("A completed list stays so where an open task is imported into it, as where one is added to it")
  func completedList() throws {
    let other = try #require(fixture.store.add("Work", to: .lists).after.first?.id)
    try fixture.store.add("d", to: .tasks(inList: other))
    try fixture.store.toggleCompleted([other], in: RowScope(.lists))
    try fixture.store.add("e", to: .tasks(inList: other))
    try fixture.take("f +Work\n", .todoText)
    #expect(fixture.store.list(other)?.completed == true)
    #expect(fixture.store.list(other)?.items.map(\.text) == ["d", "e", "f"])
  }

  @Test("An import is one step: undone and redone any number of times, with its lists and subtasks")
  func undone() throws {
    let before = (fixture.lines, steps())
    try fixture.take(
      "t nr:1\ns of:1 due:2026-12-01\nv +My_Tasks +Other\nu +New nr:2\nw of:2\nx y +New\n", .todoText)
    let after = fixture.lines
    #expect(
      after.contains("  o s due 2026-12-01") && after.contains("  o w") && after.count == before.0.count + 7)
    #expect(steps() == before.1 + 1)
    for _ in 0..<3 {
      guard case .done(let undone) = try undo() else {
        Issue.record("not undone")
        return
      }
      #expect(undone.action == .importing && undone.count == 7)
      #expect(fixture.lines == before.0)
      guard case .done = try redo() else {
        Issue.record("not redone")
        return
      }
      #expect(fixture.lines == after)
    }
  }

  @Test("An import that makes the archive is undone and redone, too")
  func archive() throws {
    let before = fixture.lines
    try fixture.take(
      """
      {"type":"tasks","version":1}
      {"type":"list","id":"\(TaskList.archiveID)","text":"Archive"}
      {"text":"old","completed":true}
      {"type":"list","text":"New"}
      {"text":"open"}

      """, .jsonl)
    let after = fixture.lines
    for _ in 0..<2 {
      guard case .done = try undo() else {
        Issue.record("not undone")
        return
      }
      #expect(fixture.lines == before && fixture.store.archive?.items.isEmpty == true)
      guard case .done = try redo() else {
        Issue.record("not redone")
        return
      }
      #expect(fixture.lines == after && fixture.store.archive?.items.first?.text == "old")
    }
  }

  @Test("In a new file the archive, wherever the format has it, takes the place of no list")
  func archiveFirst() throws {
    let new = try FormatFixture()
    let archive = #"{"type":"list","id":"\#(TaskList.archiveID)","text":"Archive"}"#
    try new.take(
      """
      {"type":"tasks","version":1}
      \(archive)
      {"text":"old","completed":true}
      {"type":"list","text":"New"}
      {"type":"list","id":"\(TaskList.firstListID)","text":"Mine"}
      {"text":"open"}

      """, .jsonl)
    #expect(new.store.lists.map(\.text) == ["New", "Mine"])
    #expect(new.store.archive?.items.map(\.text) == ["old"])
  }

  @Test("An import in which a person has worked since is not undone", arguments: 0..<6)
  func worked(case number: Int) throws {
    try fixture.take("t nr:1\ns of:1\nu +New\nv +New\n", .todoText)
    let store = fixture.store
    let new = try #require(store.lists.last)
    func task(_ text: String) throws -> TaskItem { try #require(store.allTasks.first { $0.text == text }) }
    switch number {
    case 0: try store.edit(task("u").id, in: RowScope(.tasks(inList: new.id)), text: "other")
    case 1: try store.delete([task("t").id], in: RowScope(.tasks(inList: TaskList.firstListID)))
    case 2: try store.add("mine", to: .tasks(inList: new.id))
    case 4:
      let (u, date) = (try task("u").id, FormatFixture.day)
      try store.setWaiting([u], in: RowScope(.tasks(inList: new.id)), until: date)
    case 5: try store.setColor([new.id], to: "#123456", in: RowScope(.lists))
    default: try store.add("mine", to: .subtasks(of: task("t").id))
    }
    let lines = fixture.lines
    guard case .done = try undo() else {
      Issue.record("the person's own work is not undone")
      return
    }
    #expect(try redo() != .nothing && fixture.lines == lines)
    // The person's step goes out of the way, the work stays.
    try store.store.write {
      if let step = try store.stepsToUndo(partOf: nil).first { store.store.delete(step) }
    }
    guard case .impossible(.importing, let obstacle) = try undo() else {
      Issue.record("it was undone")
      return
    }
    let expected: [UndoObstacle] = [
      .rowWorkedOn("other", .changing), .rowsDeleted, .rowsChanged, .rowsChanged,
      .rowWorkedOn("u", .changing), .rowWorkedOn("New", .changing),
    ]
    #expect(obstacle == expected[number])
    #expect(fixture.lines == lines)
  }

  @Test(
    "A record that cannot be taken takes all others with it, and each is told with its line",
    arguments: [2, 3_000])
  func allOrNothing(good: Int) throws {
    let before = (fixture.lines, steps())
    let lines =
      ["text,due"] + (0..<good).map { "task \($0)," } + ["bad,someday", "good,", "\"\",2026-01-01", "a,b,c"]
    var problems: [RecordProblem] = []
    #expect(throws: ImportFailure.badRecords(3)) {
      try fixture.take(lines.joined(separator: "\n"), .csv) { problems.append($0) }
    }
    #expect(problems.map(\.line) == [good + 2, good + 4, good + 5])
    #expect(
      problems.map(\.sentence) == [
        "“someday” is no date such as 2026-12-01 or 2026-12-01T09:30", "the task has no text",
        "the number of its fields is 3, and the first line has 2",
      ])
    #expect(fixture.lines == before.0 && steps() == before.1)
    let result = try fixture.take(lines.joined(separator: "\n"), .csv, skippingBad: true)
    #expect(result == ImportResult(tasks: good + 1, lists: 0, problems: 3))
    #expect(fixture.lines.count == before.0.count + good + 1)
  }

  @Test("Nothing is kept of a trial")
  func trial() throws {
    let before = (fixture.lines, steps())
    var part = Array("one +New\ntwo\n".utf8)
    let result = try fixture.store.importRecords(
      .todoText,
      from: {
        defer { part = [] }
        return part
      }, isTrial: true)
    #expect(result == ImportResult(tasks: 2, lists: 1))
    #expect(fixture.lines == before.0 && steps() == before.1)
  }

  @Test(
    "A subtask may come before its task; one without a task is told, and one of a subtask is one of its task")
  func relations() throws {
    var problems: [RecordProblem] = []
    let text = "id,text,parent\n3,grandchild,2\n2,child,1\n1,task,\n4,lost,9\n5,loop,5\n"
    try fixture.take(text, .csv, skippingBad: true) { problems.append($0) }
    #expect(
      fixture.lines == [
        "# My Tasks", "o a", "o b", "o task", "  o child", "  o grandchild", "x c done 2026-11-27",
      ])
    #expect(problems.map(\.line) == [5, 6])
    #expect(Set(problems.map(\.sentence)) == ["the task that it is a subtask of is not there"])
  }

  @Test("An id that is there already is told, in the file and in the import itself")
  func takenIDs() throws {
    let id = try #require(fixture.store.lists[0].items[0].id.text)
    let text = """
      {"id":"\(id)","text":"again"}
      {"id":"1","text":"new","subtasks":[{"id":"2","text":"sub"}]}
      {"id":"2","text":"twice"}
      {"id":"3","text":"three","subtasks":[{"id":"3","text":"itself"}]}
      """
    var problems: [RecordProblem] = []
    try fixture.take(text, .jsonl, skippingBad: true) { problems.append($0) }
    #expect(problems.map(\.line) == [1, 3, 4])
    #expect(fixture.lines == ["# My Tasks", "o a", "o b", "o new", "  o sub", "x c done 2026-11-27"])
    guard case .done = try undo() else {
      Issue.record("not undone")
      return
    }
    #expect(fixture.lines == ["# My Tasks", "o a", "o b", "x c done 2026-11-27"])
  }

  @Test("An id that is too long for the database in which machines meet is told")
  func longID() throws {
    let long = String(repeating: "é", count: 501)
    let text = """
      {"id":"\(long)","text":"long"}
      {"id":"\(long.dropLast())","text":"shorter"}
      {"text":"new","subtasks":[{"text":"sub","subtasks":[{"id":"\(long)","text":"sub"}]}]}
      """
    var problems: [RecordProblem] = []
    try fixture.take(text, .jsonl, skippingBad: true) { problems.append($0) }
    #expect(problems.map(\.line) == [1, 3])
    #expect(problems[0].sentence == "its id, or that of a subtask, is longer than 1,000 bytes")
  }

  @Test("First lists of two files that have names of their own stay two, whether tasks are there or not")
  func firstLists() throws {
    let home = try FormatFixture()
    try home.store.edit(TaskList.firstListID, in: RowScope(.lists), text: "Home")
    try home.store.add("h", to: .tasks(inList: TaskList.firstListID))
    for isEmpty in [false, true] {
      let other = try FormatFixture()
      try other.store.edit(TaskList.firstListID, in: RowScope(.lists), text: "Groceries")
      if !isEmpty { try other.store.add("g", to: .tasks(inList: TaskList.firstListID)) }
      try other.take(try home.export(.jsonl), .jsonl)
      #expect(other.lines == ["# Groceries"] + (isEmpty ? [] : ["o g"]) + ["# Home", "o h"])
    }
    // With the name that it has in a new file it is the same list.
    try fixture.take(try home.export(.jsonl), .jsonl)
    #expect(fixture.lines.contains("o h") && fixture.store.lists.count == 1)
  }

  @Test(
    "A file that follows another begins without a list, and an open task behind the archive is none of it")
  func filesInOne() throws {
    try fixture.take(
      """
      {"type":"list","text":"Work"}
      {"text":"w"}
      {"type":"list","id":"\(TaskList.archiveID)","text":"Archive"}
      {"text":"old","completed":true}
      {"text":"behind"}
      {"text":"named","list":"Archive"}
      {"type":"tasks","version":1}
      {"text":"first"}
      """, .jsonl)
    #expect(
      fixture.lines == [
        "# My Tasks", "o a", "o b", "o behind", "o first", "x c done 2026-11-27", "# Work", "o w",
        "# Archive",
        "o named",
      ])
    #expect(fixture.store.archive?.items.map(\.text) == ["old"])
  }

  @Test("A file of a newer version is refused as a whole, whether bad records are skipped or not")
  func newerVersion() throws {
    let before = fixture.lines
    for skippingBad in [false, true] {
      #expect(throws: ImportFailure.newerVersion(2)) {
        try fixture.take(
          #"{"text":"x"}"# + "\n" + #"{"type":"tasks","version":2}"# + "\n" + #"{"text":"y"}"#, .jsonl,
          skippingBad: skippingBad)
      }
      #expect(fixture.lines == before)
    }
  }

  @Test(
    "A further import takes a new subtask of a task that is there, and is undone and redone",
    arguments: [FileFormat.ical, .taskwarrior])
  func laterSubtask(format: FileFormat) throws {
    func file(_ tasks: [(id: String, parent: String?)]) -> String {
      let parts = tasks.map { id, parent in
        format == .ical
          ? "BEGIN:VTODO\nUID:\(id)\nSUMMARY:\(id)\n" + (parent.map { "RELATED-TO:\($0)\n" } ?? "")
            + "END:VTODO\n"
          : "{\"uuid\":\"\(id)\",\"description\":\"\(id)\""
            + (parent.map { ",\"tasksparent\":\"\($0)\"" } ?? "") + "}\n"
      }
      return format == .ical ? "BEGIN:VCALENDAR\n\(parts.joined())END:VCALENDAR\n" : parts.joined()
    }
    try fixture.take(file([("U1", nil), ("U2", "U1")]), format)
    let before = fixture.lines
    var problems: [RecordProblem] = []
    try fixture.take(
      file([("U1", nil), ("U3", "U1"), ("U4", "U2"), ("U5", "U3"), ("U6", "U9")]), format, skippingBad: true
    ) {
      problems.append($0)
    }
    #expect(problems.count == 2 && problems.last?.sentence == "the task that it is a subtask of is not there")
    let after = [
      "# My Tasks", "o a", "o b", "o U1", "  o U2", "  o U3", "  o U4", "  o U5", "x c done 2026-11-27",
    ]
    #expect(fixture.lines == after)
    for _ in 0..<2 {
      guard case .done(let undone) = try undo() else {
        Issue.record("not undone")
        return
      }
      #expect(undone.count == 3 && fixture.lines == before)
      guard case .done = try redo() else {
        Issue.record("not redone")
        return
      }
      #expect(fixture.lines == after)
    }
  }

  @Test("The name of a list has one line, and no white space around it")
  func listNames() throws {
    try fixture.take("text,list\na,Work\nb, Work\nc,\"Work \"\nd,\"At\nhome\"\n", .csv)
    #expect(fixture.store.lists.map(\.text) == ["My Tasks", "Work", "At home"])
  }

  @Test("An empty id is none")
  func emptyID() throws {
    try fixture.take(
      """
      {"id":"","text":"x"}
      {"id":"","text":"y"}
      {"type":"list","id":"","text":"L"}
      """, .jsonl)
    try fixture.take("{\"uuid\":\"\",\"description\":\"z\"}\n", .taskwarrior)
    #expect(fixture.lines == ["# My Tasks", "o a", "o b", "o x", "o y", "o z", "x c done 2026-11-27", "# L"])
    #expect(fixture.store.allTasks.allSatisfy { $0.id != Identifier("") })
    #expect(fixture.store.lists.allSatisfy { $0.id != Identifier("") })
  }

  @Test("The tasks of a list that cannot be taken are not those of the list before")
  func badLists() throws {
    let long = String(repeating: "x", count: 1_001)
    var problems: [RecordProblem] = []
    try fixture.take(
      """
      {"type":"list","text":"L"}
      {"type":"list"}
      {"text":"x"}
      {"type":"list","text":"L"}
      {"type":"list","text":"M","color":"red"}
      {"text":"y"}
      {"type":"list","text":"L"}
      {"type":"list","id":"\(long)","text":"N"}
      {"text":"z"}
      {"type":"search","name":"\(long)","text":"a"}
      {"type":"list","text":""}
      {"text":"of a list without a name"}
      """, .jsonl, skippingBad: true
    ) { problems.append($0) }
    #expect(
      problems.map(\.sentence) == [
        "the list has no “text”", "the list's “color” is not written as #rrggbb",
        "the list's id is longer than 1,000 bytes", "its name is longer than 1,000 bytes",
      ])
    #expect(
      fixture.lines == [
        "# My Tasks", "o a", "o b", "o x", "o y", "o z", "x c done 2026-11-27", "# L", "# ",
        "o of a list without a name",
      ])
    #expect(throws: Refusal.longName) { try fixture.store.saveSearch("words", as: long) }
    #expect(fixture.store.savedSearches.isEmpty)
  }

  @Test("A subtask that came completed, with a date in its text, is open again with its task")
  func repeatingTask() throws {
    try fixture.take("review rec:+1w due:2026-12-01 nr:1\nx call mum tomorrow of:1\n", .todoText)
    let task = try #require(fixture.store.allTasks.first { $0.text == "review" })
    try fixture.store.complete([task.id])
    #expect(task.subtasks.map(\.text) == ["call mum tomorrow"] && task.subtasks[0].completed == false)
  }

  @Test("The words of a text are not read for a date, then or later")
  func words() throws {
    try fixture.take("call mum tomorrow\nplain\n", .todoText)
    let task = try #require(fixture.store.allTasks.first { $0.text == "call mum tomorrow" })
    #expect(task.date == nil && task.dateOrigin == .person && task.readText == task.text)
  }

  @Test("Many tasks with subtasks in several lists keep their order")
  func many() throws {
    var text = ""
    for number in 0..<600 {
      text +=
        "task \(number) +L\(number % 3) nr:\(number)\nsub \(number) of:\(number)\nx done \(number) +L\(number % 3)\n"
    }
    try fixture.take(text, .todoText)
    for (number, list) in fixture.store.lists.dropFirst().enumerated() {
      let numbers = stride(from: number, to: 600, by: 3)
      #expect(list.text == "L\(number)")
      #expect(list.items.map(\.text) == numbers.map { "task \($0)" } + numbers.map { "done \($0)" })
      #expect(Array(list.items).filter { !$0.completed }.allSatisfy { $0.subtasks.count == 1 })
    }
    guard case .done = try undo() else {
      Issue.record("not undone")
      return
    }
    #expect(fixture.lines == ["# My Tasks", "o a", "o b", "x c done 2026-11-27"])
  }
}
