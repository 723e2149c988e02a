import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Upcoming, sorting and hiding, on the screen")
struct HidingTests {
  @Test(":hide takes completed tasks out of sight, here and at the next start; :hide shows them again")
  func hiding() throws {
    let app = try AppHarness(["one", "two", "THREE"], width: 80, stateFile: true)
    try app.command("hide")
    #expect(app.rows == ["one", "two"] && app.title.hasSuffix("2 open, others hidden"))
    try app.press("Space")
    #expect(app.rows == ["two"] && app.line == "two [THREE] [one]")
    try app.press("u")
    #expect(app.rows == ["one", "two"] && app.selected == "one")
    try app.press("o")
    app.type("new")
    try app.press("Enter", "J")
    #expect(app.line == "one two new [THREE]" && app.rows == ["one", "two", "new"] && app.selected == "new")
    try app.press("C")
    #expect(app.line == "one two new" && app.status.hasPrefix("Cleared “THREE”."))
    #expect(app.title.hasSuffix("3 open"), "nothing is hidden")
    try app.press("u")
    #expect(app.line == "one two new [THREE]" && app.rows.count == 3)
    #expect(app.app.stateFile?.hidesCompleted == true)
    let next = App(
      store: app.store, appearance: Appearance(isAnimated: false), stateFile: app.app.stateFile,
      clock: { .zero })
    #expect(next.context.settings.hideCompleted)
    try app.command("hide")
    #expect(app.rows == ["one", "two", "new", "THREE"] && app.status == "Completed tasks are shown.")
    #expect(app.app.stateFile?.hidesCompleted == false)
    try app.command("set hide-completed on")
    #expect(app.rows == ["one", "two", "new"])
  }

  @Test("The row that is edited is completed elsewhere: its text becomes a draft; what is hidden is searched")
  func hiddenWhileEdited() throws {
    let app = try AppHarness(
      ["one", "two"], width: 80, configuration: AppConfiguration("hide-completed = true"))
    try app.press("e")
    app.type("!")
    let other = try app.other()
    try other.toggleCompleted([try #require(app.tasks.first).id], in: RowScope(app.place))
    try app.settle()
    #expect(app.app.message == "Completed elsewhere. Enter adds your text as a new row, Esc drops it.")
    try app.press("Enter")
    #expect(app.line == "two one! [one]" && app.rows == ["two", "one!"])
    try app.press("/")
    app.type("one")
    try app.settle()
    #expect(app.rows.count == 2)
    try app.press("Esc")
  }

  @Test("With completed tasks hidden, the screen shows the open ones after any keys, and what others do")
  func random() throws {
    var random = SeededGenerator()
    for _ in 0..<6 {
      let app = try AppHarness(
        ["a", "b", "c", "d", "E", "F"], width: 60, height: 30,
        configuration: AppConfiguration("hide-completed = true"))
      let other = try app.other()
      var keys: [String] = []
      for _ in 0..<30 {
        let key = ["Space", "j", "k", "J", "K", "u", "C-r", "d", "C", "o", "G", "g", "s", "other"]
          .randomElement(using: &random)!
        keys.append(key)
        switch key {
        case "o":
          try app.press("o")
          app.type("n\(keys.count)")
          try app.press("Enter")
        case "s": try app.command("sort text")
        case "other":
          guard let task = app.tasks.randomElement(using: &random) else { continue }
          try other.toggleCompleted([task.id], in: RowScope(app.place))
          try app.settle()
        default: try app.press(key)
        }
        let open = app.tasks.filter { !$0.completed }.map(\.text)
        let shown = app.rows.filter { !$0.trimmingSpaces.isEmpty }
        let isAsExpected = open.isEmpty || shown.map { $0.trimmingSpaces } == open
        #expect(isAsExpected, "\(shown) for \(open) after \(keys), \(random.comment)")
        guard isAsExpected else { return }
      }
    }
  }

  @Test("s asks for the order; the rows are sorted once, many in parts, and u takes it back")
  func sorting() throws {
    let app = try AppHarness(["c", "a", "b", "DONE"], width: 80)
    try app.press("s")
    #expect(app.texts.last == "  Sort by:")
    app.type("t")
    try app.press("Enter")
    #expect(app.line == "a b c [DONE]" && app.rows.prefix(3) == ["a", "b", "c"])
    #expect(app.status == "Sorted by text. u takes it back.")
    try app.command("sort text")
    #expect(app.status == "The open rows are sorted by text already.")
    try app.command("sort due")
    #expect(app.status == "The open rows are sorted by due date already.")
    try app.command("sort size")
    #expect(app.status == "“size” is no order: due, priority, text.")
    try app.press("u")
    #expect(app.line == "c a b [DONE]" && app.rows.prefix(3) == ["c", "a", "b"])
    #expect(app.status == "Undid: sorting “c”.")
    try app.press("T", "s")
    #expect(app.status.hasPrefix("Tasks of several lists cannot be moved here"))
    let many = try AppHarness((0..<250).map { "t\(999 - $0)" }, width: 80)
    try many.command("sort text")
    while many.app.hasWork { many.app.work(for: .milliseconds(4)) }
    many.draw()
    #expect(many.tasks.map(\.text) == (0..<250).map { "t\(750 + $0)" })
    // The cursor stays with its row.
    #expect(many.status == "Sorted by text. u takes it back." && many.selected == "t999")
    try many.press("u")
    while many.app.hasWork { many.app.work(for: .milliseconds(4)) }
    #expect(many.tasks.first?.text == "t999" && many.tasks.last?.text == "t750")
  }

  @Test("U shows what is due after today, the earliest first; a task added there is due tomorrow")
  func upcoming() throws {
    let app = try AppHarness(
      ["one"], width: 80, date: LocalTime(year: 2026, month: 11, day: 23, hour: 9))
    try app.press("U")
    #expect(app.title.hasPrefix("Upcoming"))
    #expect(app.texts.contains { $0.contains("Nothing is due after today") })
    try app.press("h")
    for (text, due) in [("later", "2027-01-05"), ("now", "today 18:00"), ("soon", "fri 10:00")] {
      try app.command("add \(text)")
      try app.command("due \(due)")
    }
    try app.press("U", "a")
    app.type("next")
    try app.press("Enter")
    try app.settle()
    let words = app.rows.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      words == [
        "Tomorrow, Tuesday 24 November", "next My Tasks", "Friday 27 November", "soon My Tasks", "10:00",
        "Tuesday 5 January 2027", "later My Tasks",
      ])
    // At midnight the first of them is due.
    app.pass(.seconds(16 * 3600))
    try app.settle()
    #expect(app.rows.first == "Friday 27 November" && app.rows[1].hasPrefix("soon"))
  }
}
