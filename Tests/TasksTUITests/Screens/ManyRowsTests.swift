import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

/// Commands on so many rows that they are carried out in parts.
@Suite("Commands on many rows")
struct ManyRowsTests {
  private func harness(_ count: Int = 250) throws -> AppHarness {
    try AppHarness((0..<count).map { "t\($0)" }, width: 80)
  }

  private func finish(_ app: AppHarness) {
    while app.app.hasWork { app.app.work(for: .milliseconds(4)) }
    app.draw()
  }

  @Test("All rows completed, undone, redone, deleted: the last line tells how far it is, then what was done")
  func all() throws {
    let app = try harness()
    try app.press("V", "Space")
    #expect(app.status.hasPrefix("0 of 250 rows…") && app.status.contains("Esc stops"))
    app.app.work(for: .milliseconds(4))
    app.draw()
    #expect(app.status.hasPrefix("50 of 250 rows…"))
    finish(app)
    #expect(app.tasks.allSatisfy(\.completed) && app.tasks.map(\.text) == (0..<250).map { "t\($0)" })
    #expect(app.rows.first == "t0")
    try app.press("u")
    finish(app)
    #expect(app.status == "Undid: completing 250 rows." && app.tasks.allSatisfy { !$0.completed })
    #expect(app.tasks.map(\.text) == (0..<250).map { "t\($0)" })
    try app.press("C-r")
    finish(app)
    #expect(app.status == "Redid: completing 250 rows." && app.tasks.allSatisfy(\.completed))
    try app.press("C")
    finish(app)
    #expect(
      app.status == "Cleared 250 completed rows. u brings them back, :archive shows them."
        && app.tasks.isEmpty)
    #expect(app.store.archive?.items.map(\.text) == (0..<250).map { "t\($0)" })
    try app.press("u")
    finish(app)
    #expect(app.tasks.map(\.text) == (0..<250).map { "t\($0)" } && app.tasks.allSatisfy { $0.completed })
    try app.press("V", "Space")
    finish(app)
    #expect(app.tasks.map(\.text) == (0..<250).map { "t\($0)" } && app.tasks.allSatisfy { !$0.completed })
  }

  @Test("Keys that come meanwhile are handled afterwards, one by one, a paste among them")
  func typedAhead() throws {
    let app = try harness()
    try app.press("V", "Space")
    try app.press("V", "d", "a")
    app.type("new one")
    _ = app.app.handle(.paste(" of two"))
    try app.press("Enter")
    #expect(app.tasks.count == 250 && app.status.hasPrefix("0 of 250 rows…"))
    finish(app)
    #expect(app.tasks.map(\.text) == ["new one of two"])
    try app.press("Esc", "V", "Space")
    #expect(app.tasks.allSatisfy { $0.completed })
    try app.press("u", "u", "u")
    finish(app)
    #expect(app.tasks.map(\.text) == (0..<250).map { "t\($0)" } && app.tasks.allSatisfy { $0.completed })
    // A request to the loop comes from work, then.
    try app.press("V", "Space", "q")
    var requests: [App.Request] = []
    while app.app.hasWork {
      if let request = app.app.work(for: .milliseconds(4)) { requests.append(request) }
    }
    #expect(requests == [.quit(status: 0)])
  }

  @Test("An action that fails makes the keys void that wait for it")
  func voidKeys() throws {
    let app = try harness()
    var ending: LongWork.Ending?
    let failing = LongWork(count: 250, advance: { _ in throw CancellationError() }, finish: { ending = $0 })
    _ = app.app.follow(.carryOut(failing))
    try app.press("d", "q")
    while app.app.hasWork { #expect(app.app.work(for: .milliseconds(4)) == nil) }
    #expect(ending.map { if case .failed = $0 { true } else { false } } == true)
    #expect(app.tasks.count == 250 && app.app.front === app.app.screen)
  }

  @Test("Esc stops: what was done stays, and is one action for undo", arguments: ["Esc", "C-c"])
  func stopping(_ key: String) throws {
    let app = try harness()
    try app.press("V", "d")
    app.app.work(for: .milliseconds(4))
    // Void: they were meant for what has been stopped.
    try app.press("d", "q")
    if key == "Esc" { try app.press("Esc") } else { _ = app.app.handle(.interrupted(signal: 2)) }
    finish(app)
    #expect(app.status == "Stopped after 50 of 250 rows. u takes back what was done.")
    #expect(app.tasks.count == 200 && app.rows.first == "t50")
    try app.press("j", "u")
    finish(app)
    #expect(app.tasks.map(\.text) == (0..<250).map { "t\($0)" })
  }

  @Test("Another program that holds the file makes it wait, not fail")
  func busy() throws {
    let app = try harness()
    let other = try app.other()
    app.store.writeTimeout = 0
    try app.press("V", "d")
    try other.store.beginWrite()
    app.app.work(for: .milliseconds(4))
    app.draw()
    #expect(app.status.hasPrefix("0 of 250 rows; another program is writing…"))
    other.store.cancelWrite()
    finish(app)
    #expect(app.tasks.isEmpty)
  }

  @Test("Rows that others delete meanwhile are left out; a list that goes away ends it")
  func meanwhile() throws {
    let app = try harness()
    let other = try app.other()
    let last = app.tasks[249].id
    try app.press("V", "Space")
    app.app.work(for: .milliseconds(4))
    try other.delete([last], in: RowScope(app.place))
    finish(app)
    #expect(app.tasks.count == 249 && app.tasks.allSatisfy(\.completed))
    _ = try other.add("Other", to: .lists)
    try app.press("V", "Space")
    app.app.work(for: .milliseconds(4))
    // It is meant for a task, not for the list on which the cursor stands then.
    try app.press("d")
    try other.delete([TaskList.firstListID], in: RowScope(.lists))
    try app.catchUp()
    app.draw()
    finish(app)
    try app.settle()
    #expect(app.title == "Lists" && app.store.lists.map(\.text) == ["Other"])
  }

  @Test("The first rows that are there say whether many are completed, not those that others have deleted")
  func deletedFirst() throws {
    let app = try harness()
    let other = try app.other()
    let first = app.tasks.prefix(120).map(\.id)
    try app.press("V", "Space")
    try other.delete(first, in: RowScope(app.place))
    finish(app)
    #expect(app.tasks.count == 130 && app.tasks.allSatisfy(\.completed))
  }

  @Test("Many tasks get a date, a priority, a new list")
  func others() throws {
    let app = try harness()
    try app.press("V")
    _ = app.app.run(line: "due 1 may 2031")
    finish(app)
    #expect(app.tasks.allSatisfy { $0.date != nil } && app.status.hasPrefix("250 tasks are due"))
    try app.press("V", "+")
    finish(app)
    #expect(app.tasks.allSatisfy { $0.priority != .none })
    // As requested already: the sentence must not say that the rows are gone.
    for (line, sentence) in [
      ("priority c", "The 250 rows have priority C already."),
      ("due 1 may 2031", "The 250 rows are due 1 May 2031 already."),
      ("wait none", "The 250 rows do not wait."),
    ] {
      try app.press("V")
      _ = app.app.run(line: line)
      finish(app)
      #expect(app.status == sentence)
    }
    try app.press("V", ">")
    app.type("Elsewhere")
    try app.press("Enter", "y")
    finish(app)
    #expect(app.tasks.isEmpty && app.status == "Moved 250 rows to the new list “Elsewhere”.")
    let new = try #require(app.store.lists.first { $0.text == "Elsewhere" })
    #expect(new.items.map(\.text) == (0..<250).map { "t\($0)" })
    try app.press("u")
    finish(app)
    #expect(app.tasks.count == 250 && app.store.lists.count == 1)
  }

  @Test("So many marked rows that they are found in parts: no key reads them all")
  func veryMany() throws {
    let app = try harness(2500)
    let other = try app.other()
    try app.settle()
    try app.press("V")
    #expect(app.title.hasSuffix("2,500 marked") && !app.app.hasWork)
    try other.add("new", to: app.place, at: .below(app.tasks[9].id))
    try other.delete([app.tasks[20].id], in: RowScope(app.place))
    try app.settle()
    #expect(app.title.hasSuffix("2,499 marked"))
    try app.press("x")
    #expect(app.status.hasPrefix("0 of 2,500 rows…"))
    app.app.work(for: .milliseconds(4))
    try app.press("Esc")
    #expect(app.status == "Stopped; nothing was changed." && app.title.hasSuffix("2,499 marked"))
    // Keys that wait for the search are handled after the command.
    try app.press("d", "g")
    #expect(app.tasks.count == 2500)
    // A row that goes after it has been passed is left out.
    app.app.work(for: .milliseconds(4))
    try other.delete([app.tasks[0].id], in: RowScope(app.place))
    finish(app)
    #expect(app.tasks.map(\.text) == ["new"])
    try app.press("u")
    finish(app)
    #expect(app.tasks.count == 2499 && app.tasks[9].text == "new")
  }

  @Test("A range of very many rows becomes marks in parts, of which those of deleted rows go")
  func veryLongRange() throws {
    let app = try harness(2500)
    let other = try app.other()
    // Before changes are reported.
    try app.press("V")
    finish(app)
    try other.delete([app.tasks[2].id], in: RowScope(app.place))
    try other.add("t2", to: app.place, at: .below(app.tasks[1].id))
    try app.settle()
    finish(app)
    #expect(app.title.hasSuffix("2,499 marked"))
    try app.press("V", "V", "g", "v", "G", "Tab")
    #expect(app.status.hasPrefix("0 of 2,500 rows…"))
    finish(app)
    #expect(app.title.hasSuffix("2,499 marked"))
    try other.delete([app.tasks[3].id, app.tasks[2499].id], in: RowScope(app.place))
    try app.settle()
    finish(app)
    #expect(app.title.hasSuffix("2,498 marked"))
    // The rows are found anew when the question has been answered.
    try app.press("D")
    finish(app)
    try other.delete([app.tasks[0].id], in: RowScope(app.place))
    app.type("1 may 2031")
    try app.press("Enter")
    finish(app)
    #expect(app.status.hasPrefix("2,497 tasks are due") && app.tasks.allSatisfy { $0.date != nil })
    try app.press("V", "J")
    finish(app)
    #expect(app.title.hasSuffix("2,497 marked"))
    try other.delete(app.tasks.map(\.id), in: RowScope(app.place))
    try app.settle()
    finish(app)
    #expect(app.status == "The marked rows are no longer here." && !app.title.contains("marked"))
  }

  @Test("Many tasks are put below another one, and back, and undo takes each as one action")
  func subtasks() throws {
    let app = try harness(251)
    let texts = (0..<251).map { "t\($0)" }
    try app.press("j", "v", "G")
    #expect(app.title.hasSuffix("250 marked"))
    _ = app.app.run(line: "demote")
    app.draw()
    #expect(app.status.hasPrefix("0 of 250 rows…"))
    finish(app)
    #expect(app.tasks.map(\.text) == ["t0"] && app.tasks[0].subtasks.map(\.text) == Array(texts[1...]))
    #expect(app.status.hasPrefix("Put 250 tasks below “t0”"))
    try app.press("l", "V")
    _ = app.app.run(line: "promote")
    app.draw()
    #expect(app.status.hasPrefix("0 of 250 rows…"))
    finish(app)
    #expect(app.store.lists[0].items.map(\.text) == texts)
    #expect(app.status == "Moved 250 subtasks to “My Tasks”.")
    try app.press("u")
    finish(app)
    #expect(app.store.lists[0].items.map(\.text) == ["t0"])
    try app.press("u")
    finish(app)
    #expect(app.store.lists[0].items.map(\.text) == texts)
  }

  @Test("Of many tasks put below another one those with subtasks stay")
  func refusedPart() throws {
    let app = try harness(151)
    try app.store.add("sub", to: .subtasks(of: app.tasks[140].id))
    try app.settle()
    try app.press("j", "v", "G")
    _ = app.app.run(line: "demote")
    finish(app)
    #expect(app.tasks.map(\.text) == ["t0", "t140"])
    #expect(app.status == "Put 149 tasks below “t0”; l opens it. One that has subtasks stays.")
  }
}
