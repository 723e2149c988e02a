import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("Tasks that a window puts in their places of a list that is kept sorted")
struct KeptListScreenTests {
  private let app: AppHarness
  private let work: Identifier

  init() throws {
    app = try AppHarness(["b", "d", "f", "DONE"], width: 80)
    work = try #require(try app.store.add("Work", to: .lists).rowID)
    try app.store.add(["y", "z"], to: .tasks(inList: work))
    try app.store.setOrder([TaskList.firstListID, work], to: .text, in: RowScope(.lists))
    try app.settle()
  }

  /// Runs keys, which make one transaction, and checks the rows at once, on the screen and in the file.
  private func check(_ rows: [String], _ keys: () throws -> Void) throws {
    let before = app.store.writeCount
    try keys()
    #expect(app.store.writeCount == before + 1, "\(rows)")
    let line = rows.joined(separator: " ")
    #expect(app.line.filter { !"[]".contains($0) } == line)
    try app.settle()
    #expect(app.store.writeCount == before + 1)
    #expect(app.line.filter { !"[]".contains($0) } == line && app.rows == rows, "\(app.frame.text)")
  }

  @Test("Each key changes a task and its place in one transaction, also for undo, and the cursor goes along")
  func oneTransaction() throws {
    try check(["b", "d", "e", "f", "DONE"]) {
      try app.press("A")
      app.type("e")
      try app.press("Enter")
    }
    #expect(app.selected == "e")
    try check(["d", "e", "f", "g", "DONE"]) {
      try app.press("g", "e", "C-u")
      app.type("g")
      try app.press("Enter")
    }
    #expect(app.selected == "g")
    try check(["b", "d", "e", "f", "DONE"]) { try app.press("u") }
    try check(["d", "e", "f", "g", "DONE"]) { try app.press("C-r") }
    try check(["d", "DONE", "e", "f", "g"]) { try app.press("G", "x") }
  }

  @Test("So does one that brings a task into another list, which is in order as well")
  func otherList() throws {
    let before = app.store.writeCount
    try app.store.edit(app.tasks[1].id, in: RowScope(app.place), text: "yy")
    try app.settle()
    try app.press("G", "k")
    #expect(app.selected == "yy")
    let count = app.store.writeCount
    #expect(count > before)
    try app.command("move-to-list Work")
    #expect(app.store.list(work)?.items.map(\.text) == ["y", "yy", "z"])
    #expect(app.store.writeCount == count + 1)
  }

  @Test("No row moves while several are typed one below the other, until the last one is stored")
  func severalTyped() throws {
    try app.press("g", "o")
    app.type("z")
    try app.press("C-o")
    #expect(app.line == "b z d f [DONE]")
    app.type("a")
    try app.settle()
    #expect(app.line == "b z d f [DONE]")
    try app.press("Enter")
    try app.settle()
    #expect(app.line == "a b d f z [DONE]" && app.rows == ["a", "b", "d", "f", "z", "DONE"])
    #expect(app.selected == "a")
  }

  @Test("What another program has put out of order is put in order by the screen, with the same outcome")
  func unsorted() throws {
    let other = try app.other()
    try other.store.write { other.list(TaskList.firstListID)?.items.move(from: 2, to: 0) }
    try app.press("A")
    app.type("c")
    try app.press("Enter")
    try app.settle()
    #expect(app.line == "b c d f [DONE]" && app.rows == ["b", "c", "d", "f", "DONE"] && app.selected == "c")
  }
}
