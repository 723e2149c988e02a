import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

/// It is Saturday, 21 November 2026, 10:00, in Greenwich.
private let calendar = LocalCalendar(secondsFromGMT: 0)

private func moment(_ month: Int, _ day: Int, _ hour: Int = 0) -> Date {
  calendar.date(of: LocalTime(year: 2026, month: month, day: day, hour: hour))
}

@Suite("Tasks that repeat")
struct RepeatingTaskTests {
  private let fixture: TasksStoreFixture
  private var store: TasksStore { fixture.store }
  private var place: Place { fixture.place }

  init() throws {
    fixture = try TasksStoreFixture(tasks: "a b c D")
    let now = moment(11, 21, 10)
    fixture.store.dates = DateReader(calendar: calendar, now: { now })
    try repeatTask("b", "every week", from: moment(11, 20))
  }

  private func repeatTask(_ name: String, _ form: String, from date: Date?) throws {
    let repetition = try #require(Repetition(form))
    if let date { try store.setDate([fixture.id(name)], in: RowScope(place), to: date) }
    try store.setRepetition([fixture.id(name)], in: RowScope(place), to: repetition)
  }

  /// The rows with their dates.
  private var rows: [String] {
    fixture.tasks.map { task in
      let date = task.date.map { calendar.localTime(of: $0) }.map { " \($0.day)/\($0.month)" } ?? ""
      return (task.completed ? task.text.uppercased() : task.text) + date
        + (task.repetition.isEmpty ? "" : " " + task.repetition)
    }
  }

  private let before = ["a", "b 20/11 every week", "c", "D"]
  private let after = ["a", "b 27/11 every week", "c", "D", "B 20/11"]

  @Test("It goes on where it stands; a finished one, which repeats no more, is added at the end: one step")
  func completing() throws {
    let old = try fixture.id("b")
    try store.setNotes(old, to: "two cans")
    try store.setPriority([old], in: RowScope(place)) { _ in .a }
    try store.edit(old, in: RowScope(place), text: "b #home")
    let edit = try store.toggleCompleted([old], in: RowScope(place))
    let (next, finished) = (fixture.tasks[1], fixture.tasks[4])
    #expect(rows == ["a", "b #home 27/11 every week", "c", "D", "B #HOME 20/11"])
    #expect(next.id == old && finished.id != old && edit.after.map(\.id) == [finished.id, old])
    for task in [next, finished] {
      #expect(task.notes == "two cans" && task.priority == .a && task.tags == " home ")
      #expect(task.dateOrigin == .person && task.repetitionOrigin == .person && task.readText == task.text)
    }
    #expect(edit.changes == ChangeSet(insertions: [4], modifications: [1], modificationsInNew: [1]))
    let id = finished.id
    for _ in 0..<2 {
      #expect(try undone(store.undo(showing: RowScope(place))) == "completing “b #home”")
      #expect(rows == ["a", "b #home 20/11 every week", "c", "D"] && fixture.tasks[1].id == old)
      #expect(try undone(store.redo(showing: RowScope(place))) == "completing “b #home”")
      #expect(rows == ["a", "b #home 27/11 every week", "c", "D", "B #HOME 20/11"])
      #expect(fixture.tasks[1].id == old && fixture.tasks[4].id == id && fixture.tasks[4].notes == "two cans")
    }
    // Opened again it is a task like any other.
    try store.toggleCompleted([id], in: RowScope(place))
    try store.toggleCompleted([id], in: RowScope(place))
    #expect(rows == ["a", "b #home 27/11 every week", "c", "D", "B #HOME 20/11"])
  }

  @Test("A date changed in the text gives the repetition its day of the month, as one set by hand does")
  func changedDate() throws {
    store.dates = DateReader(calendar: calendar, now: { moment(1, 31, 10) })
    for isByHand in [false, true] {
      let id = try #require(try store.add("Pay rent 31 jan", to: place).rowID)
      try store.setRepetition([id], in: RowScope(place), to: Repetition("every month"))
      try store.toggleCompleted([id], in: RowScope(place))
      let task = try #require(store.task(id))
      #expect(task.date == moment(2, 28) && task.repetition == "every month from the 31st")
      var changes = TaskChanges()
      if isByHand { changes.date = moment(3, 10) } else { changes.text = "Pay rent 10 mar" }
      try store.change(id, changes)
      #expect(task.date == moment(3, 10) && task.repetition == "every month")
      try store.toggleCompleted([id], in: RowScope(place))
      #expect(task.date == moment(4, 10) && task.repetition == "every month")
    }
  }

  @Test("Several at once, by a screen of many lists or without a screen: the same rows, one step")
  func several() throws {
    try repeatTask("a", "after 3 days", from: nil)
    let ids = try ["a", "b", "c"].map(fixture.id)
    let start = ["a 21/11 after 3 days", "b 20/11 every week", "c", "D"]
    let end = ["a 24/11 after 3 days", "b 27/11 every week", "D", "A 21/11", "B 20/11", "C"]
    #expect(rows == start)
    let operations: [() throws -> Void] = [
      { try store.toggleCompleted(ids, in: RowScope(place)) },
      { try store.toggleCompleted(ids, in: RowScope(nil)) },
      { try store.complete(ids) },
    ]
    for operation in operations {
      try operation()
      #expect(rows == end)
      #expect(try undone(store.undo(showing: RowScope(place))) == "completing 3 rows")
      #expect(rows == start)
      _ = try store.redo(showing: RowScope(place))
      #expect(rows == end)
      _ = try store.undo(showing: RowScope(place))
    }
  }

  @Test("Wherever it stands, it stays there, and the finished one comes below the open ones")
  func places() throws {
    try repeatTask("a", "every day", from: nil)
    for complete in [
      { (id: Identifier) in _ = try store.toggleCompleted([id], in: RowScope(place)) },
      { (id: Identifier) in _ = try store.complete([id]) },
    ] {
      try complete(fixture.id("a"))
      #expect(fixture.line == "a b c D A")
      _ = try store.undo(showing: RowScope(place))
      // Another program has completed the row above in place.
      try store.store.write { fixture.tasks[0].completed = true }
      try complete(fixture.id("b"))
      #expect(fixture.line == "A b c D B")
      _ = try store.undo(showing: RowScope(place))
      #expect(fixture.line == "A b c D")
      try store.store.write { fixture.tasks[0].completed = false }
    }
    let alone = try TasksStoreFixture(tasks: "x")
    alone.store.dates = store.dates
    try alone.store.setRepetition([alone.id("x")], in: RowScope(alone.place), to: Repetition("every day"))
    for complete in [
      { (id: Identifier) in _ = try alone.store.toggleCompleted([id], in: RowScope(alone.place)) },
      { (id: Identifier) in _ = try alone.store.complete([id]) },
    ] {
      try complete(alone.id("x"))
      #expect(alone.line == "x X" && alone.tasks[0].date == moment(11, 22))
      _ = try alone.store.undo(showing: RowScope(alone.place))
      #expect(alone.line == "x" && alone.tasks[0].date == moment(11, 21))
    }
  }

  @Test("Another date of others stands in the way of undo; their text, note and priority stay")
  func foreign() throws {
    let task = try #require(store.task(fixture.id("b")))
    let changes: [(change: (TaskItem) -> Void, stays: (TaskItem) -> Bool)] = [
      ({ $0.text = "b2" }, { $0.text == "b2" }), ({ $0.notes = "theirs" }, { $0.notes == "theirs" }),
      ({ $0.priority = .c }, { $0.priority == .c }),
    ]
    for (change, stays) in changes {
      try store.toggleCompleted([task.id], in: RowScope(place))
      try store.store.write { change(task) }
      _ = try undone(store.undo(showing: RowScope(place)))
      #expect(stays(task) && rows.count == 4 && task.date == moment(11, 20))
      try store.store.write { (task.text, task.notes, task.priority) = ("b", "", .none) }
      #expect(rows == before)
    }
    for date in [moment(12, 24), nil] {
      try store.toggleCompleted([task.id], in: RowScope(place))
      try store.store.write { task.date = date }
      let rows = rows
      #expect(try store.undo(showing: RowScope(place)) == .impossible(.complete, .rowChanged("b")))
      #expect(self.rows == rows)
      try store.store.write {
        store.store.delete(fixture.tasks[4])
        task.date = moment(11, 20)
      }
      #expect(self.rows == before)
    }
    // Deleted: the finished one stays.
    try store.toggleCompleted([task.id], in: RowScope(place))
    try store.store.write { store.store.delete(task) }
    #expect(try store.undo(showing: RowScope(place)) == .impossible(.complete, .rowDeleted("b")))
    #expect(rows == ["a", "c", "D", "B 20/11"])
  }

  @Test("Who completed it before another person did cannot take it back", arguments: ["x", "x every week"])
  func twoPeople(text: String) throws {
    let name = UUID().uuidString
    let stores = try ["one", "two"].map { author in
      let store = try TasksStore(
        inMemory: name, scheduler: .fileDescriptor(NotificationSource()), author: author)
      store.dates = self.store.dates
      return store
    }
    let id = try #require(try stores[0].add(text, to: place, date: nil).rowID)
    if text == "x" { try stores[0].setRepetition([id], in: RowScope(place), to: Repetition("every week")) }
    func dates() throws -> [Date?] {
      try stores[0].store.refresh()
      return stores[0].list(TaskList.firstListID)?.items.map(\.date) ?? []
    }
    try stores[0].complete([id])
    let first = try dates()
    try stores[1].complete([id])
    let both = try dates()
    #expect(both.count == 3)
    #expect(try stores[0].undo(showing: RowScope(place)) == .impossible(.complete, .rowChanged(text)))
    #expect(try dates() == both)
    _ = try undone(stores[1].undo(showing: RowScope(place)))
    #expect(try dates() == first)
  }

  @Test("A finished one that is gone, or was opened again, keeps the date from being taken back")
  func finishedChanged() throws {
    try store.toggleCompleted([fixture.id("b")], in: RowScope(place))
    try store.store.write { fixture.tasks[4].completed = false }
    #expect(try store.undo(showing: RowScope(place)) == .impossible(.complete, .rowChanged("b")))
    #expect(rows == ["a", "b 27/11 every week", "c", "D", "b 20/11"])
    try store.store.write { fixture.tasks[4].completed = true }
    try store.toggleCompleted([fixture.tasks[1].id], in: RowScope(place))
    try store.clearCompleted(in: RowScope(place))
    _ = try store.undo(showing: RowScope(place))
    #expect(rows == ["a", "b 4/12 every week", "c", "D", "B 20/11", "B 27/11"])
    try store.store.write { store.store.delete(fixture.tasks[5]) }
    #expect(try store.undo(showing: RowScope(place)) == .impossible(.complete, .rowDeleted("b")))
    #expect(rows == ["a", "b 4/12 every week", "c", "D", "B 20/11"])
  }

  @Test("What somebody has done beside it does not stand in the way")
  func besides() throws {
    try store.toggleCompleted([fixture.id("b")], in: RowScope(place))
    #expect(rows == after)
    try store.store.write { fixture.tasks[0].text = "a2" }
    try store.store.write {
      let task = TaskItem()
      task.text = "new"
      store.store.add(task)
      store.list(TaskList.firstListID)?.items.insert(task, at: 0)
    }
    #expect(try undone(store.undo(showing: RowScope(place))) == "completing “b”")
    #expect(rows == ["new", "a2", "b 20/11 every week", "c", "D"])
    _ = try store.redo(showing: RowScope(place))
    #expect(rows == ["new", "a2", "b 27/11 every week", "c", "D", "B 20/11"])
  }

  @Test("Set by hand it gets a date if it has none; without a date it does not repeat; each is one step")
  func setting() throws {
    try repeatTask("c", "every monday", from: nil)
    #expect(rows[2] == "c 23/11 every monday")
    #expect(try undone(store.undo(showing: RowScope(place))) == "the repetition of “c”" && rows[2] == "c")
    _ = try store.redo(showing: RowScope(place))
    // A date that is there stays.
    try repeatTask("b", "every monday", from: nil)
    #expect(rows[1] == "b 20/11 every monday")
    try store.setDate([fixture.id("b"), fixture.id("c")], in: RowScope(place), to: nil)
    #expect(rows == ["a", "b", "c", "D"])
    #expect(try undone(store.undo(showing: RowScope(place))) == "the date of 2 rows")
    #expect(rows == ["a", "b 20/11 every monday", "c 23/11 every monday", "D"])
    try store.setRepetition([fixture.id("b")], in: RowScope(nil), to: nil)
    #expect(rows[1] == "b 20/11" && fixture.tasks[1].repetitionOrigin == .person)
    #expect(
      try store.setRepetition([fixture.id("b")], in: RowScope(place), to: nil).noChange == .unchanged)
    let completed = try fixture.id("d")
    #expect(throws: Refusal.editingCompletedRow) {
      try store.setRepetition([completed], in: RowScope(place), to: Repetition("every day"))
    }
    // The day that was meant goes when another one is meant.
    try repeatTask("a", "every month from the 31st", from: moment(11, 30))
    try store.setDate([fixture.id("a")], in: RowScope(place), to: moment(12, 10))
    #expect(rows[0] == "a 10/12 every month")
  }

  @Test("What another program has written and nobody can read repeats nothing and stays as it is")
  func unreadable() throws {
    for text in ["FREQ=WEEKLY", "every 99999999999999999999 days", "\u{1B}[31m", "every"] {
      let task = fixture.tasks[1]
      try store.store.write { task.repetition = text }
      try store.toggleCompleted([task.id], in: RowScope(place))
      #expect(fixture.line == "a c D B" && task.repetition == text)
      _ = try store.undo(showing: RowScope(place))
      try store.complete([task.id])
      #expect(fixture.line == "a c D B" && task.repetition == text)
      _ = try store.undo(showing: RowScope(place))
    }
    // Another form that can be read will do, and a date that somebody has taken away is counted from today.
    let task = fixture.tasks[1]
    try store.store.write { (task.repetition, task.date) = ("rec:+1w", nil) }
    try store.toggleCompleted([task.id], in: RowScope(place))
    #expect(rows[1] == "b 28/11 every week")
  }

  @Test("A text that has not been read is read before its task is completed", arguments: [true, false])
  func unread(isToggled: Bool) throws {
    let task = try #require(try store.add("water plants every monday", to: place).rowID.flatMap(store.task))
    #expect(task.readText == "" && task.repetition == "")
    if isToggled {
      try store.toggleCompleted([task.id], in: RowScope(place))
    } else {
      try store.complete([task.id])
    }
    #expect(rows.contains("water plants every monday 30/11 every monday"))
    #expect(rows.last == "WATER PLANTS EVERY MONDAY 23/11")
    _ = try store.undo(showing: RowScope(place))
    #expect(rows.contains("water plants every monday 23/11 every monday") && !task.completed)
  }

  @Test("A repetition in the text is read with its first date, follows the text, and gives way to a person's")
  func worker() throws {
    let unread = try DateWorker.unread(in: store)
    func read() throws { try DateWorker.readAll(unread, store.dates) }
    let task = try #require(try store.add("water plants every monday", to: place).rowID.flatMap(store.task))
    func words() -> String { rows[3] + " \(task.dateOrigin) \(task.repetitionOrigin)" }
    try read()
    #expect(words() == "water plants every monday 23/11 every monday text text")
    try store.edit(task.id, in: RowScope(place), text: "water plants well every tuesday")
    try read()
    #expect(words() == "water plants well every tuesday 24/11 every tuesday text text")
    try store.toggleCompleted([task.id], in: RowScope(place))
    try read()
    #expect(rows[3] == "water plants well every tuesday 1/12 every tuesday")
    #expect(rows.last == "WATER PLANTS WELL EVERY TUESDAY 24/11")
    let next = fixture.tasks[3]
    try store.edit(next.id, in: RowScope(place), text: "water plants every tuesday")
    try read()
    #expect(rows[3] == "water plants every tuesday 1/12 every tuesday", "the same words")
    try store.edit(next.id, in: RowScope(place), text: "water plants")
    try read()
    #expect(rows[3] == "water plants" && next.repetitionOrigin == .unknown)
    // A repetition that a person has set stays, and one that they have removed stays away.
    try store.setRepetition([next.id], in: RowScope(place), to: Repetition("every day"))
    try store.edit(next.id, in: RowScope(place), text: "water plants every month")
    try read()
    #expect(rows[3] == "water plants every month 21/11 every day")
    try store.setRepetition([next.id], in: RowScope(place), to: nil)
    try store.edit(next.id, in: RowScope(place), text: "water plants every year")
    try read()
    #expect(rows[3] == "water plants every year 21/11")
    // A date of a person's own, and a repetition from the text.
    let other = try #require(
      try store.add("call every week", to: place, date: moment(12, 24)).rowID.flatMap(store.task))
    try read()
    #expect(rows[4] == "call every week 24/12 every week" && other.repetitionOrigin == .text)
    try store.edit(other.id, in: RowScope(place), text: "call every day")
    try read()
    #expect(rows[4] == "call every day 24/12 every day")
  }

  @Test("Tasks are added with a repetition from a person or from the text, and are read at once")
  func adding() throws {
    try store.add(
      ["x", "y tomorrow", "z every month"], to: place, repetition: Repetition("every friday"),
      readingDates: true)
    #expect(
      rows[3...5] == [
        "x 27/11 every friday", "y tomorrow 22/11 every friday", "z every month 21/11 every friday",
      ])
    try store.add(["w every month"], to: place, date: moment(12, 24), readingDates: true)
    #expect(rows[6] == "w every month 24/12 every month")
    #expect(fixture.tasks.allSatisfy { $0.text.count == 1 || $0.readText == $0.text })
  }

  /// The subtasks of a task, in alphabetical order.
  private func subtasks(of task: TaskItem) -> [String] {
    task.subtasks.map { subtask in
      let date = subtask.date.map { calendar.localTime(of: $0) }.map { " \($0.day)/\($0.month)" } ?? ""
      let text = subtask.completed ? subtask.text.uppercased() : subtask.text
      return text + date + (subtask.repetition.isEmpty ? "" : ", \(subtask.repetition)")
    }.sorted()
  }

  @Test(
    "Its subtasks are open again, with later dates, and are completed in the finished one"
  )
  func subtasks() throws {
    let task = try #require(store.task(fixture.id("b")))
    let place = Place.subtasks(of: task.id)
    try store.add(
      ["plain tomorrow", "daily every day", "weekly every week"], to: place, readingDates: true)
    let ids = task.subtasks.map(\.id)
    try store.toggleCompleted([ids[1]], in: RowScope(place))
    let before = subtasks(of: task)
    for _ in 0..<2 {
      try store.toggleCompleted([task.id], in: RowScope(self.place))
      let finished = try #require(fixture.tasks.last)
      #expect(
        subtasks(of: task) == [
          "daily every day 23/11, every day", "plain tomorrow 29/11", "weekly every week 28/11, every week",
        ])
      #expect(task.subtasks.map(\.id) == ids)
      #expect(
        subtasks(of: finished) == [
          "DAILY EVERY DAY 21/11", "DAILY EVERY DAY 22/11", "PLAIN TOMORROW 22/11", "WEEKLY EVERY WEEK 21/11",
        ])
      _ = try store.undo(showing: RowScope(self.place))
      #expect(subtasks(of: task) == before && fixture.tasks.count == 4)
    }
  }

  @Test(
    "Finished subtasks leave an open task with its date, also where the one that repeated is gone or does no more"
  )
  func finishedSubtasks() throws {
    let task = try #require(store.task(fixture.id("b")))
    let place = Place.subtasks(of: task.id)
    let operations: [(Identifier) throws -> Void] = [
      { try store.delete([$0], in: RowScope(place)) },
      { try store.move([$0], in: RowScope(place), toList: TaskList.firstListID) },
      { try store.setRepetition([$0], in: RowScope(place), to: nil) },
    ]
    for operation in operations {
      try store.add(["daily every day"], to: place, readingDates: true)
      let daily = try #require(task.subtasks.first?.id)
      try store.complete([daily])
      #expect(subtasks(of: task) == ["DAILY EVERY DAY 21/11", "daily every day 22/11, every day"])
      try operation(daily)
      try store.complete([task.id])
      #expect(!subtasks(of: task).contains { $0.hasPrefix("DAILY") } && task.subtasks.count < 2)
      #expect(fixture.tasks.last.map(subtasks(of:))?.contains("DAILY EVERY DAY 21/11") == true)
      for subtask in task.subtasks.map(\.id) { try store.delete([subtask], in: RowScope(place)) }
    }
  }

  @Test("The date of a subtask moves as many days as that of its task, at its hour; undo takes it back")
  func subtaskDates() throws {
    let berlin = LocalCalendar(secondsFromGMT: 3600)
    store.dates = DateReader(calendar: berlin, now: { moment(11, 21, 10) })
    try repeatTask("b", "every month", from: moment(11, 20, 8))
    let task = try #require(store.task(fixture.id("b")))
    let place = Place.subtasks(of: task.id)
    try store.add(["before", "after", "none"], to: place, readingDates: true)
    let ids = task.subtasks.map(\.id)
    try store.setDate([ids[0]], in: RowScope(place), to: moment(11, 18, 18))
    try store.setDate([ids[1]], in: RowScope(place), to: moment(11, 30))
    try store.complete([ids[0]])
    for _ in 0..<2 {
      try store.complete([task.id])
      #expect(task.date == moment(12, 20, 8))
      #expect(task.subtasks.map(\.date) == [moment(12, 30), nil, moment(12, 18, 18)])
      #expect(task.subtasks.allSatisfy { !$0.completed })
      let finished = try #require(fixture.tasks.last)
      #expect(finished.subtasks.map(\.date) == [moment(11, 30), nil, moment(11, 18, 18)])
      _ = try store.undo(showing: RowScope(self.place))
      #expect(task.subtasks.map(\.date) == [moment(11, 30), nil, moment(11, 18, 18)])
    }
  }

  @Test("A subtask that a person wants not to repeat is open again, also where its text says that it does")
  func subtaskWithoutRepetition() throws {
    let task = try #require(store.task(fixture.id("b")))
    let place = Place.subtasks(of: task.id)
    try store.add(["check every day"], to: place, readingDates: true, without: .repetition)
    try store.complete(task.subtasks.map(\.id))
    #expect(subtasks(of: task) == ["CHECK EVERY DAY 21/11"])
    try store.complete([task.id])
    #expect(subtasks(of: task) == ["check every day 28/11"])
  }

  @Test("A subtask that is meant with its task is completed once, at once and in parts")
  func meantWithTask() throws {
    let task = try #require(store.task(fixture.id("b")))
    try store.add(["plain", "daily every day"], to: .subtasks(of: task.id))
    let ids = [task.id] + task.subtasks.map(\.id)
    for isLong in [false, true] {
      let long = isLong ? LongAction() : nil
      for ids in isLong ? ids.map({ [$0] }) : [ids] {
        try store.toggleCompleted(ids, in: RowScope(nil), ifCompleted: false, partOf: long)
      }
      #expect(subtasks(of: task) == ["daily every day 22/11, every day", "plain"])
      #expect(rows == after)
      _ = try store.undo(showing: RowScope(place))
      #expect(rows == before)
    }
  }
}
