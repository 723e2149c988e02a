import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI

@Suite("The subtasks of a task")
struct SubtasksScreenTests {
  @Test("l opens them, h goes back to their task, and everything is done to them as to tasks")
  func open() throws {
    let app = try AppHarness(["a", "party", "c"], width: 80)
    try app.press("j", "l")
    #expect(app.title == "My Tasks › party" && app.texts.contains { $0.contains("No subtasks") })
    try app.press("a")
    app.type("cake")
    try app.press("Enter", "o")
    app.type("music")
    try app.press("Enter", "k", "x")
    try app.settle()
    #expect(app.words == ["music", "cake"] && app.outline == "a party(music [cake]) c")
    #expect(app.title.hasSuffix("1 open"))
    try app.press("K", "e")
    app.type("!")
    try app.press("Enter", "u", "l")
    #expect(app.status == "A subtask has no subtasks of its own.")
    #expect(app.outline == "a party(music [cake]) c")
    try app.press("h")
    #expect(app.isInList && app.words == ["a", "party 1/2", "c"])
    #expect(app.selected?.hasPrefix("party") == true)
    try app.press("Right", "Left", "Left")
    #expect(app.title == "Lists")
  }

  @Test("The title follows the names of the list and of the task")
  func title() throws {
    let app = try AppHarness(["party"], width: 80)
    let other = try app.other()
    try app.press("l")
    try other.edit(app.id("party"), in: RowScope(app.place), text: "feast")
    try app.settle()
    #expect(app.title.hasPrefix("My Tasks › feast"))
    try other.edit(TaskList.firstListID, in: RowScope(.lists), text: "Mine")
    try app.settle()
    #expect(app.title.hasPrefix("Mine › feast"))
  }

  @Test(
    "When the task goes elsewhere, the screen goes back to the list, says so, and keeps what was typed",
    arguments: ["deleted", "cleared", "moved", "demoted", "undone"])
  func departure(how: String) throws {
    let app = try AppHarness(["a", "party"], width: 100)
    let other = try app.other()
    let work = try #require(try other.add("Work", to: .lists).rowID)
    try app.catchUp()
    let party = try app.id("party")
    try app.press("j", "l", "a")
    app.type("cake")
    let expected: String
    switch how {
    case "deleted":
      try other.delete([party], in: RowScope(app.place))
      expected = "The task “party” was deleted."
    case "cleared":
      try other.toggleCompleted([party], in: RowScope(app.place))
      try app.settle()
      #expect(app.title.hasPrefix("My Tasks › party"))
      try other.clearCompleted(in: RowScope(app.place))
      expected = "The task “party” was moved to “Archive”."
    case "moved":
      try other.move([party], in: RowScope(app.place), toList: work)
      expected = "The task “party” was moved to “Work”."
    case "demoted":
      try other.demote([party], in: RowScope(app.place), below: app.id("a"))
      expected = "The task “party” was moved to “My Tasks › a”."
    default:
      try other.store.write { other.list(TaskList.firstListID)?.items.remove(at: 1) }
      expected = "The task “party” was taken from its list."
    }
    try app.settle()
    #expect(app.isInList)
    // Further keys were meant for the text, and are no commands.
    let rows = app.rows
    try app.press("d", "a", "d", "x", "u", "PageUp")
    #expect(app.rows == rows && app.texts.last?.hasSuffix("(Enter)") == true)
    try app.press("Enter")
    #expect(app.status == expected + " Ctrl-Y in a row brings back what you were typing.")
    try app.press("g", "e", "C-e", "C-y", "Enter")
    #expect(app.tasks.first?.text == "acake")
  }

  @Test("The number of subtasks stands apart from the mark of a note, with a priority and without")
  func countBesideNote() throws {
    let app = try AppHarness(["party"], width: 40)
    try app.addSubtasks(["cake"], to: "party")
    try app.store.setNotes(app.id("party"), to: "there")
    try app.settle()
    #expect(app.texts[1].hasSuffix(" 0/1 ≡"))
    try app.press("+")
    #expect(app.texts[1].hasSuffix(" 0/1  C ≡"))
  }

  @Test("With the list everything goes, and that is said of the list")
  func listDeleted() throws {
    let app = try AppHarness(["party"], width: 80)
    let other = try app.other()
    try app.addSubtasks(["cake"], to: "party")
    try app.press("l")
    try other.delete([TaskList.firstListID], in: RowScope(.lists))
    try app.settle()
    #expect(app.title == "Lists" && app.status == "The list “My Tasks” was deleted elsewhere.")
  }

  @Test("Undo may take away the task whose subtasks are open")
  func undoTakesTask() throws {
    let app = try AppHarness(["a"], width: 80)
    try app.press("A")
    app.type("party")
    try app.press("Enter", "l", "u")
    #expect(app.isInList && app.words == ["a"])
    #expect(app.status == "Undid: adding “party”.")
    try app.press("C-r")
    #expect(app.words == ["party", "a"])
  }

  @Test("S begins a subtask, :subtask adds one from the list; a completed task and a subtask get none")
  func adding() throws {
    let app = try AppHarness(["a", "party", "C"], width: 80)
    try app.press("j", "S")
    app.type("cake")
    try app.press("Enter")
    #expect(app.title.hasPrefix("My Tasks › party") && app.outline == "a party(cake) [C]")
    try app.press("S", "Esc", "h")
    _ = app.app.run(line: "subtask Find music")
    try app.settle()
    #expect(app.words == ["a", "party 0/2", "C"] && app.outline == "a party(cake Find music) [C]")
    try app.press("k", ".")
    try app.settle()
    #expect(app.words == ["a 0/1", "party 0/2", "C"])
    #expect(app.status == "Added below “a”.")
    try app.press("u")
    #expect(app.words == ["a", "party 0/2", "C"])
    try app.press("G", "S")
    #expect(app.status == "A completed task has no open subtasks; open it again first.")
    _ = app.app.run(line: "subtask x")
    #expect(app.outline == "a party(cake Find music) [C]")
    #expect(app.app.message == "A completed task has no open subtasks; open it again first.")
    try app.press("h", "S", "z", "]", "[")
    #expect(app.title == "Lists")
  }

  @Test("Below a completed task no text is typed in vain, and the bottom line offers no key that is refused")
  func completedOwner() throws {
    let app = try AppHarness(["party"], width: 80)
    try app.press("S")
    app.type("cake")
    try app.press("Enter", "h", "Space", "l")
    #expect(app.title.hasPrefix("My Tasks › party"))
    #expect(app.status.contains("h back") && !app.status.contains("a add"), "\(app.status)")
    for key in ["a", "A", "o", "O"] {
      try app.press(key)
      #expect(app.status == "A completed task has no open subtasks; open it again first.")
      #expect(!app.app.screen.isEditing)
    }
  }

  @Test("A task is put below the one above it, and taken out again")
  func demoting() throws {
    let app = try AppHarness(["a", "b", "c", "d", "E"], width: 80)
    try app.press("]")
    #expect(app.status == "There is no open task above to put it below.")
    try app.press("j", "]")
    #expect(app.words == ["a 0/1", "c", "d", "E"] && app.selected?.hasPrefix("a") == true)
    #expect(app.status == "Put “b” below “a”; l opens it.")
    try app.press("G", "u")
    #expect(app.words == ["a", "b", "c", "d", "E"] && app.selected == "b")
    try app.press("C-R")
    #expect(app.words == ["a 0/1", "c", "d", "E"] && app.selected?.hasPrefix("a") == true)
    try app.press("j", "v", "j", "S-Right")
    #expect(app.outline == "a(b c d) [E]" && app.words == ["a 0/3", "E"])
    try app.press("G", "]")
    #expect(app.status == "A completed row cannot be moved.")
    try app.press("[")
    #expect(app.status == "Only a subtask can be promoted.")
    try app.press("g", "l", "]")
    #expect(app.status == "A subtask has no subtasks of its own.")
    try app.press("j", "M-Left")
    #expect(app.status == "Moved “c” to “My Tasks”." && app.words == ["b", "d"])
    try app.press("u", "u", "h")
    #expect(app.outline == "a(b) c d [E]")
    try app.press("u", "u")
    #expect(app.outline == "a b c d [E]" || app.status == "There is nothing to undo.")
    try app.press("g")
    _ = app.app.run(line: "3 demote")
    #expect(app.outline == "a b c d [E]")
  }

  @Test("A task that has subtasks cannot become one")
  func refusedDemotion() throws {
    let app = try AppHarness(["a", "b"], width: 80)
    try app.addSubtasks(["c"], to: "b")
    try app.press("j", "]")
    #expect(app.status == "A task that has subtasks cannot become one." && app.outline == "a b(c)")
  }

  @Test("Completing a task completes its subtasks, deleting it takes them along; u brings all back")
  func together() throws {
    let app = try AppHarness(["party", "b"], width: 80)
    try app.addSubtasks(["cake", "music"], to: "party")
    try app.press("z", "x")
    try app.settle()
    #expect(app.words == ["b", "party 2/2", "✓ cake", "✓ music"])
    try app.press("u")
    #expect(app.words == ["party 0/2", "○ cake", "○ music", "b"])
    try app.press("g", "d")
    #expect(app.words == ["b"])
    try app.press("u")
    #expect(app.words == ["party 0/2", "○ cake", "○ music", "b"])
  }

  @Test("Search over everything finds subtasks, tells where they are, and opens them there")
  func search() throws {
    let app = try AppHarness(["party", "b"], width: 80)
    try app.addSubtasks(["cake", "music"], to: "party")
    try app.press("/", "Tab")
    app.type("mus")
    try app.settle()
    #expect(app.words == ["music My Tasks › party"])
    try app.press("Enter")
    #expect(app.title.hasPrefix("My Tasks › party") && app.selected == "music")
    // Among the subtasks that are open.
    try app.press("Esc", "/")
    app.type("ca")
    try app.settle()
    #expect(app.words == ["cake"] && app.title.hasPrefix("My Tasks › party"))
    try app.press("Enter")
    #expect(app.selected == "cake" && app.title.hasPrefix("My Tasks › party"))
  }

  @Test("n and N also visit tasks of which a subtask matches, and say which; d says what is gone")
  func nextMatch() throws {
    let app = try AppHarness(["one milk", "two", "three milk"], width: 80)
    try app.addSubtasks(["bread", "oat milk"], to: "two")
    try app.press("/")
    app.type("milk")
    try app.settle()
    try app.press("Enter")
    try app.settle()
    #expect(app.selected?.hasPrefix("one milk") == true)
    try app.press("n")
    #expect(app.selected?.hasPrefix("two") == true && app.status == "Below it: “oat milk”.")
    try app.press("n")
    #expect(app.selected?.hasPrefix("three milk") == true)
    try app.press("N")
    #expect(app.selected?.hasPrefix("two") == true)
    try app.press("G", "d")
    #expect(app.status == "Deleted “three milk”. u brings it back.")
  }

  @Test("Search in a list finds its subtasks, shows them on their task, and opens them")
  func searchInList() throws {
    let app = try AppHarness(["party", "b", "music lesson"], width: 80)
    try app.addSubtasks(["cake", "music"], to: "party")
    try app.press("/")
    app.type("mus")
    try app.settle()
    #expect(app.words == ["party › music", "music lesson"])
    app.type("x")
    try app.settle()
    try app.press("Backspace")
    let other = try app.other()
    try other.edit(app.id("music"), in: RowScope(.subtasks(of: app.id("party"))), text: "Mustard")
    try app.settle()
    #expect(app.words == ["party › Mustard", "music lesson"])
    try app.press("Enter")
    try app.settle()
    #expect(app.title.hasPrefix("My Tasks › party") && app.selected == "Mustard")
  }

  @Test("S among subtasks adds another one of the same task, and what is typed next is its text")
  func sibling() throws {
    let app = try AppHarness(["party", "b"], width: 80)
    try app.addSubtasks(["cake"], to: "party")
    try app.press("l", "S")
    app.type("dj")
    try app.press("Enter")
    try app.settle()
    #expect(app.words == ["cake", "dj"] && app.outline == "party(cake dj) b")
  }

  @Test("Today shows subtasks that are due, and what goes with their task goes from there")
  func today() throws {
    let app = try AppHarness(
      ["party", "b"], width: 80, date: LocalTime(year: 2026, month: 11, day: 21, hour: 10))
    try app.addSubtasks(["cake", "music"], to: "party")
    let day = AppHarness.calendar.date(of: LocalTime(year: 2026, month: 11, day: 21))
    try app.store.setDate([app.id("cake"), app.id("party"), app.id("b")], in: RowScope(nil), to: day)
    try app.press("T")
    try app.settle()
    #expect(
      app.words.filter { $0 != "today" }.sorted() == [
        "b My Tasks", "cake My Tasks › party", "party My Tasks",
      ])
    let row = try #require(app.words.filter { $0 != "today" }.firstIndex { $0.hasPrefix("cake") })
    for _ in 0..<row { try app.press("j") }
    try app.press("l")
    #expect(app.title.hasPrefix("My Tasks › party") && app.selected == "cake")
    try app.press("T", "Esc")
    #expect(app.title.hasPrefix("My Tasks › party") && app.selected == "cake")
    try app.press("T", "g")
    while app.selected?.hasPrefix("party") != true { try app.press("j") }
    try app.press("d")
    #expect(app.words == ["b My Tasks", "today"])
    try app.press("u")
    #expect(app.words.count == 6)
    while app.selected?.hasPrefix("party") != true { try app.press("j") }
    try app.press("x")
    #expect(app.words == ["b My Tasks", "today"] && app.outline == "b [party]([cake] [music])")
  }
}
