import FoundationEssentials
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("Searching as one types")
struct SearchScreenTests {
  private func highlighted(_ app: AppHarness, line: Int) -> String {
    (0..<app.width).filter { app.frame[$0, line].style.background == RGB(255, 214, 102) }
      .map { app.frame[$0, line].text }.joined()
  }

  @Test(
    "/ shows what has the words, marked, while they are typed; Enter goes there, n and N go on, Esc ends it")
  func search() throws {
    let app = try AppHarness(["Buy milk", "Call mother", "Crème", "milk the cow"].map { $0.lowercased() })
    try app.press("/")
    app.type("MIL")
    try app.settle()
    #expect(app.rows == ["buy milk", "milk the cow"] && app.title.hasSuffix("2 matches"))
    #expect(highlighted(app, line: 1) == "mil" && highlighted(app, line: 2) == "mil")
    #expect(app.texts.last?.hasPrefix("  /MIL") == true && app.frame.cursor?.column == 6)
    try app.press("Down", "Enter")
    try app.settle()
    #expect(app.selected == "milk the cow" && app.title.hasPrefix("My Tasks"))
    #expect(highlighted(app, line: 4) == "mil" && highlighted(app, line: 2) == "")
    try app.press("n")
    #expect(app.selected == "buy milk")
    try app.press("N", "2", "n")
    #expect(app.selected == "milk the cow")
    try app.press("Esc")
    #expect(highlighted(app, line: 4) == "" && app.title.hasPrefix("My Tasks"))
    try app.press("Esc", "n")
    #expect(app.selected == "buy milk" && highlighted(app, line: 4) == "mil")
  }

  @Test(
    "Esc leaves the search, with the cursor where it was; Backspace on nothing too",
    arguments: ["Esc", "C-g"])
  func leave(key: String) throws {
    let app = try AppHarness(["one", "two"])
    try app.press("j", "/", "o")
    try app.press(key)
    #expect(app.rows == ["one", "two"] && app.selected == "two")
    try app.press("/", "Backspace")
    #expect(app.rows == ["one", "two"])
  }

  @Test("Enter right after Tab does not leave the search, whose rows are yet to come")
  func enterAtOnce() throws {
    for keys in [["Tab", "Tab"], ["Tab"]] {
      let app = try AppHarness(["buy milk", "call"], width: 60)
      try app.press("/")
      app.type("call")
      try app.settle()
      for key in keys { try app.press(key) }
      try app.press("Enter")
      try app.settle()
      if app.title.contains("match") { try app.press("Enter") }
      try app.settle()
      #expect(app.title.hasPrefix("My Tasks") && app.selected == "call")
    }
  }

  @Test("A tag finds the tasks that have it, marked, and others as soon as somebody else gives it to them")
  func tags() throws {
    let app = try AppHarness(["sweep #home", "do #homework", "mop #home"])
    try app.press("/")
    app.type("#home")
    try app.settle()
    #expect(app.rows == ["sweep #home", "mop #home"] && highlighted(app, line: 1) == "#home")
    app.type(" op")
    try app.settle()
    #expect(app.rows == ["mop #home"])
    try app.other().edit(app.tasks[1].id, in: RowScope(app.place), text: "stop #home")
    try app.settle()
    #expect(app.rows == ["stop #home", "mop #home"])
  }

  @Test("Tab searches all lists and back; a match in another list is opened there")
  func everything() throws {
    let app = try AppHarness(["buy milk", "call"], width: 60)
    let work = try #require(try app.store.add("Work", to: .lists).rowID)
    try app.store.add(["ask", "send milk bill"], to: .tasks(inList: work))
    try app.settle()
    try app.press("/")
    app.type("milk")
    try app.settle()
    #expect(app.rows == ["buy milk"])
    try app.press("Tab")
    try app.settle()
    #expect(app.title.hasPrefix("All lists") && app.rows.count == 2)
    #expect(app.rows[0].contains("My Tasks") && app.rows[1].contains("Work"))
    try app.press("Tab")
    try app.settle()
    #expect(app.rows == ["buy milk"])
    try app.press("Tab", "j")
    try app.press("Backspace")
    try app.settle()
    try app.press("Down", "Enter")
    try app.settle()
    #expect(app.title.hasPrefix("Work") && app.selected == "send milk bill")
    try app.press("h", "/")
    app.type("call")
    try app.settle()
    try app.press("Enter")
    try app.settle()
    #expect(app.title.hasPrefix("My Tasks") && app.selected == "call")
  }

  @Test("What stands at the right of a match hides no word of it", arguments: [40, 60, 90])
  func besideMatch(width: Int) throws {
    let texts = [
      "milk and a text that goes on and on, far beyond the end of its first line", "حليب milk kept",
      String(repeating: "m", count: width - 12) + " milk",
    ]
    let app = try AppHarness(texts, width: width)
    try app.store.add("milk of a subtask", to: .subtasks(of: app.tasks[2].id))
    try app.settle()
    try app.press("/")
    app.type("milk")
    try app.press("Tab")
    try app.settle()
    let shown = app.rows.joined(separator: " ").split(separator: " ")
    #expect(app.rows.contains { $0.contains("My Task") })
    for word in texts.joined(separator: " ").split(separator: " ")
    where word.count < width / 3 && word.utf8.count == word.count {
      #expect(shown.contains(word), "\(word) in \(app.rows)")
    }
  }

  @Test("The first match of a long search is shown at once, and not with the next progress")
  func firstMatch() throws {
    let app = try AppHarness((0..<12_000).map { $0 == 500 ? "needle" : "t\($0)" })
    try app.press("/")
    try app.settle()
    app.passAtEachLook(.milliseconds(1))
    app.type("needle")
    #expect(app.rows.isEmpty && app.title.hasSuffix("%"))
    let shown = app.now
    while app.app.hasWork, !app.app.context.needsFrame { app.app.work(for: .milliseconds(4)) }
    #expect(app.now - shown < .milliseconds(30))
    app.passAtEachLook(.zero)
    app.draw()
    #expect(app.rows == ["needle"] && app.title.hasSuffix("%"))
    try app.settle()
    #expect(app.title.hasSuffix("1 match"))
  }

  @Test("A task that gets its first subtask elsewhere matches by it at once, and no longer when that is gone")
  func firstSubtaskElsewhere() throws {
    let app = try AppHarness(["milk one", "call", "milk two"])
    let other = try app.other()
    try app.press("/")
    app.type("milk")
    try app.settle()
    #expect(app.title.hasSuffix("2 matches"))
    let place = Place.subtasks(of: app.tasks[1].id)
    try other.add("oat milk", to: place)
    try app.settle()
    #expect(app.title.hasSuffix("3 matches") && app.rows.contains { $0.contains("call") })
    let subtask = try #require(other.task(app.tasks[1].id)?.subtasks.first)
    try other.delete([subtask.id], in: RowScope(place))
    try app.settle()
    #expect(app.title.hasSuffix("2 matches") && !app.rows.contains { $0.contains("call") })
  }

  @Test("What others change shows in the results at once")
  func live() throws {
    let app = try AppHarness(["milk one", "call", "milk two"], isAnimated: true)
    let other = try app.other()
    try app.press("/")
    app.type("milk")
    try app.settle()
    let (call, one) = (app.tasks[1].id, app.tasks[0].id)
    try other.edit(call, in: RowScope(app.place), text: "oat milk")
    try other.edit(one, in: RowScope(app.place), text: "nothing")
    try other.add("milk three", to: app.place)
    try app.settle()
    #expect(app.rows == ["oat milk", "milk two", "milk three"] && app.title.hasSuffix("3 matches"))
    try other.delete([call], in: RowScope(app.place))
    try app.catchUp()
    // The row under the cursor was deleted and this is not drawn yet.
    try app.press("Enter")
    #expect(app.status.isEmpty == false && app.line == "nothing milk two milk three")
    try other.delete([TaskList.firstListID], in: RowScope(.lists))
    try app.settle()
    #expect(app.title == "Lists")
  }

  @Test("A long search gives way to keys and goes on between them")
  func slices() throws {
    let app = try AppHarness()
    try app.store.add((0..<3000).map { "task \($0)" }, to: app.place)
    try app.settle()
    let search = TaskSearch(.list(try #require(app.store.list(TaskList.firstListID)).items))
    search.search(for: SearchPattern("9"))
    // Until the order is there, nothing can be done at once.
    #expect(search.isSearching && !search.hasWork)
    try app.catchUp()
    var slices = 0
    while search.hasWork {
      search.work { true }
      slices += 1
      #expect(search.matches.scanned <= 64 * slices)
      // Rows in front of those that have been looked at come, and go, while it goes on.
      if slices == 3 {
        try app.store.add("9 first", to: app.place, at: .top)
        try app.store.delete([app.tasks[10].id], in: RowScope(app.place))
        try app.catchUp()
      }
    }
    #expect(slices == 47)
    let texts = app.tasks.map(\.text)
    #expect(search.matches.indices == texts.indices.filter { texts[$0].contains("9") })
    search.search(for: SearchPattern("99"))
    #expect(!search.isSearching)
    #expect(search.matches.indices == texts.indices.filter { texts[$0].contains("99") })
  }

  @Test("Everything has been written by somebody: control characters and endless texts are only shown")
  func odd() throws {
    let app = try AppHarness(["a\u{1B}[31mb milk", String(repeating: "milk ", count: 500)], width: 20)
    try app.press("/")
    app.type("milk")
    try app.settle()
    for cell in app.frame.cells {
      for scalar in cell.text.unicodeScalars { #expect(scalar.value >= 0x20 && scalar.value != 0x7F) }
    }
    for (width, height) in [(1, 1), (4, 3), (200, 60), (0, 0)] {
      (app.width, app.height) = (width, height)
      app.draw()
    }
  }
}
