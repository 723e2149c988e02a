import FoundationEssentials
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Colours of lists, lists kept sorted and tasks that wait, on the screen")
struct ListPropertyScreenTests {
  private static let monday = LocalTime(year: 2026, month: 11, day: 30, hour: 9)

  @Test("A list gets a colour, by name or number, in its rows, among the lists, and beside its tasks")
  func color() throws {
    let app = try AppHarness(["one", "two"], width: 80)
    try app.command("color green")
    let green = try #require(RGB("#70b86c"))
    #expect(app.store.list(TaskList.firstListID)?.color == "#70b86c")
    #expect(app.frame[60, 2].style.background == Gradient(ofList: green).color(row: 1, of: 2))
    try app.press("h")
    #expect(app.frame[60, 1].style.background == green.blended(with: .white, amount: 0.25))
    try app.command("color #0a84ff")
    #expect(app.store.list(TaskList.firstListID)?.color == "#0a84ff")
    try app.command("color mauve")
    #expect(app.status.hasPrefix("“mauve” is no colour: red, orange"))
    try app.press("u")
    #expect(app.store.list(TaskList.firstListID)?.color == "#70b86c")
    #expect(app.status == "Undid: the colour of “My Tasks”.")
    try app.press(":")
    app.type("color")
    try app.press("Enter")
    app.type("pu")
    try app.press("Enter")
    #expect(app.store.list(TaskList.firstListID)?.color == ListColor.value(of: "purple"))
    try app.command("color none")
    #expect(app.store.list(TaskList.firstListID)?.color == "")
    try app.command("today")
    try app.command("color red")
    #expect(app.status == "That is for a list; open one first.")
  }

  @Test("The rows of every colour, and any, have text of one colour that can be read")
  func contrast() {
    var random = SeededGenerator()
    let any = (0..<300).map { _ in
      RGB(
        .random(in: 0...255, using: &random), .random(in: 0...255, using: &random),
        .random(in: 0...255, using: &random))
    }
    for color in ListColor.names.map(\.color) + any {
      let rows = (0..<40).map { Gradient(ofList: color).color(row: $0, of: 40) }
      #expect(rows.allSatisfy { $0.contrast(with: $0.contrastingText) >= 4.5 }, "\(color), \(random.comment)")
    }
  }

  @Test("Marked lists are kept sorted, and coloured, as one change; what is so already is said")
  func severalLists() throws {
    let app = try AppHarness(["m"], width: 80)
    try app.store.add("Work", to: .lists)
    try app.store.add("Home", to: .lists)
    try app.press("h")
    try app.settle()
    func orders() -> [RowOrder?] { app.store.lists.map(\.order) }
    try app.press("V")
    try app.command("keep-sorted due")
    #expect(orders() == [.due, .due, .due])
    #expect(app.status == "The 3 lists are kept sorted by due date from now on.")
    try app.command("keep-sorted due")
    #expect(app.status == "The 3 lists are kept sorted by due date already.")
    try app.command("color red")
    try app.command("color red")
    #expect(app.status == "The 3 lists have this colour already.")
    try app.press("u", "u")
    #expect(orders() == [nil, nil, nil] && app.store.lists.allSatisfy { $0.color.isEmpty })
    #expect(app.status == "Undid: the kept order of 3 rows.")
    try app.command("keep-sorted off")
    #expect(app.status == "“My Tasks” keeps the order that you give it already.")
    try app.command("color none")
    #expect(app.status == "“My Tasks” has no colour of its own.")
  }

  @Test("A list is kept sorted, whoever adds to it; its rows cannot be moved until that is off")
  func keptSorted() throws {
    let app = try AppHarness(["c", "a", "DONE"], width: 80)
    try app.command("keep-sorted text")
    #expect(app.line == "a c [DONE]" && app.rows == ["a", "c", "DONE"])
    #expect(app.title.hasSuffix("2 open, by text"))
    try app.press("a")
    app.type("b")
    try app.press("Enter")
    try app.settle()
    #expect(app.line == "a b c [DONE]" && app.rows == ["a", "b", "c", "DONE"] && app.selected == "b")
    try app.other().add("aa", to: app.place)
    try app.settle()
    #expect(app.line == "a aa b c [DONE]" && app.rows == ["a", "aa", "b", "c", "DONE"])
    for key in ["J", "K", "m", "s"] {
      try app.press(key)
      #expect(app.status == "This list is kept sorted by text; :keep-sorted off ends that.", "\(key)")
    }
    try app.press("u")
    try app.settle()
    #expect(app.line == "a aa c [DONE]")
    try app.command("keep-sorted off")
    #expect(app.status == "“My Tasks” keeps the order that you give it.")
    try app.press("g", "J")
    #expect(app.line == "aa a c [DONE]")
    try app.command("keep-sorted size")
    #expect(app.status == "“size” is no order: due, priority, text, off.")
    try app.press("u", "u")
    try app.settle()
    #expect(app.title.hasSuffix("by text") && app.line == "a aa c [DONE]")
  }

  @Test("A list in which another program has put a task several times is kept sorted, and the screen rests")
  func repeatedTask() throws {
    let app = try AppHarness(["b", "a", "c"], width: 80)
    try app.command("keep-sorted text")
    try app.settle()
    let other = try app.other()
    try other.store.write {
      let items = try #require(other.list(TaskList.firstListID)).items
      for index in [0, 1] { items.append(items[index]) }
    }
    for _ in 0..<2 { try app.settle() }
    #expect(app.line == "a a b b c" && app.rows == ["a", "a", "b", "b", "c"] && !app.app.hasWork)
    try other.edit(app.tasks[0].id, in: RowScope(app.place), text: "bb")
    for _ in 0..<2 { try app.settle() }
    #expect(app.line == "b b bb bb c" && app.rows == ["b", "b", "bb", "bb", "c"] && !app.app.hasWork)
  }

  @Test("Undo of a kept order shows the order of the person again, with the cursor on its row")
  func orderTakenBack() throws {
    let app = try AppHarness(["c", "a", "d", "b", "DONE"], width: 80)
    try app.press("j")
    try app.command("keep-sorted text")
    #expect(app.rows == ["a", "b", "c", "d", "DONE"] && app.selected == "a")
    let other = try app.other()
    try other.add("bb", to: app.place)
    try app.settle()
    #expect(app.rows == ["a", "b", "bb", "c", "d", "DONE"])
    for _ in 0..<2 {
      try app.press("u")
      #expect(app.status == "Undid: the kept order of “My Tasks”.")
      #expect(app.rows == ["c", "a", "d", "b", "bb", "DONE"] && app.selected == "a")
      try app.settle()
      #expect(app.line == "c a d b bb [DONE]" && app.title.hasSuffix("5 open"))
      try app.press("C-r")
      try app.settle()
      #expect(app.rows == ["a", "b", "bb", "c", "d", "DONE"] && app.selected == "a")
    }
  }

  @Test("A list that is kept sorted is in order when a task comes to it from another screen, and is undone")
  func sortedOutOfSight() throws {
    let app = try AppHarness(["m"], width: 80)
    let work = try #require(try app.store.add("Work", to: .lists).rowID)
    for text in ["a", "z"] { try app.store.add(text, to: .tasks(inList: work)) }
    try app.store.setOrder([work], to: .text, in: RowScope(.lists))
    try app.settle()
    func texts() -> [String] { app.store.list(work)?.items.map(\.text) ?? [] }
    try app.command("move-to-list Work")
    #expect(texts() == ["a", "m", "z"])
    try app.press("u", "C-r")
    #expect(texts() == ["a", "m", "z"])
  }

  @Test("A list that is kept sorted is in order while the subtasks of one of its tasks are on the screen")
  func sortedBehindSubtasks() throws {
    let app = try AppHarness(["c", "a", "b"], width: 80)
    try app.store.add("s1", to: .subtasks(of: app.tasks[0].id))
    try app.press("l")
    try app.settle()
    #expect(app.title.contains("c") && app.rows == ["s1"])
    try app.command("keep-sorted text")
    #expect(app.line == "a b c")
    try app.other().add("aa", to: app.place)
    try app.settle()
    #expect(app.line == "a aa b c")
  }

  @Test("A list that is not on the screen is in order after changes of others, which two windows sort once")
  func sortedAfterOthers() throws {
    let app = try AppHarness(["m"], width: 80, date: Self.monday)
    let (work, home) = (Identifier(), Identifier())
    try app.store.store.write {
      for (id, name, order) in [(work, "Work", RowOrder.text), (home, "Home", .due)] {
        let list = TaskList()
        (list.id, list.text, list.sorting) = (id, name, order.rawValue)
        app.store.store.add(list)
        app.store.lists.append(list)
      }
    }
    let other = try app.other()
    other.dates = app.store.dates
    let second = try app.other()
    let window = App(store: second, appearance: Appearance(isAnimated: false), clock: { .zero })
    func settle() throws {
      for _ in 0..<3 {
        try app.settle()
        try second.store.refresh()
        window.processNotifications()
        _ = window.draw(width: 80, height: 12, at: .zero)
      }
    }
    func texts(_ id: Identifier) -> [String] { app.store.list(id)?.items.map(\.text) ?? [] }
    try settle()
    for text in ["z", "a", "m"] { try other.add(text, to: .tasks(inList: work)) }
    for text in ["Plan", "Call on friday", "Pay tomorrow"] { try other.add(text, to: .tasks(inList: home)) }
    try settle()
    #expect(texts(work) == ["a", "m", "z"] && texts(home) == ["Plan", "Call on friday", "Pay tomorrow"])
    // As the worker does.
    try DateWorker.readAll(DateWorker.unread(in: other), other.dates)
    try settle()
    #expect(texts(home) == ["Pay tomorrow", "Call on friday", "Plan"])
    let z = try #require(app.store.list(work)?.items.last).id
    try other.edit(z, in: RowScope(.tasks(inList: work)), text: "b")
    try settle()
    #expect(texts(work) == ["a", "b", "m"])
    let version = try app.store.store.currentVersion()
    try settle()
    #expect(try app.store.store.currentVersion() == version)
  }

  @Test("A list that is kept sorted takes another order at once, and is in order after any changes of others")
  func otherOrder() throws {
    let app = try AppHarness(["c", "a", "b"], width: 80, height: 60)
    try app.command("keep-sorted text")
    let other = try app.other()
    let last = try #require(app.store.list(TaskList.firstListID)?.items.last)
    try other.setPriority([last.id], in: RowScope(app.place)) { _ in .a }
    try app.settle()
    try app.command("keep-sorted priority")
    #expect(app.title.hasSuffix("by priority") && app.line == "c a b")
    try app.press("u")
    try app.settle()
    #expect(app.title.hasSuffix("by text") && app.line == "a b c")
    var random = SeededGenerator()
    let list = try #require(app.store.list(TaskList.firstListID))
    for round in 0..<30 {
      let id = list.items.filter { !$0.completed }.map(\.id).randomElement(using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try other.add("n\(Int.random(in: 0..<50, using: &random))", to: app.place)
      case 1: if let id { try other.edit(id, in: RowScope(app.place), text: "e\(round)") }
      case 2: if let id { try other.toggleCompleted([id], in: RowScope(app.place)) }
      default:
        // Where there is one below it.
        if let id { _ = try? other.move([id], in: RowScope(app.place), by: 1) }
      }
      try app.settle()
      let texts = list.items.filter { !$0.completed }.map(\.text)
      #expect(texts == texts.sorted(), "\(random.comment)")
      // Without the priority at their right end.
      let rows = app.rows.map { $0.prefix { $0 != " " } }
      #expect(rows.prefix(texts.count) == texts.prefix(rows.count).map { $0[...] }[...], "\(random.comment)")
    }
  }

  @Test("A long list is sorted when it is opened if others have added to it")
  func sortedWhenOpened() throws {
    let long = ["b", "c"] + (1000...2000).map { "d\($0)" }
    let app = try AppHarness(long, width: 80)
    try app.store.setOrder([TaskList.firstListID], to: .text, in: RowScope(.lists))
    try app.press("h")
    let a = try app.other()
    try a.add("a", to: app.place)
    try app.settle()
    #expect(app.tasks.map(\.text) == long + ["a"])
    try app.press("l")
    try app.settle()
    #expect(app.tasks.map(\.text) == ["a"] + long && app.rows.starts(with: ["a", "b", "c"]))
  }

  @Test("W hides a task in its list until a date; :waiting shows it by day; then it comes back")
  func waiting() throws {
    let app = try AppHarness(["one", "two", "three"], width: 80, date: Self.monday)
    try app.press("j", "W")
    #expect(app.texts.last == "  Wait until:")
    app.type("tomorrow 10:00")
    try app.press("Enter")
    #expect(app.status == "“two” waits until tomorrow 10:00; :waiting shows what waits.")
    try app.settle()
    try app.settle()
    #expect(app.rows == ["one", "three"] && app.title.hasSuffix("2 open, 1 waiting"))
    try app.command("waiting")
    try app.settle()
    #expect(app.rows[0] == "Tomorrow, Tuesday 1 December" && app.rows[1].hasPrefix("two"))
    #expect(app.rows[2] == "10:00")
    try app.press("Esc")
    try app.settle()
    // A row is added below those that are seen, and moved among them.
    try app.press("a")
    app.type("four")
    try app.press("Enter", "K")
    try app.settle()
    #expect(app.rows == ["one", "four", "three"])
    #expect(app.app.nextFrame(after: app.now) != nil, "when it comes back")
    app.pass(.seconds(25 * 3600 + 60))
    try app.settle()
    try app.settle()
    #expect(app.rows.contains("two") && app.title.hasSuffix("4 open"))
    // The message about one that has come back is over.
    try app.command("wait tomorrow 10:30")
    #expect(app.status.contains("waits until tomorrow 10:30"))
    app.pass(.seconds(23 * 3600))
    try app.settle()
    #expect(app.status.contains("waits until tomorrow 10:30"))
    app.pass(.seconds(3 * 3600))
    try app.settle()
    #expect(!app.status.contains("waits until"))
    try app.press("u")
    try app.command("wait none")
    try app.press("u")
    try app.command("wait yesterday")
    #expect(app.status == "That is not later than now.")
  }

  @Test("The prompt of W offers no day that has begun, and says of a typed one that it is over")
  func waitPrompt() throws {
    let app = try AppHarness(["one"], width: 80, date: Self.monday)
    try app.press("W")
    #expect(!app.texts.contains { $0.hasPrefix("  today") })
    #expect(app.texts.contains("  tomorrow   Tuesday 1 December 2026"))
    #expect(app.texts.contains("  none       does not wait"))
    app.type("today")
    app.draw()
    #expect(app.texts.contains("  That is not later than now.") && app.texts.last == "  Wait until: today")
    try app.press("Esc", "D")
    #expect(app.texts.contains("  today      Monday 30 November 2026"))
    #expect(app.texts.contains("  none       no date"))
  }

  @Test("What waits no longer leaves :waiting at once, and is never overdue there")
  func endOfWaiting() throws {
    let app = try AppHarness(["one", "two", "three"], width: 80, date: Self.monday)
    try app.command("wait today 9:30")
    try app.press("g")
    try app.command("wait today 9:17")
    try app.command("waiting")
    #expect(app.rows.dropFirst().map { $0.prefix { $0 != " " } } == ["two", "9:17", "one", "9:30"])
    // The frame that shows it is due at that moment, though no key is struck.
    #expect(try #require(app.app.nextFrame(after: app.now)) <= app.now + .seconds(17 * 60))
    app.pass(.seconds(17 * 60))
    try app.settle()
    #expect(app.rows.count == 3 && app.rows[1].hasPrefix("one") && app.title.hasSuffix("1 task"))
    // A text that is being typed is finished first.
    try app.press("e")
    app.pass(.seconds(20 * 60))
    try app.settle()
    #expect(app.rows.last?.hasPrefix("one") == true && !app.texts.contains { $0.contains("overdue") })
    try app.press("Esc")
    try app.settle()
    #expect(app.texts.contains { $0.contains("Nothing waits") })
  }

  @Test("In a list where all wait it says so, and a long list finds out in the background")
  func allWaiting() throws {
    let app = try AppHarness(["one"], width: 80, date: Self.monday)
    try app.command("wait fri")
    try app.settle()
    #expect(app.texts.contains { $0.contains("Nothing to do yet: 1 waiting") })
    let long = try AppHarness((0..<1200).map { "t\($0)" }, width: 80, date: Self.monday)
    try long.command("wait fri")
    for _ in 0..<200 where !long.title.hasSuffix("waiting") { try long.settle() }
    #expect(long.rows.first == "t1" && long.title.hasSuffix("1,199 open, 1 waiting"))
    // Asking for the numbers does not wait for the counting.
    let items = try #require(long.store.list(TaskList.firstListID)).items
    let start = long.app.context.calendar.now()
    var changes = 0
    let waiting = WaitingTasks(
      in: items, of: nil, isShort: false, now: start, isOfArchive: false, isKnown: false,
      app.app.context.memory
    ) { changes += 1 }
    waiting.begin()
    #expect(waiting.openCount == nil && waiting.count == 0 && !waiting.needsOtherRows(start))
    try long.settle()
    for _ in 0..<200 where changes == 0 { try long.settle() }
    #expect(waiting.count == 1 && waiting.needsOtherRows(start) && waiting.openCount == 1199)
  }

  @Test("Thousands of marked rows are moved in parts")
  func movingMany() throws {
    let app = try AppHarness((0..<300).map { "t\($0)" }, width: 80)
    try app.press("v")
    for _ in 0..<249 { _ = app.app.handle(.key(Key(.character("j")))) }
    try app.press("5", "0", "J")
    while app.app.hasWork { app.app.work(for: .milliseconds(4)) }
    app.draw()
    let expected = (250..<300).map { "t\($0)" } + (0..<250).map { "t\($0)" }
    #expect(app.tasks.map(\.text) == expected && app.title.hasSuffix("250 marked"))
    try app.press("u")
    while app.app.hasWork { app.app.work(for: .milliseconds(4)) }
    #expect(app.tasks.map(\.text) == (0..<300).map { "t\($0)" })
  }

  @Test("Words that were searched for get a name, by which any window finds them again")
  func savedSearches() throws {
    let app = try AppHarness(["buy milk #home", "buy paper #office", "call"], width: 90)
    try app.press("F")
    #expect(app.status.hasPrefix("No search has a name yet; search with /"))
    try app.command("save-search shop")
    #expect(app.status == "No search has the name “shop”; search with /, and Enter keeps the words.")
    try app.press("/")
    app.type("buy #home")
    try app.settle()
    try app.press("Enter")
    try app.command("save-search Shop")
    #expect(app.status == "F finds “buy #home” as “Shop” from now on.")
    try app.press("Esc")
    try app.other().saveSearch("#office", as: "Work")
    try app.settle()
    try app.press("F")
    #expect(app.texts.contains { $0.contains("Shop") && $0.contains("buy #home") })
    app.type("w")
    try app.press("Enter")
    try app.settle()
    #expect(app.title.hasPrefix("All lists") && app.texts.last?.hasPrefix("  /#office") == true)
    #expect(app.rows.count == 1 && app.rows[0].hasPrefix("buy paper"))
    // It is live.
    let paper = try #require(app.tasks.first { $0.text.hasPrefix("buy paper") })
    try app.other().edit(paper.id, in: RowScope(app.place), text: "buy ink")
    try app.settle()
    #expect(app.rows.isEmpty || app.texts.contains { $0.contains("Nothing found") })
    try app.press("Esc")
    try app.command("filter shop")
    try app.settle()
    #expect(app.rows.first?.hasPrefix("buy milk") == true)
    try app.press("Esc")
    try app.command("save-search shop")
    #expect(app.status == "“shop” is no longer a search; it was “buy #home”.")
    try app.command("filter shop")
    #expect(app.status == "No search has the name “shop”.")
    // Esc has ended the search, whose words are the last still.
    try app.command("save-search again")
    #expect(app.status == "F finds “buy #home” as “again” from now on.")
    try app.command("save-search")
    #expect(app.status == "Search with / first; Enter keeps the words.")
  }
}
