import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

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
    try other.store.write { other.task(id)?.date = Date() }
    try app.settle()
    #expect(app.rows.count == 3 && app.rows[1].contains("today ") && app.rows[2] == "two")
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

  @Test("A new list tells how to begin")
  func onboarding() throws {
    let app = try AppHarness(width: 60)
    #expect(app.frame.text.contains("a adds a task") && app.frame.text.contains("? shows every key"))
  }
}
