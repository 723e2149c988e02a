import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// It is Saturday, 21 November 2026, 10:00.
private let now = LocalTime(year: 2026, month: 11, day: 21, hour: 10)

private func moment(_ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> Date {
  AppHarness.calendar.date(of: LocalTime(year: 2026, month: 11, day: day, hour: hour, minute: minute))
}

@Suite("Due dates by command")
struct DueTests {
  @Test("From the tasks of all lists h leads to the lists where the list that it came from is gone")
  func originIsGone() throws {
    for key in ["T", "U"] {
      let app = try AppHarness(["one"])
      let list = try #require(try app.store.add("Work", to: .lists).rowID)
      try app.store.add("two", to: .tasks(inList: list), date: Date(timeIntervalSince1970: 0))
      try app.press("h", "g", "j", "Enter")
      #expect(app.title.hasPrefix("Work"))
      try app.press(key)
      #expect(!app.title.hasPrefix("Work"))
      try app.other().delete([list], in: RowScope(.lists))
      try app.settle()
      try app.press("h")
      #expect(app.title.hasPrefix("Lists") && app.status == "That list has been deleted elsewhere.")
    }
  }

  @Test("From the tasks of all lists h leads to the lists with the cursor where it was")
  func originIsLists() throws {
    let app = try AppHarness(["one"])
    try app.store.add("Work", to: .lists)
    try app.store.add("Home", to: .lists)
    try app.press("h")
    try app.settle()
    try app.press("g", "j")
    for keys in [["T"], ["U"], ["T", "U"]] {
      for key in keys { try app.press(key) }
      try app.press("h")
      #expect(app.title.hasPrefix("Lists") && app.selected?.hasPrefix("Work") == true)
    }
    try app.press("T")
    try app.other().delete(
      [try #require(app.store.lists.first { $0.text == "Work" }?.id)], in: RowScope(.lists))
    try app.settle()
    try app.press("h")
    #expect(app.title.hasPrefix("Lists") && app.selected != nil)
  }

  @Test("At midnight a completed task, too, has other words for its date")
  func completedAtMidnight() throws {
    let app = try AppHarness(["a", "b"], width: 60, date: now)
    try app.press("D")
    app.type("today")
    try app.press("Enter", "x", "j", "k")
    #expect(app.rows.contains("today"))
    app.pass(.seconds(14 * 3600))
    #expect(app.app.nextFrame(after: app.now) ?? .seconds(1_000_000) <= app.now)
    try app.press("j", "k")
    #expect(app.rows.contains("yesterday"))
  }

  @Test("When the clock on the wall jumps, forward or back, the dates are those of its day at once")
  func clockJump() throws {
    let app = try AppHarness(["a", "b"], width: 60, date: now)
    try app.command("due today")
    #expect(app.rows.contains("today") && app.app.nextFrame(after: app.now) ?? .seconds(9) > app.now)
    for (days, words) in [(-1.0, "tomorrow"), (2, "overdue, yesterday"), (-1, "today")] {
      app.setClock(bySeconds: days * 86_400)
      app.app.lookAtClock()
      #expect(app.app.nextFrame(after: app.now).map { $0 <= app.now } == true)
      app.draw()
      #expect(app.rows.contains(words), "\(app.rows)")
    }
  }

  @Test("The clock on the wall is watched without a report before it jumps")
  func clockWatch() {
    let watch = ClockWatch()
    #expect(watch.fileDescriptor >= 0)
    var descriptor = pollfd(fd: watch.fileDescriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&descriptor, 1, 0) == 0)
    // It does not wait.
    watch.take()
  }

  @Test("D asks for a date, shows what it understands of it, and sets it; undo takes it back")
  func prompt() throws {
    let app = try AppHarness(["a", "b", "C"], width: 60, date: now)
    try app.press("j", "D")
    #expect(app.status == "Due:")
    #expect(app.texts.contains { $0.contains("tomorrow") && $0.contains("Sunday 22 November 2026") })
    app.type("fr")
    #expect(app.texts.contains { $0.contains("… such as fri") })
    app.type("i 9:00")
    #expect(app.texts.contains { $0.trimmingSpaces == "Friday 27 November 2026, 9:00" })
    try app.press("Enter")
    #expect(app.tasks.map(\.date) == [nil, moment(27, 9), nil])
    #expect(app.rows == ["a", "b", "Friday 9:00", "C"])
    #expect(app.status == "“b” is due Friday 9:00 now.")
    try app.press(".")
    #expect(app.tasks[1].date == moment(27, 9))
    try app.press("u")
    #expect(app.tasks[1].date == nil && app.rows == ["a", "b", "C"])
    try app.press("C-r", "D", "Enter")
    #expect(app.tasks[1].date == nil && app.tasks[1].dateOrigin == .person)
    #expect(app.status == "“b” is without a date now.")
  }

  @Test("What is no date is said and changes nothing; a completed task gets none; nor does a list")
  func refused() throws {
    let app = try AppHarness(["a", "B"], width: 60, date: now)
    try app.press("D")
    app.type("30 feb")
    #expect(app.texts.contains { $0.contains("There is no such day.") })
    try app.press("Enter")
    #expect(app.status == "There is no such day." && app.tasks.allSatisfy { $0.date == nil })
    try app.press("D")
    app.type("fri")
    try app.press("Esc")
    #expect(app.tasks.allSatisfy { $0.date == nil })
    try app.press("G", "D")
    #expect(app.status == "A completed row cannot be edited.")
    _ = app.app.run(line: "due nonsense")
    app.draw()
    #expect(app.status.hasPrefix("I don't understand that as a date. Try fri"))
    try app.press("h", "D")
    #expect(app.title.hasPrefix("Lists"))
  }

  @Test("By name, for several rows and by a count, as one step")
  func several() throws {
    let app = try AppHarness(["a", "b", "c"], width: 60, date: now)
    try app.press("v", "j")
    _ = app.app.run(line: "due tomorrow")
    #expect(app.tasks.map(\.date) == [moment(22), moment(22), nil])
    try app.press("u")
    #expect(app.tasks.allSatisfy { $0.date == nil })
    try app.press("g", "3", "D")
    app.type("+1w")
    try app.press("Enter")
    #expect(app.tasks.map(\.date) == [moment(28), moment(28), moment(28)])
    try app.press("2")
    _ = app.app.run(line: "2 due none")
    #expect(app.tasks.map(\.date) == [nil, nil, moment(28)])
  }

  @Test("Overdue and today are marked, and that changes by itself when the time has come")
  func marks() throws {
    let app = try AppHarness(["a", "b", "c"], width: 60, date: now)
    try app.store.setDate([app.tasks[0].id], in: RowScope(app.place), to: moment(20))
    try app.store.setDate([app.tasks[1].id], in: RowScope(app.place), to: moment(21, 10, 1))
    try app.store.setDate([app.tasks[2].id], in: RowScope(app.place), to: moment(21))
    try app.settle()
    #expect(app.rows == ["a", "overdue, yesterday", "b", "today 10:01", "c", "today"])
    let overdue = app.frame[2, 2].style.background
    #expect(overdue == Theme.realmTasks.dark.overdue && app.frame[2, 4].style.background != overdue)
    // Nothing moves: the next frame is for that minute.
    let next = try #require(app.app.nextFrame(after: app.now))
    #expect(next > app.now + .seconds(50) && next <= app.now + .seconds(60))
    app.pass(.seconds(60))
    #expect(app.app.nextFrame(after: app.now) ?? .seconds(1_000_000) <= app.now)
    app.draw()
    #expect(app.rows == ["a", "overdue, yesterday", "b", "overdue, today 10:01", "c", "today"])
    app.pass(.seconds(14 * 3600))
    app.draw()
    #expect(app.rows[1] == "overdue, last Friday" && app.rows[5] == "overdue, yesterday")
  }
}

@Suite("The screen of what is due today")
struct TodayScreenTests {
  private func harness() throws -> (app: AppHarness, work: Identifier) {
    let app = try AppHarness(["late", "noon", "none", "DONE"], width: 50, height: 16, date: now)
    let work = try #require(try app.store.add("Work", to: .lists).rowID)
    try app.store.add(["call", "later"], to: .tasks(inList: work))
    func date(_ text: String, _ date: Date) throws {
      try app.store.store.write {
        for task in app.store.store.objects(TaskItem.self) where task.text == text { task.date = date }
      }
    }
    for (text, day) in [
      ("late", moment(19)), ("noon", moment(21, 12)), ("DONE", moment(21)), ("call", moment(21)),
      ("later", moment(22)),
    ] { try date(text, day) }
    try app.settle()
    return (app, work)
  }

  private func texts(_ app: AppHarness) -> [String] {
    app.rows.map { $0.split(separator: "  ").first.map(String.init) ?? "" }
  }

  @Test("Open tasks of all lists by date, live; what is done there is done in the task's own list")
  func live() throws {
    let (app, work) = try harness()
    try app.press("T")
    try app.settle()
    #expect(app.title.hasPrefix("Today") && app.title.hasSuffix("3 tasks"))
    #expect(texts(app) == ["late", "overdue, last Thursday", "call", "today", "noon", "today 12:00"])
    #expect(app.rows[2].hasSuffix("Work"))
    // Somebody else sets a date.
    let other = try app.other()
    try other.setDate([try #require(other.list(work)?.items.last).id], in: RowScope(nil), to: moment(21, 8))
    try app.settle()
    #expect(
      texts(app).filter { !$0.contains("today") && !$0.contains("last") } == [
        "late", "call", "later", "noon",
      ])
    try app.press("j", "Space")
    #expect(texts(app)[2] == "later" && app.store.list(work)?.items.map(\.text) == ["later", "call"])
    #expect(app.selected?.hasPrefix("later") == true)
    try app.press("u")
    #expect(app.store.list(work)?.items.map(\.text) == ["call", "later"] && texts(app)[2] == "call")
    try app.press("d")
    #expect(app.store.list(work)?.items.map(\.text) == ["later"])
    try app.press("u", "e")
    app.type(" Ann")
    try app.press("Enter")
    #expect(app.store.list(work)?.items.map(\.text) == ["call Ann", "later"])
    try app.press("J")
    #expect(app.status.hasPrefix("Tasks of several lists"))
    try app.press("V", "D")
    app.type("fri")
    try app.press("Enter")
    #expect(app.texts.contains { $0.contains("Nothing is due today") })
    try app.press("u")
    #expect(texts(app).count == 8)
  }

  @Test("A task that is added there is due today; Esc goes back to the list that was open, l to the task's")
  func going() throws {
    let (app, work) = try harness()
    try app.press("T", "a")
    app.type("new")
    try app.press("Enter")
    #expect(app.tasks.first { $0.text == "new" }?.date == moment(21))
    try app.press("a")
    app.type("at 11:30 go")
    try app.press("Enter")
    #expect(app.tasks.first { $0.text == "at 11:30 go" }?.date == moment(21, 11, 30))
    try app.settle()
    #expect(texts(app).contains("new") && texts(app).contains("at 11:30 go"))
    try app.press("Esc")
    #expect(app.title.hasPrefix("My Tasks"))
    _ = app.app.run(line: "today")
    try app.settle()
    while app.selected?.hasPrefix("call") != true { try app.press("j") }
    try app.press("l")
    try app.settle()
    #expect(app.title.hasPrefix("Work") && app.selected == "call")
    try app.press("T", ">")
    #expect(app.status == "Move to list:")
    try app.press("Esc", "h")
    #expect(app.title.hasPrefix("Work"))
    // From the lists it goes back to the lists; and the list it came from may be gone.
    try app.press("h", "T", "Esc")
    #expect(app.title.hasPrefix("Lists"))
    try app.press("Enter", "T")
    try app.other().delete([TaskList.firstListID], in: RowScope(.lists))
    try app.other().delete([work], in: RowScope(.lists))
    try app.settle()
    #expect(app.texts.contains { $0.contains("Nothing is due today") })
    try app.press("a")
    app.type("x")
    try app.press("Enter")
    #expect(app.status == "There is no list to add it to.")
    try app.press("Esc", "Esc")
    #expect(app.status == "That list has been deleted elsewhere.")
  }

  @Test("The names of lists are those of the moment, when one is renamed and when a task moves")
  func listNames() throws {
    let app = try AppHarness(["one"], width: 60)
    let work = try #require(try app.store.add("Work", to: .lists).rowID)
    let task = try #require(try app.store.add("report", to: .tasks(inList: work)).rowID)
    try app.store.setDate([task], in: RowScope(.tasks(inList: work)), to: Date())
    try app.press("T")
    try app.settle()
    #expect(app.rows.contains { $0.contains("report") && $0.contains("Work") })
    let other = try app.other()
    try other.edit(work, in: RowScope(.lists), text: "Job")
    try app.settle()
    #expect(app.rows.contains { $0.contains("report") && $0.contains("Job") })
    try other.move([task], in: RowScope(.tasks(inList: work)), toList: TaskList.firstListID)
    try app.settle()
    #expect(app.rows.contains { $0.contains("report") && $0.contains("My Tasks") })
  }

  @Test("At midnight the tasks of the next day are there")
  func midnight() throws {
    let (app, _) = try harness()
    try app.press("T")
    try app.settle()
    app.pass(.seconds(14 * 3600))
    #expect(app.app.nextFrame(after: app.now) ?? .seconds(1_000_000) <= app.now)
    try app.settle()
    #expect(texts(app).contains("later") && app.title.hasSuffix("4 tasks"))
  }

  @Test("Where the clock is set back to the day before, the tasks of that day are there")
  func dayBefore() throws {
    let (app, _) = try harness()
    try app.press("T")
    try app.settle()
    let today = texts(app)
    app.pass(.seconds(24 * 3600))
    try app.settle()
    #expect(texts(app).contains("later") && !today.contains("later"))
    app.setClock(bySeconds: -24 * 3600)
    app.app.lookAtClock()
    app.draw()
    try app.settle()
    #expect(texts(app) == today)
  }

  @Test("The mouse works there too, and Esc goes back to the row that had the cursor")
  func mouseAndBack() throws {
    let (app, _) = try harness()
    try app.press("G")
    let selected = app.selected
    try app.press("T")
    let second = app.rows.first { $0 != app.selected && !$0.contains("overdue") && !$0.contains("today") }
    let line = try #require(app.texts.firstIndex { $0.dropFirst(2) == second?[...] ?? "" })
    _ = app.app.handle(.mouse(MouseEvent(action: .press, column: 10, line: line)))
    app.draw()
    #expect(app.selected == second)
    try app.press("Esc")
    try app.settle()
    #expect(app.selected == selected && selected != app.rows.first)
  }

  @Test("Rows at rest equal the query, whatever is done here and elsewhere")
  func random() throws {
    for _ in 0..<4 {
      var random = SeededGenerator()
      print(random.comment)
      let (app, work) = try harness()
      let other = try app.other()
      try app.press("T")
      var number = 0
      for _ in 0..<120 {
        number += 1
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          try other.store.refresh()
          var place = Bool.random(using: &random) ? app.place : Place.tasks(inList: work)
          let owner = Array(other.store.objects(TaskItem.self)).filter { !$0.completed && $0.parents.isEmpty }
            .randomElement(using: &random)
          if let owner, Bool.random(using: &random) { place = .subtasks(of: owner.id) }
          try other.add("n\(number)", to: place, date: moment(Int.random(in: 19...23, using: &random)))
        case 1:
          try other.store.refresh()
          let all = Array(other.store.objects(TaskItem.self))
          guard let task = all.randomElement(using: &random) else { continue }
          switch Int.random(in: 0..<6, using: &random) {
          case 0: try other.delete([task.id], in: RowScope(nil))
          case 1: _ = try? other.toggleCompleted([task.id], in: RowScope(nil))
          case 4: _ = try? other.promote([task.id], in: RowScope(nil))
          case 5: try other.move([task.id], in: RowScope(nil), toList: work)
          case 2:
            try other.edit(
              task.id, in: RowScope(nil),
              text: task.completed ? task.text : "e\(number)")
          default:
            let day = moment(Int.random(in: 19...23, using: &random))
            _ = try? other.setDate([task.id], in: RowScope(nil), to: day)
          }
        // Few letters, so that no row takes a second line.
        case _ where app.app.screen.isEditing:
          try app.press(["Enter", "Esc", "z"].randomElement(using: &random) ?? "Enter")
        default:
          let keys = ["j", "k", "G", "d", "x", "a", "e", "u", "u", "C-r", "v", "Tab", "V", "3", ".", "g"]
          let key = try #require(Key(keys.randomElement(using: &random) ?? "j"))
          _ = app.app.handle(.key(key))
        }
        app.pass(.milliseconds(Int.random(in: 0..<120, using: &random)))
        if Bool.random(using: &random) { app.draw() }
        if Int.random(in: 0..<4, using: &random) == 0 { try app.catchUp() }
      }
      for _ in 0..<3 where app.app.screen.isEditing { try app.press("Esc") }
      try app.settle()
      let screen = try #require(app.app.screen as? CollectedScreen)
      // The message below the rows can take two lines.
      app.height = screen.rows.items.count * 2 + 4
      app.draw()
      let lines = screen.rows.items.isEmpty ? [] : texts(app)
      let shown = lines.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      let expected = try app.store.openTasks(dueBefore: moment(22)).map(\.text)
      #expect(shown == expected, Comment(rawValue: random.comment))
    }
  }
}
