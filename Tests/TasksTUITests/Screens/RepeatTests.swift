import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// It is Saturday, 21 November 2026, 10:00.
private let now = LocalTime(year: 2026, month: 11, day: 21, hour: 10)

private func moment(_ day: Int, _ hour: Int = 0) -> Date {
  AppHarness.calendar.date(of: LocalTime(year: 2026, month: 11, day: day, hour: hour))
}

@Suite("Repeating by command")
struct RepeatTests {
  @Test("R asks how often, shows the days that it means, and sets it; undo takes it back")
  func prompt() throws {
    let app = try AppHarness(["a", "b", "C"], width: 70, date: now)
    try app.store.setDate([app.tasks[1].id], in: RowScope(app.place), to: moment(27))
    try app.settle()
    try app.press("j", "R")
    #expect(app.status == "Repeat:")
    #expect(
      app.texts.contains {
        $0.contains("every week ") && $0.contains("Fri 27 Nov, Fri 4 Dec, Fri 11 Dec, Fri 18 Dec")
      })
    #expect(app.texts.contains { $0.contains("none") && $0.contains("does not come again") })
    app.type("every mond")
    #expect(app.texts.contains { $0.contains("… such as every week, every 2 months") })
    app.type("ay")
    #expect(
      app.texts.contains { $0.contains("every monday: Fri 27 Nov, Mon 30 Nov, Mon 7 Dec, Mon 14 Dec, …") })
    app.type("th")
    #expect(app.texts.contains { $0.contains("… such as") })
    for _ in 0..<8 { try app.press("Backspace") }
    app.type("2 weeks")
    try app.press("Enter")
    #expect(app.status == "“b” comes again every 2 weeks, due Friday.")
    #expect(app.rows == ["a", "b", "Friday ↻", "C"] && app.tasks[1].repetition == "every 2 weeks")
    // The other has no date yet: it gets the first.
    try app.press("k", ".")
    #expect(app.rows == ["a", "today ↻", "b", "Friday ↻", "C"])
    try app.press("R")
    #expect(app.status == "Repeat, now every 2 weeks:")
    app.type("after 3 days")
    #expect(app.texts.contains { $0.contains("after 3 days: Sat 21 Nov, Tue 24 Nov if done that day, …") })
    try app.press("Esc", "u")
    #expect(app.rows == ["a", "b", "Friday ↻", "C"])
    try app.press("j", "R", "Enter")
    #expect(app.status == "“b” does not come again." && app.rows == ["a", "b", "Friday", "C"])
    try app.press("u")
    _ = app.app.run(line: "repeat none")
    app.draw()
    #expect(app.rows == ["a", "b", "Friday", "C"])
  }

  @Test("A repetition from some day on gives that date to the task, which may have another")
  func fromDay() throws {
    let app = try AppHarness(["a", "b"], width: 90, date: now)
    try app.store.setDate([app.tasks[0].id], in: RowScope(app.place), to: moment(27))
    try app.settle()
    try app.press("R")
    app.type("every thursday from 25 nov")
    #expect(app.texts.contains { $0.contains("every thursday: Thu 26 Nov, Thu 3 Dec") }, "\(app.texts)")
    try app.press("Enter")
    #expect(app.status == "“a” comes again every thursday, due Thursday.")
    #expect(app.tasks[0].date == moment(26) && app.tasks[0].repetition == "every thursday")
    try app.press("j", ".")
    #expect(app.tasks[1].date == moment(26) && app.tasks[1].repetition == "every thursday")
    try app.press("u", "u")
    #expect(app.tasks.map(\.date) == [moment(27), nil] && app.tasks.allSatisfy { $0.repetition.isEmpty })
  }

  @Test("What is no repetition is said and changes nothing; a completed task gets none; nor does a list")
  func refused() throws {
    let app = try AppHarness(["a", "B"], width: 110, date: now)
    _ = app.app.run(line: "repeat now and then")
    app.draw()
    #expect(app.status.hasPrefix("That is no repetition; write every week"))
    try app.press("G", "R")
    #expect(app.status == "A completed row cannot be edited.")
    #expect(app.tasks.allSatisfy { $0.repetition.isEmpty && $0.date == nil })
    try app.press("h", "R")
    #expect(app.title.hasPrefix("Lists"))
    let reader = try AppHarness(["a"], isReadOnly: true, date: now)
    try reader.press("R")
    #expect(reader.status == "This window is read-only.")
  }

  @Test("Space takes it to its next date, and adds a finished one, and the cursor goes on; undo and redo")
  func completing() throws {
    let app = try AppHarness(["a", "b", "c"], width: 70, date: now)
    _ = app.app.run(line: "repeat every week")
    app.draw()
    try app.press("Space")
    #expect(app.rows == ["a", "Saturday ↻", "b", "c", "a", "today"] || app.rows[1] == "28 November ↻")
    #expect(app.line == "a b c [a]" && app.selected == "b")
    #expect(app.status == "“a” comes again: 28 November.")
    try app.press("u")
    #expect(app.line == "a b c" && app.selected == "a" && app.tasks[0].date == moment(21))
    try app.press("C-r")
    #expect(app.line == "a b c [a]" && app.tasks[0].date == moment(28))
    try app.press("u", "g")
    // By a count, by marks, by the repetition of the last change, by the mouse.
    try app.press("2", "Space")
    #expect(app.line == "a c [a] [b]" && app.selected == "c")
    try app.press("u", "V", "Space")
    #expect(app.line == "a [a] [b] [c]")
    try app.press("u", "g", "Space", "k", ".")
    #expect(
      app.line == "a b c [a] [a]"
        && app.tasks[0].date == AppHarness.calendar.date(of: LocalTime(year: 2026, month: 12, day: 5)))
    try app.press("u", "u")
    _ = app.app.handle(.mouse(MouseEvent(action: .press, column: 0, line: 1)))
    app.draw()
    #expect(app.line == "a b c [a]")
    // Below the last open one there is none to go on with.
    try app.press("u", "j", "2", "d", "Space")
    #expect(app.line == "a [a]" && app.selected == "a")
    try app.press("u", "u", "g", "Space")
    #expect(app.line == "a b c [a]")
    // Another person's text stays; their date is in the way.
    let other = try app.other()
    try other.edit(app.tasks[0].id, in: RowScope(app.place), text: "a2")
    try app.settle()
    try app.press("u")
    #expect(app.line == "a2 b c")
    try app.press("C-r")
    #expect(app.line == "a2 b c [a]")
    try other.setDate([app.tasks[0].id], in: RowScope(app.place), to: moment(29))
    try app.settle()
    try app.press("u")
    #expect(
      app.status == "Completing can no longer be undone: “a2” has been changed since."
        && app.line == "a2 b c [a]")
  }

  @Test("On the screen of today the next one is gone until its day; undo brings the old one back")
  func today() throws {
    let app = try AppHarness(["a", "b"], width: 70, date: now)
    _ = app.app.run(line: "repeat every day")
    try app.press("j")
    _ = app.app.run(line: "due today 11:00")
    try app.press("T")
    try app.settle()
    #expect(app.title.hasSuffix("2 tasks") && app.selected?.hasPrefix("a") == true)
    try app.press("Space")
    #expect(app.rows.count == 2 && app.selected?.hasPrefix("b") == true && app.line == "a b [a]")
    #expect(app.status == "“a” comes again: tomorrow.")
    try app.press("u")
    #expect(app.rows.count == 4 && app.line == "a b")
    try app.press("Space")
    app.pass(.seconds(14 * 3600))
    try app.settle()
    #expect(app.rows.count == 4 && app.rows.contains { $0.hasPrefix("today ↻") })
  }

  @Test("What another program has written is shown as it is; in ASCII the sign is another")
  func foreign() throws {
    var appearance = Appearance(isAnimated: false)
    appearance.isASCII = true
    let app = try AppHarness(["a", "b", "c"], width: 60, appearance: appearance, date: now)
    try app.store.store.write {
      (app.tasks[0].repetition, app.tasks[0].date) = ("FREQ=DAILY", moment(22))
      app.tasks[1].repetition = "every week"
      (app.tasks[2].repetition, app.tasks[2].date) = ("weekly", moment(22))
    }
    try app.settle()
    #expect(app.rows[0...1] == ["a", "tomorrow ~ FREQ=DAILY"])
    #expect(app.rows[2...5] == ["b", "~ every week", "c", "tomorrow ~"])
    try app.press("Space")
    #expect(app.line == "b c [a]")
    try app.press("R")
    #expect(app.status == "Repeat, now every week:")
  }

  @Test("A repetition that is typed in the text is read and seen, and can be taken away by hand")
  func text() throws {
    let app = try AppHarness(["a"], width: 60, date: now)
    let worker = try DateWorker.unread(in: app.store)
    try app.press("a")
    app.type("water plants every monday")
    try app.press("Enter")
    try DateWorker.readAll(worker, app.store.dates)
    try app.settle()
    #expect(app.rows == ["a", "water plants every monday", "Monday ↻"])
    _ = app.app.run(line: "repeat none")
    try app.press("e")
    app.type(" morning")
    try app.press("Enter")
    try DateWorker.readAll(worker, app.store.dates)
    try app.settle()
    #expect(app.tasks[1].repetition == "" && app.tasks[1].text == "water plants every monday morning")
  }
}
