import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("The archive and what was done, on the screen")
struct ArchiveScreenTests {
  /// The first words of the rows.
  private func texts(_ app: AppHarness) -> [String] { app.rows.map { String($0.prefix { $0 != " " }) } }

  @Test("C moves completed tasks to the archive, Space brings one back, C there empties it after a question")
  func archive() throws {
    let app = try AppHarness(["one", "TWO", "THREE"], width: 80)
    try app.command("archive")
    #expect(app.status.hasPrefix("The archive is empty; C in a list"))
    try app.press("C")
    #expect(app.line == "one")
    #expect(app.status == "Cleared 2 completed rows. u brings them back, :archive shows them.")
    try app.command("archive")
    #expect(app.title.hasPrefix("Archive") && app.title.hasSuffix("2 tasks"))
    #expect(texts(app) == ["TWO", "THREE"] && app.rows.allSatisfy { $0.hasSuffix(" My Tasks") })
    #expect(app.status.hasPrefix("Space bring back  C empty  h lists"))
    try app.press("a")
    #expect(app.status == "The archive holds completed tasks, which were cleared.")
    #expect(!app.app.screen.isEditing)
    try app.press("Space")
    #expect(app.status == "Brought “TWO” back to “My Tasks”." && texts(app) == ["THREE"])
    #expect(app.tasks.map(\.text) == ["one", "TWO"] && !app.tasks[1].completed)
    try app.press("u")
    #expect(texts(app) == ["TWO", "THREE"] && app.line == "one")
    try app.press("C")
    #expect(app.status == "Delete all 2 tasks of the archive? (y/n)")
    try app.press("n")
    #expect(app.rows.count == 2)
    try app.press("C", "y")
    #expect(app.rows.first?.contains("The archive is empty") != false)
    #expect(app.status == "Deleted 2 rows. u brings them back." && app.store.allTasks.count == 1)
    try app.press("u")
    #expect(texts(app) == ["TWO", "THREE"])
    try app.press("h")
    #expect(app.title == "Lists" && app.rows.allSatisfy { !$0.contains("Archive") })
  }

  @Test("The search finds what was cleared, and opens it in the archive; the next start opens a list")
  func search() throws {
    let app = try AppHarness(["one", "TWO"], width: 80, stateFile: true)
    try app.press("C", "/", "Tab")
    app.type("two")
    try app.settle()
    #expect(app.rows.first?.hasPrefix("TWO") == true && app.rows.first?.contains("Archive") == true)
    try app.press("Enter")
    #expect(app.title.hasPrefix("Archive"))
    #expect(app.app.stateFile?.lastList != TaskList.archiveID)
  }

  @Test("A list that is cleared leaves its tasks in the archive, many in parts")
  func lists() throws {
    let app = try AppHarness((0..<150).map { "t\($0)" }, width: 80)
    try app.press("h", "Space", "y", "C", "y")
    while app.app.hasWork { app.app.work(for: .milliseconds(4)) }
    app.draw()
    #expect(app.store.lists.isEmpty && app.store.archive?.items.count == 150)
    #expect(
      app.status
        == "Cleared “My Tasks” with 150 tasks. u brings them back, :archive shows the tasks.")
    #expect(app.store.archive?.items.map(\.text) == (0..<150).map { "t\($0)" })
    try app.press("u")
    while app.app.hasWork { app.app.work(for: .milliseconds(4)) }
    #expect(app.tasks.map(\.text) == (0..<150).map { "t\($0)" } && app.store.archive?.items.isEmpty == true)
  }

  @Test("Done shows what was completed in any list and the archive, the last first, with the moment")
  func done() throws {
    let app = try AppHarness(
      ["one", "two", "three"], width: 80, date: LocalTime(year: 2026, month: 11, day: 23, hour: 9))
    try app.command("done")
    #expect(app.title.hasPrefix("Done") && app.title.hasSuffix("0 tasks"))
    #expect(app.texts.contains { $0.contains("Nothing has been done yet") })
    try app.press("h", "Space", "C")
    app.pass(.seconds(25 * 3600))
    try app.press("Space")
    try app.command("done")
    let words = app.rows.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      words == [
        "Today, Tuesday 24 November", "two My Tasks", "10:00", "Yesterday, Monday 23 November", "one Archive",
        "9:00",
      ])
    try app.press("G", "Space")
    #expect(app.status == "Brought “one” back to “My Tasks”." && app.rows.count == 3)
    #expect(app.tasks.map(\.text) == ["three", "one", "two"])
    try app.press("l")
    #expect(app.title.hasPrefix("My Tasks"))
  }
}
