import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("Completing without a list in sight")
struct CompletingTests {
  @Test("Completed tasks go to the end as one step, which undo takes back and redo does again")
  func complete() throws {
    let fixture = try TasksStoreFixture(tasks: "a b c d E")
    let ids = try [fixture.id("b"), fixture.id("d"), fixture.id("e"), Identifier()]
    #expect(try fixture.store.complete(ids) == Array(ids.prefix(2)))
    #expect(fixture.line == "a c E B D")
    _ = try fixture.store.undo(showing: RowScope(fixture.place))
    #expect(fixture.line == "a b c d E")
    _ = try fixture.store.redo(showing: RowScope(fixture.place))
    #expect(fixture.line == "a c E B D")
  }

  @Test("The last task is completed where it is")
  func last() throws {
    let fixture = try TasksStoreFixture(tasks: "a b")
    try fixture.store.complete([fixture.id("b")])
    #expect(fixture.line == "a B")
    _ = try fixture.store.undo(showing: RowScope(fixture.place))
    #expect(fixture.line == "a b")
  }

  @Test("With nothing to complete nothing is written, and there is nothing to undo")
  func nothing() throws {
    let fixture = try TasksStoreFixture(tasks: "A")
    #expect(try fixture.store.complete([fixture.id("a"), Identifier()]).isEmpty)
    #expect(try fixture.store.undo(showing: RowScope(fixture.place)) == .nothing)
  }
}
