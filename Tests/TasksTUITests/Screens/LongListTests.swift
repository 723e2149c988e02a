import Glibc
import Synchronization
import TasksModel
import Testing

@testable import LiveStore
@testable import TasksTUI

/// A list that is longer than what is read at the start.
@Suite("A long list")
struct LongListTests {
  private let app: AppHarness

  init() throws {
    app = try AppHarness((0..<20_100).map { "t\($0)" })
  }

  private var isFollowed: Bool { (app.app.screen as? TasksScreen)?.rows.tokens.isEmpty == false }

  @Test("Its order is not read as long as it is only looked at")
  func looking() throws {
    #expect(!isFollowed && app.rows.first == "t0")
    try app.press("j")
    #expect(isFollowed)
    try app.press("G")
    #expect(app.selected == "t20099")
  }

  @Test("A frame does not count its rows, which takes as long as reading them")
  func counting() throws {
    let statements = StatementList()
    let connection = app.store.store.front.connection
    // Another thread may be counting the open ones.
    let frame = pthread_self()
    connection.setTrace { if pthread_equal(pthread_self(), frame) != 0 { statements.append($0.sql) } }
    defer { connection.setTrace(nil) }
    // A number that was read before belongs to the former state.
    try app.store.store.write { try app.store.store.create(SavedSearch.self, value: [:]) }
    app.draw()
    app.draw()
    #expect(statements.all.filter { $0.contains("count(*) FROM \"TaskList_items\"") } == [])
    #expect(app.store.list(TaskList.firstListID)?.items.count == 20_100)
    #expect(statements.all.contains { $0.contains("count(*) FROM \"TaskList_items\"") })
  }

  /// The statements that a connection has run.
  private final class StatementList: Sendable {
    private let statements = Mutex<[String]>([])

    var all: [String] { statements.withLock { $0 } }
    func append(_ sql: String) { statements.withLock { $0.append(sql) } }
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

  @Test("In a list of some thousands the first change by others moves the rows as the next one does")
  func motion() throws {
    let app = try AppHarness((0..<1_100).map { "t\($0)" }, isAnimated: true)
    let other = try app.other()
    try app.settle()
    while (app.app.screen as? TasksScreen)?.rows.hasBegun == false { try app.settle() }
    try other.delete([app.tasks[1].id], in: RowScope(app.place))
    try app.catchUp()
    app.draw()
    #expect(app.app.nextFrame(after: app.now) != nil, "nothing moves")
    try app.settle()
    #expect(app.rows.prefix(2) == ["t0", "t2"])
    try app.press("G")
    try app.settle()
    #expect(app.selected == "t1099")
  }

  @Test("The first key may be one that changes it")
  func firstKey() throws {
    try app.press("d")
    #expect(app.rows.first == "t1" && app.tasks.count == 20_099)
    try app.press("u")
    #expect(app.rows.first == "t0" && app.tasks.count == 20_100)
  }
}
