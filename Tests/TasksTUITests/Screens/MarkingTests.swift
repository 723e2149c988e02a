import FoundationEssentials
import TasksModel
import Testing

@testable import TasksTUI

@Suite("Several rows")
struct MarkingTests {
  /// The rows with a mark.
  private func marked(_ app: AppHarness) -> [String] {
    app.texts.dropFirst().dropLast().filter { $0.first == "●" || $0.first == "◉" }.map {
      String($0.dropFirst(2))
    }
  }

  @Test("Tab marks single rows, v a range that goes with the cursor, V all; Esc ends it")
  func marking() throws {
    let app = try AppHarness(["a", "b", "c", "d", "e"])
    try app.press("Tab", "j", "Tab")
    #expect(marked(app) == ["a", "c"] && app.title.hasSuffix("2 marked") && app.selected == "d")
    try app.press("k", "Tab")
    #expect(marked(app) == ["a"])
    try app.press("Esc")
    #expect(marked(app) == [] && app.title.hasPrefix("My Tasks"))
    try app.press("g", "j", "v", "j", "j")
    #expect(marked(app) == ["b", "c", "d"] && app.title.hasSuffix("3 marked"))
    try app.press("k", "k", "k")
    #expect(marked(app) == ["a", "b"])
    try app.press("v", "G")
    #expect(marked(app) == ["a", "b"])
    try app.press("v")
    #expect(app.title.hasSuffix("3 marked"))
    try app.press("V")
    #expect(marked(app).count == 5)
    try app.press("V")
    #expect(marked(app) == [])
  }

  @Test("Completing, deleting and moving are one step for all of them, and one step to be undone")
  func actions() throws {
    let app = try AppHarness(["a", "b", "c", "d", "e"])
    try app.press("v", "j", "x")
    #expect(app.line == "c d e [a] [b]" && marked(app) == [])
    try app.press("u")
    #expect(app.line == "a b c d e" && app.status == "Undid: completing 2 rows.")
    try app.press("g", "Tab", "j", "Tab", "J")
    #expect(app.line == "b a d c e" && marked(app) == ["a", "c"])
    try app.press("2", "J")
    #expect(app.line == "b d e a c")
    try app.press("K", "Esc", "2", "u")
    #expect(app.line == "b a d c e")
    try app.press("u")
    #expect(app.line == "a b c d e")
    try app.press("V", "d")
    #expect(app.line == "" && app.status.hasPrefix("Deleted 5 rows."))
    try app.press("u")
    #expect(app.line == "a b c d e" && app.rows == ["a", "b", "c", "d", "e"])
    try app.press("C-r", "u")
    #expect(app.line == "a b c d e")
  }

  @Test("Rows that others put into the range are not meant; those that they delete are not missed")
  func others() throws {
    let app = try AppHarness(["a", "b", "c", "d", "e"])
    let other = try app.other()
    try app.press("j", "v", "j", "j")
    try other.add("new", to: app.place, at: .below(app.tasks[1].id))
    try other.delete([app.tasks[0].id], in: RowScope(app.place))
    try app.settle()
    #expect(app.rows == ["b", "new", "c", "d", "e"].map { $0 })
    #expect(marked(app) == ["b", "c", "d"] && app.title.hasSuffix("3 marked"))
    try other.delete([try #require(app.tasks.first { $0.text == "c" }).id], in: RowScope(app.place))
    try app.settle()
    #expect(app.title.hasSuffix("2 marked"))
    try app.press("d")
    #expect(app.line == "new e")
    try app.press("u")
    #expect(app.line == "b new d e")
  }

  @Test("V marks the rows that are here, and no later ones; when all of them have gone, that is told")
  func all() throws {
    let app = try AppHarness(["a", "b", "c"])
    let other = try app.other()
    try app.press("V")
    try other.add("new", to: app.place, at: .below(app.tasks[0].id))
    try app.settle()
    #expect(marked(app) == ["a", "b", "c"] && app.title.hasSuffix("3 marked"))
    try app.press("J")
    #expect(app.line == "new a b c" && app.title.hasSuffix("3 marked"))
    try app.press("g", "Tab")
    #expect(marked(app).count == 4)
    try app.press("G", "Tab")
    #expect(marked(app) == ["new", "a", "b"])
    try app.press("V", "V", "V")
    try other.add("newer", to: app.place)
    try other.delete(app.tasks.filter { $0.text != "newer" }.map(\.id), in: RowScope(app.place))
    try app.settle()
    #expect(app.line == "newer" && app.status == "The marked rows are no longer here.")
    try app.press("d")
    #expect(app.line == "newer" && app.status == "The marked rows are no longer here.")
    try app.press("d")
    #expect(app.line == "")
  }

  @Test("Without marks a command is about the row under the cursor, as ever")
  func noMarks() throws {
    let app = try AppHarness(["a", "b"])
    try app.press("Tab", "Tab", "Esc", "k", "d")
    #expect(app.line == "b")
    try app.press("V", "e")
    app.type("!")
    try app.press("Enter")
    #expect(app.line == "b!" && marked(app) == [])
  }
}
