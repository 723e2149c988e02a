import FoundationEssentials
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("What a command is about, when rows go or wait while it is being given")
struct MeantRowsTests {
  private static let monday = LocalTime(year: 2026, month: 11, day: 30, hour: 9)
  private let app: AppHarness
  private let other: TasksStore

  init() throws {
    app = try AppHarness(["a", "b", "c", "d", "e", "f"], width: 80, date: Self.monday)
    other = try app.other()
    try other.add("Work", to: .lists)
    try app.settle()
  }

  private func wait(_ text: String) throws {
    let tomorrow = app.app.context.calendar.now().addingTimeInterval(86_400)
    try other.setWaiting([app.id(text)], in: RowScope(app.place), until: tomorrow)
    try app.settle()
    try app.settle()
  }

  private func delete(_ texts: String...) throws {
    for text in texts { try other.delete([app.id(text)], in: RowScope(app.place)) }
    try app.settle()
  }

  private func answer(_ text: String) throws {
    app.type(text)
    try app.press("Enter")
    try app.settle()
  }

  private var due: [String] { app.tasks.filter { $0.date != nil }.map(\.text) }

  @Test("The row of a prompt begins to wait: it is what the answer is about, and no other one")
  func prompt() throws {
    try app.press("j", "j", "j", ">")
    try wait("d")
    try answer("Work")
    #expect(app.line == "a b c e f")
    try app.press("j")
    #expect(app.selected != nil)
  }

  @Test("Marks stay when another row begins to wait, also for a prompt that is open")
  func marks() throws {
    try app.press("Tab", "Tab", "D")
    try wait("f")
    try answer("fri")
    #expect(due == ["a", "b"])
    try wait("e")
    try app.press("Home", "Tab", "Tab")
    #expect(app.app.screen.hasMode)
    try wait("d")
    try app.press("d")
    #expect(app.line == "c d e f")
  }

  @Test("A lifted row can be put back after another one has begun to wait")
  func lifted() throws {
    try app.press("j", "m", "j", "j")
    try wait("f")
    try app.press("Esc")
    #expect(app.line == "a b c d e f")
    try app.settle()
    #expect(app.rows.prefix(5) == ["a", "b", "c", "d", "e"] && !app.rows.contains("f"))
  }

  @Test("The cursor stays in place when its row begins to wait")
  func cursor() throws {
    try app.press("j", "j", "W")
    try answer("+3d")
    try app.settle()
    #expect(app.selected == "d")
  }

  @Test("When all marked rows go, the next command changes no other one", arguments: ["D", "d", ">"])
  func lostMarks(key: String) throws {
    try app.press("Tab", "Tab")
    if key != "d" { try app.press(key) }
    try delete("a", "b")
    if key == "d" { try app.press("d") } else { try answer(key == "D" ? "fri" : "Work") }
    #expect(app.line == "c d e f" && due == [])
    // Said once; a person who goes on means the row under the cursor.
    try app.press("Esc", "j", "d")
    #expect(app.line == "c e f")
  }

  @Test("A range does not take in the row that comes under the cursor")
  func range() throws {
    try app.press("v", "j", "j")
    try delete("c")
    #expect(app.title.hasSuffix("2 marked"))
    try app.press("d")
    #expect(app.line == "d e f")
  }

  @Test("A prompt with a number is about the rows of the moment at which it was opened")
  func counted() throws {
    try app.press("2", "D")
    try delete("b")
    try answer("fri")
    #expect(due == ["a"] && app.line == "a c d e f")
    // Repeated, it is about other rows.
    try app.press("j", ".")
    try app.settle()
    #expect(due == ["a", "c", "d"])
  }

  @Test("That a row is gone is said of one that was deleted alone")
  func sentence() throws {
    try app.press("j", "D")
    let work = try #require(other.lists.first { $0.text == "Work" }).id
    try other.move([app.id("b")], in: RowScope(app.place), toList: work)
    try app.settle()
    try answer("fri")
    #expect(app.status == "That row is no longer here.")
    try app.press("D")
    try delete("c")
    try answer("fri")
    #expect(app.status == "That row has just been deleted elsewhere.")
  }

  @Test("A frame is due at once at a moment that has passed")
  func passed() throws {
    let before = app.app.context.clock()
    let context = ScreenContext(store: app.store, appearance: Appearance(), clock: { before + .seconds(1) })
    #expect(context.moment(of: .distantPast) <= before)
  }
}
