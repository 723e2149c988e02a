import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("The lists screen")
struct ListsScreenTests {
  @Test("Keys that come faster than frames mean the row on which the cursor begins")
  func fasterThanFrames() throws {
    let app = try AppHarness(["one", "two"])
    for key in ["h", "Enter", "d"] { _ = app.app.handle(.key(try #require(Key(key)))) }
    app.draw()
    #expect(app.rows == ["two"] && app.status.hasPrefix("Deleted “one”."))
  }

  @Test("What only tasks have is not asked of a list, and that is said")
  func tasksOnly() throws {
    let app = try AppHarness(["one"], width: 60)
    try app.press("h")
    for key in ["D", "R", "c", "E", "P", "+", "S", "z", ">"] {
      try app.press(key)
      #expect(app.status == "That is for tasks; l opens the list.", "\(key)")
    }
  }

  /// Row texts have their badges at the right end.
  private func words(_ app: AppHarness) -> [[String]] {
    app.rows.map { $0.split(separator: " ").map(String.init) }
  }

  @Test(
    "h and ← go to the lists, l, → and Enter open one",
    arguments: [("h", "l"), ("Left", "Right"), ("h", "Enter")])
  func navigation(back: String, open: String) throws {
    let app = try AppHarness(["one"])
    try app.press(back)
    try app.settle()
    #expect(app.title == "Lists" && words(app) == [["My", "Tasks", "1"]])
    try app.press(open)
    try app.settle()
    #expect(app.title.hasPrefix("My Tasks") && app.rows == ["one"])
  }

  @Test("A list shows the number of its open tasks, at once when it changes elsewhere")
  func badges() throws {
    let app = try AppHarness(["one", "two", "DONE"])
    try app.press("h")
    try app.settle()
    #expect(words(app) == [["My", "Tasks", "2"]])
    let other = try app.other()
    try other.add("three", to: app.place)
    try app.settle()
    #expect(words(app) == [["My", "Tasks", "3"]])
  }

  @Test("A list is added, renamed, moved, completed and deleted like a task")
  func operations() throws {
    let app = try AppHarness(["one"])
    try app.press("h", "a")
    app.type("Work")
    try app.press("Enter")
    try app.settle()
    #expect(words(app) == [["My", "Tasks", "1"], ["Work", "0"]])
    #expect(app.selected?.hasPrefix("Work") == true)
    try app.press("x")
    #expect(app.status == Refusal.completingListWithoutOpenTasks.description)
    try app.press("K")
    #expect(words(app) == [["Work", "0"], ["My", "Tasks", "1"]])
    try app.press("e")
    app.type("!")
    try app.press("Enter")
    #expect(words(app).first == ["Work!", "0"])
    try app.press("j", "d")
    try app.settle()
    #expect(words(app) == [["Work!", "0"]] && app.tasks.isEmpty)
    #expect(app.store.store.objects(TaskItem.self).isEmpty)
    try app.press("d")
    try app.settle()
    #expect(app.rows.first?.contains("No lists") == true)
  }

  @Test("The list that is open goes away elsewhere: back to the lists, and it is said")
  func openListDeleted() throws {
    let app = try AppHarness(["one"], width: 80)
    let other = try app.other()
    try other.add("Other", to: .lists)
    try app.press("a")
    app.type("typed")
    try other.delete([TaskList.firstListID], in: RowScope(.lists))
    try app.settle()
    #expect(app.title == "Lists" && app.texts.last?.hasSuffix("(Enter)") == true)
    // Further letters would delete the other list; Enter ends typing.
    try app.press("d", "a", "d", "Enter")
    try app.settle()
    #expect(app.title == "Lists" && words(app) == [["Other", "0"]])
    #expect(app.status.contains("The list “My Tasks” was deleted elsewhere. Ctrl-Y"))
    try app.press("a", "C-y", "Enter")
    try app.settle()
    #expect(words(app) == [["Other", "0"], ["typed", "0"]])
  }

  @Test("Undo that takes away the open list says what it undid")
  func undoTakesOpenList() throws {
    let app = try AppHarness(["one"], width: 80)
    try app.press("h", "a")
    app.type("Work")
    try app.press("Enter", "l", "a")
    app.type("two")
    try app.press("Enter", "u", "u")
    try app.settle()
    #expect(words(app) == [["My", "Tasks", "1"]] && app.status == "Undid: adding “Work”.")
    try app.press("C-r")
    try app.settle()
    #expect(words(app) == [["My", "Tasks", "1"], ["Work", "0"]] && app.status == "Redid: adding “Work”.")
    try app.press("d", "u", "l", "C-r")
    try app.settle()
    #expect(words(app) == [["My", "Tasks", "1"]] && app.status == "Redid: deleting “Work”.")
  }

  @Test("The list that is open goes away elsewhere while a date is asked for: what is typed on is no command")
  func openListDeletedInPrompt() throws {
    let app = try AppHarness(["one"], width: 80)
    let other = try app.other()
    try other.add("Other", to: .lists)
    try app.press("D")
    app.type("next ")
    try other.delete([TaskList.firstListID], in: RowScope(.lists))
    try app.settle()
    try app.press("d", "a", "d")
    try app.settle()
    #expect(app.texts.last?.hasPrefix("  The list “My Tasks” was deleted elsewhere. (Enter)") == true)
    #expect(words(app) == [["Other", "0"]])
    try app.press("Escape", "d")
    try app.settle()
    #expect(app.rows.first?.contains("No lists") == true)
  }

  @Test("A list that is deleted while the key that opens it is on its way is not opened")
  func openDeletedList() throws {
    let app = try AppHarness()
    let other = try app.other()
    try app.press("h")
    try app.settle()
    try other.add("Other", to: .lists)
    try other.delete([TaskList.firstListID], in: RowScope(.lists))
    try app.catchUp()
    try app.press("l")
    #expect(
      app.title == "Lists" && app.status == "That row has just been deleted elsewhere.")
    try app.press("l")
    #expect(app.title.hasPrefix("Other"))
  }

  @Test("The app opens in the list that was open last")
  func lastList() throws {
    let app = try AppHarness(["one"], stateFile: true)
    try app.store.add("Work", to: .lists)
    try app.press("h")
    try app.settle()
    try app.press("j", "l")
    try app.settle()
    #expect(app.title.hasPrefix("Work"))
    func opened() -> String {
      let state = StateFile(database: app.folder("tasks.db"), environment: ["HOME": app.folder.path])
      return App(store: app.store, appearance: Appearance(), stateFile: state, clock: { .zero }).screen.title
    }
    #expect(opened() == "Work")
    let work = try #require(app.store.lists.last?.id)
    try app.store.delete([work], in: RowScope(.lists))
    #expect(opened() == "My Tasks")
    try app.store.delete([TaskList.firstListID], in: RowScope(.lists))
    #expect(opened() == "Lists")
  }
}
