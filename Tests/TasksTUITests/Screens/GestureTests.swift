import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("What RealmTasks shows, shown here")
struct GestureTests {
  private func struck(_ app: AppHarness, _ text: String) -> Int {
    guard let line = app.texts.firstIndex(where: { $0.contains(text) }) else { return -1 }
    return (0..<app.width).count { app.frame[$0, line].style.attributes.contains(.strikethrough) }
  }

  @Test("Completing draws the line along the text, on green, while the row travels; opening takes it back")
  func strike() throws {
    let app = try AppHarness(["a rather long text", "two"], isAnimated: true)
    _ = app.app.handle(.key(Key(.character("x"))))
    var lengths: [Int] = []
    var greenest = 0
    for _ in 0..<40 {
      app.pass(.milliseconds(16))
      app.draw()
      lengths.append(struck(app, "a rather long"))
      for cell in app.frame.cells {
        if let color = cell.style.background, color.red < 60, color.blue < 60 {
          greenest = max(greenest, Int(color.green))
        }
      }
    }
    #expect(lengths == lengths.sorted() && lengths.last == 18)
    #expect(Set(lengths).count > 4, "\(lengths)")
    #expect(greenest > 80)
    try app.settle()
    try app.press("G")
    _ = app.app.handle(.key(Key(.character("x"))))
    lengths = []
    for _ in 0..<40 {
      app.pass(.milliseconds(16))
      app.draw()
      lengths.append(struck(app, "a rather long"))
    }
    #expect(lengths == lengths.sorted(by: >) && lengths.last == 0 && Set(lengths).count > 4, "\(lengths)")
  }

  @Test("A date stands under the text in words, and comes and goes as others write it")
  func dates() throws {
    let app = try AppHarness(["Eat dinner".lowercased(), "two"])
    let other = try app.other()
    let id = try #require(other.list(TaskList.firstListID)?.items.first).id
    // At no time of the day is it another one.
    try other.store.write { other.task(id)?.date = AppHarness.calendar.startOfDay(Date()) + 43_200 }
    try app.settle()
    #expect(app.rows.count == 3 && app.rows[1].contains("today 12:00") && app.rows[2] == "two")
    try app.press("e")
    #expect(app.rows == ["eat dinner", "two"])
    try app.press("Esc")
    #expect(app.rows.count == 3)
    try other.store.write { other.task(id)?.date = nil }
    try app.settle()
    #expect(app.rows == ["eat dinner", "two"])
  }

  @Test("Beyond the ends it is told what a pull would do")
  func hints() throws {
    let app = try AppHarness(["one", "TWO"], width: 70)
    try app.press("k")
    #expect(app.status == "↑ A adds a row on top, h goes back to the lists")
    try app.press("j")
    #expect(app.status.hasPrefix("a add"))
    try app.press("j")
    #expect(app.status == "↓ C clears the completed rows")
    try app.press("C", "j")
    #expect(app.status == "↓ a adds a row here")
  }

  @Test("Beyond the ends it is told only what works there")
  func hintsThatWork() throws {
    let monday = LocalTime(year: 2026, month: 11, day: 30, hour: 9)
    let app = try AppHarness(["waits"], width: 70, date: monday)
    try app.command("wait fri")
    let today = AppHarness.calendar.date(of: monday)
    for (text, date) in [("late #x", today), ("soon #x", today.addingTimeInterval(86_400)), ("done #x", nil)]
    {
      try app.store.add(text, to: app.place, date: date)
    }
    try app.settle()
    try app.press("G", "x")
    /// The status after the cursor was moved beyond an end; empty if it shows keys.
    func hint(_ key: String) throws -> String {
      try app.press(key == "j" ? "G" : "g", key)
      return app.app.message ?? ""
    }
    for line in ["today", "upcoming", "tag x"] {
      try app.command(line)
      #expect(try hint("k") == "↑ h goes back", "\(line)")
      #expect(try hint("j") == "↓ a adds a row here", "\(line)")
    }
    for line in ["waiting", "done"] {
      try app.command(line)
      #expect(try hint("k") == "↑ h goes back", "\(line)")
      #expect(try hint("j") == "", "\(line)")
    }
    try app.press("h")
    #expect(try hint("j") == "↓ C clears the completed rows")
    try app.press("C")
    try app.command("archive")
    #expect(try hint("k") == "↑ h goes back to the lists")
    #expect(try hint("j") == "↓ C empties the archive")
  }

  @Test("In a read-only window only what works there is told", arguments: [[], ["one", "TWO"]])
  func readOnlyHints(tasks: [String]) throws {
    let app = try AppHarness(tasks, width: 120, isReadOnly: true)
    /// The keys of all commands that change something.
    let changing = CommandTable.all.filter { $0.group == .change }
    func check(_ what: String) throws {
      let hints = app.app.screen.hints.filter { !$0.changesFile }.map(\.words)
      #expect(!hints.isEmpty, "\(what)")
      for description in changing {
        let key = app.app.context.key(description.command)
        #expect(!app.status.contains("\(key) \(description.hint ?? description.name)"), "\(what)")
      }
      #expect(!app.frame.text.contains(" adds ") && !app.frame.text.contains(" starts "), "\(what)")
      try app.press("g", "k")
      #expect(
        app.app.message?.contains("add") != true && app.app.message?.contains("clear") != true, "\(what)")
      try app.press("G", "j")
      #expect(app.app.message == nil, "\(what)")
    }
    try check("tasks")
    for line in ["today", "upcoming", "waiting", "done", "tag x"] {
      try app.command(line)
      try check(line)
      try app.press("h")
    }
    if !tasks.isEmpty {
      try app.press("l")
      try check("subtasks")
      try app.press("h", "v")
      #expect(app.status.hasPrefix("Esc end"))
      try app.press("Esc", "c")
      #expect(app.status == "Esc close")
      try app.press("Esc")
    }
    try app.press("h")
    try check("lists")
  }

  @Test("A new list tells how to begin")
  func onboarding() throws {
    let app = try AppHarness(width: 60)
    #expect(app.frame.text.contains("a adds a task") && app.frame.text.contains("? shows every key"))
  }
}
