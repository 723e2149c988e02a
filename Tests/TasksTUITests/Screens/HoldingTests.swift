import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("A row that is lifted")
struct HoldingTests {
  @Test("m lifts it, motions move it, Enter drops it; all of that is one step to be undone")
  func lift() throws {
    let app = try AppHarness(["one", "two", "three", "four", "DONE"])
    try app.press("j", "m")
    #expect(app.texts[2].hasPrefix("↕ two") && app.status.contains("drop"))
    try app.press("j", "j", "k", "g")
    #expect(app.line == "two one three four [DONE]")
    try app.press("G")
    #expect(app.line == "one three four two [DONE]" && app.texts[4].hasPrefix("↕ two"))
    try app.press("Enter")
    #expect(app.selected == "two" && app.line == "one three four two [DONE]")
    try app.press("k")
    #expect(app.selected == "four" && app.line == "one three four two [DONE]")
    try app.press("u")
    #expect(app.line == "one two three four [DONE]" && app.selected == "two")
    try app.press("u")
    #expect(app.status == "There is nothing to undo.")
    try app.press("C-r")
    #expect(app.line == "one three four two [DONE]")
  }

  @Test(
    "Esc puts it back, even if others, or one's own other window, have added rows; that is no step to be undone",
    arguments: ["Esc", "h"], ["another person", Author.current])
  func putBack(key: String, author: String) throws {
    let app = try AppHarness(["one", "two", "three", "four"])
    try app.press("j", "m", "2", "j")
    #expect(app.line == "one three four two")
    try app.other(author: author).add("new", to: app.place, at: .top)
    try app.settle()
    #expect(app.texts[5].hasPrefix("↕ two"))
    try app.press("k", key)
    #expect(app.line == "new one two three four" && app.selected == "two")
    #expect(app.rows == ["new", "one", "two", "three", "four"])
    try app.press("u")
    #expect(app.status == (author == Author.current ? "Undid: adding “new”." : "There is nothing to undo."))
    #expect(app.title.hasPrefix("My Tasks"))
  }

  @Test("A row that others delete or complete is taken out of the hand; another command drops it first")
  func taken() throws {
    let app = try AppHarness(["one", "two", "three"])
    let other = try app.other()
    try app.press("m", "j")
    try other.delete([app.tasks[1].id], in: RowScope(app.place))
    try app.settle()
    #expect(app.status.hasPrefix("That row has just been deleted"))
    try app.press("j")
    #expect(app.line == "two three")
    try app.press("g", "m")
    try other.toggleCompleted([app.tasks[0].id], in: RowScope(app.place))
    try app.settle()
    #expect(app.status.hasPrefix("The lifted row has been completed"))
    try app.press("j")
    #expect(app.line == "three [two]")
    try app.press("g", "m", "d")
    #expect(app.line == "[two]")
    try app.press("m")
    #expect(app.status == Refusal.movingCompletedRow.description)
  }

  @Test("The neighbours slide aside, and the row lies above them")
  func motion() throws {
    let app = try AppHarness(["one", "two", "three"], isAnimated: true)
    try app.press("m")
    let before = app.frame
    _ = app.app.handle(.key(Key(.character("j"))))
    app.pass(.milliseconds(50))
    app.draw()
    #expect(app.frame != before && app.app.nextFrame(after: app.now) != nil)
    app.pass(.seconds(1))
    app.draw()
    #expect(app.texts[2].hasPrefix("↕ one"))
  }
}
