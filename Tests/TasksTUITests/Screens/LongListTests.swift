import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

/// A list that is longer than what is read at the start.
@Suite("A long list")
struct LongListTests {
  private let app: AppHarness

  init() throws {
    app = try AppHarness((0..<1_100).map { "t\($0)" })
  }

  private var isFollowed: Bool { (app.app.screen as? TasksScreen)?.rows.tokens.isEmpty == false }

  @Test("Its order is not read as long as it is only looked at")
  func looking() throws {
    #expect(!isFollowed && app.rows.first == "t0")
    try app.press("j")
    #expect(isFollowed)
    try app.press("G")
    #expect(app.selected == "t1099")
  }

  @Test("What others change shows, the first time as the next time")
  func foreignChanges() throws {
    let other = try app.other()
    let scope = RowScope(app.place)
    try other.delete([app.tasks[0].id], in: scope)
    try app.settle()
    #expect(isFollowed && app.rows.first == "t1")
    try other.delete([app.tasks[0].id], in: scope)
    try app.settle()
    #expect(app.rows.first == "t2")
  }

  @Test("The first key may be one that changes it")
  func firstKey() throws {
    try app.press("d")
    #expect(app.rows.first == "t1" && app.tasks.count == 1_099)
    try app.press("u")
    #expect(app.rows.first == "t0" && app.tasks.count == 1_100)
  }
}
