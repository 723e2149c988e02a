import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

@Suite("The app")
struct AppTests {
  @Test("Every command stands in the table once, and no key means two")
  func commandTable() {
    let commands = CommandTable.all.map(\.command)
    #expect(Set(commands) == Set(Command.allCases) && commands.count == Command.allCases.count)
    let keys = CommandTable.all.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
    let map = KeyMap()
    for description in CommandTable.all {
      #expect(!description.help.isEmpty && !description.name.isEmpty)
      for key in description.keys { #expect(map[key] == description.command) }
    }
  }

  @Test("Help shows every key, closes again, and does not quit the program")
  func help() throws {
    let app = try AppHarness(["one"], width: 80, height: 200)
    try app.press("?")
    #expect(app.title == "Keys")
    for description in CommandTable.all {
      let labels = description.keys.map(\.label).joined(separator: "  ")
      let keys = labels.isEmpty ? ":" + description.name : labels
      #expect(
        app.texts.contains { $0.contains(keys) && $0.contains(description.help) }, "\(description.help)")
    }
    #expect(try app.press("q") == nil)
    #expect(app.title.hasPrefix("My Tasks"))
  }

  @Test("Help scrolls where it does not fit, as far as its end")
  func helpScrolls() throws {
    let app = try AppHarness(["one"], width: 60, height: 10)
    try app.press("?", "G")
    #expect(app.rows.last?.hasPrefix("Tab") == true)
    try app.press("k", "j", "j")
    #expect(app.rows.last?.hasPrefix("Tab") == true)
    try app.press("g")
    #expect(app.rows.first == "To begin with")
    for (keys, count) in [("PgDn", 3), ("C-d", 4)] {
      for _ in 0..<count { try app.press(keys) }
      let rows = app.rows
      try app.press("g", "\(count)", keys)
      #expect(app.rows == rows)
      try app.press("g")
    }
  }

  @Test("Help is searched as one types: by what a key does, by its label, by a command's name, by a heading")
  func helpSearch() throws {
    let app = try AppHarness(["one"], width: 80, height: 180)
    try app.press("?")
    let all = app.rows.count
    try app.press("/")
    app.type("UNDO")
    #expect(app.title == "Keys: UNDO")
    #expect(app.rows.contains { $0.contains("Undo what you did last") } && app.rows.count < all / 3)
    #expect(!app.texts.contains { $0.contains("Move down") })
    #expect(app.status.hasPrefix("/UNDO"))
    // The matches stay when Enter ends the typing; Esc then shows all, and closes when pressed again.
    try app.press("Enter")
    #expect(app.title == "Keys: UNDO" && !app.status.hasPrefix("/"))
    try app.press("Esc")
    #expect(app.title == "Keys" && app.rows.count == all)
    for (words, help) in [
      ("half-page", "Half a page down"), ("ctrl-r", "Redo"), ("several", "Mark all rows, or none"),
      ("deadline", "Say when it is due"), ("reorder", "Move the row down"), ("exit", "Quit"),
      ("speed", "How many times as fast"), ("sort", "Sort the open rows"), ("copy", "Copy the text"),
      ("date", "Say when it is due"), ("import", "Take over tasks of todo.txt"), ("csv", "Write the tasks"),
    ] {
      try app.press("/", "C-u")
      app.type(words)
      #expect(app.texts.contains { $0.contains(help) }, "\(words)")
      try app.press("Esc")
    }
    try app.press("/")
    app.type("xyzzy")
    #expect(app.texts.contains { $0.contains("No key matches") })
    try app.press("Esc", "Esc")
    #expect(app.title.hasPrefix("My Tasks"))
    _ = app.app.run(line: "keys clear completed")
    app.draw()
    #expect(
      app.title == "Keys: clear completed" && app.texts.contains { $0.contains("Clear the completed rows") })
  }

  @Test("What is changed while help is open shows when it closes")
  func changesBehindHelp() throws {
    let app = try AppHarness(["one"])
    try app.press("?")
    try app.other().add("two", to: app.place)
    try app.settle()
    #expect(app.title.hasPrefix("Keys"))
    try app.press("Esc")
    #expect(app.rows == ["one", "two"])
  }

  @Test("Keys and signals ask for what they should")
  func requests() throws {
    let app = try AppHarness(["one"])
    #expect(try app.press("q") == .quit(status: 0))
    #expect(try app.press("C-l") == .repaint)
    #expect(try app.press("C-z") == .suspend)
    #expect(app.app.handle(.suspend) == .suspend)
    #expect(app.app.handle(.interrupted(signal: SIGTERM)) == .quit(status: 143))
    #expect(app.app.handle(.interrupted(signal: SIGINT)) == .quit(status: 130))
    #expect(app.app.handle(.endOfInput) == .quit(status: 129))
    #expect(app.app.handle(.resumed) == .repaint)
    #expect(try app.press("F5", "z") == nil)
  }

  @Test("Ctrl-C goes back from the tasks of all lists, as Esc does, and leaves only after that")
  func interruptedInToday() throws {
    let app = try AppHarness(["one"])
    for key in ["T", "U"] {
      try app.press(key)
      #expect(!app.title.hasPrefix("My Tasks"))
      #expect(app.app.handle(.interrupted(signal: SIGINT)) == nil)
      app.draw()
      #expect(app.title.hasPrefix("My Tasks"))
    }
    try app.press("T")
    #expect(app.app.handle(.interrupted(signal: SIGTERM)) == .quit(status: 143))
    try app.press("h")
    #expect(app.app.handle(.interrupted(signal: SIGINT)) == .quit(status: 130))
  }

  @Test("After it was suspended it shows what has changed meanwhile")
  func catchesUp() throws {
    let app = try AppHarness(["one"])
    try app.other().add("two", to: app.place)
    _ = app.app.handle(.resumed)
    app.pass(.seconds(1))
    app.draw()
    #expect(app.rows == ["one", "two"])
  }

  @Test("Any size can be drawn, and the rows are the same again afterwards")
  func sizes() throws {
    let app = try AppHarness((0..<9).map { "task number \($0)" })
    let before = app.frame
    for (width, height) in [(1, 1), (2, 1), (1, 2), (3, 2), (1, 30), (80, 3), (0, 0), (200, 60), (5, 5)] {
      (app.width, app.height) = (width, height)
      _ = app.app.handle(.resize(width: width, height: height))
      app.draw()
      #expect(app.frame.width == width && app.frame.height == height)
      for keys in [["h"], ["l"], ["?"], ["Esc"], ["a", "x", "Esc"], ["j"], ["k"]] {
        for key in keys { try app.press(key) }
      }
      try app.settle()
    }
    (app.width, app.height) = (before.width, before.height)
    try app.settle()
    try app.press("g")
    #expect(app.frame == before)
  }

  @Test("Without colours the cursor and the completed rows can still be told")
  func monochrome() throws {
    let harness = try AppHarness(["one", "TWO"])
    let app = App(
      store: harness.store, appearance: Appearance(depth: .none, strikethrough: .unavailable),
      clock: { .zero })
    let frame = app.draw(width: 30, height: 6, at: .zero)
    #expect(frame[2, 1].style.attributes.contains(.reverse))
    #expect(!frame[2, 2].style.attributes.contains(.reverse))
    #expect(frame[0, 2].text == "x" && frame[1, 2].text == " ")
  }

  // MARK: Movement

  @Test("At rest no frame is due; after a key, one at once")
  func rest() throws {
    let app = try AppHarness(["one", "two"], isAnimated: true)
    #expect(app.app.nextFrame(after: app.now) == nil)
    _ = app.app.handle(.key(Key(.down)))
    #expect(app.app.nextFrame(after: app.now) == app.now)
    app.draw()
    #expect(app.app.nextFrame(after: app.now) == nil)
  }

  @Test("A row that is completed elsewhere is seen on its way to the end")
  func movement() throws {
    let app = try AppHarness(["one", "two", "three", "four"], isAnimated: true)
    let other = try app.other()
    let one = try #require(app.tasks.first?.id)
    try other.toggleCompleted([one], in: RowScope(app.place))
    try app.catchUp()
    var lines: [Int] = []
    var frames = 0
    while let due = app.app.nextFrame(after: app.now), frames < 200 {
      app.pass(max(.milliseconds(1), due - app.now))
      app.draw()
      frames += 1
      if let line = app.texts.firstIndex(where: { $0.contains("one") }), lines.last != line {
        lines.append(line)
      }
    }
    #expect(lines == [1, 2, 3, 4])
    #expect(frames > 5 && frames < 60)
    #expect(app.rows == ["two", "three", "four", "one"])
  }

  @Test("A key shows in its own frame; the operation's subscription stays silent about it")
  func sameFrame() throws {
    let app = try AppHarness(["one", "two"], isAnimated: true)
    let before = app.frame
    app.type("J")
    #expect(app.frame != before)
    app.type("K")
    try app.settle()
    #expect(app.frame == before)
    app.type("d")
    // The row is on its way out, and the frame after the movement is the picture at rest.
    #expect(app.app.nextFrame(after: app.now) != nil)
    app.pass(.seconds(1))
    app.draw()
    #expect(app.rows == ["two"])
    try app.catchUp()
    app.draw()
    #expect(app.app.nextFrame(after: app.now) == nil)
  }

  @Test("Screens slide, and end where they would be without movement")
  func slide() throws {
    let app = try AppHarness(["one", "two"], isAnimated: true)
    try app.press("h")
    #expect(app.texts != [])
    app.pass(.milliseconds(60))
    app.draw()
    #expect(app.texts.contains { $0.contains("one") } && app.texts.contains { $0.contains("open") })
    try app.settle()
    #expect(app.title == "Lists")
    #expect(app.app.nextFrame(after: app.now) == nil)
  }

  @Test("Without animation every change is there at once")
  func noAnimation() throws {
    let app = try AppHarness(["one", "two"])
    try app.press("x", "h")
    #expect(app.title == "Lists")
    #expect(app.app.nextFrame(after: app.now) == nil || app.frame.text.contains("My Tasks"))
    try app.press("l")
    #expect(app.rows == ["two", "one"])
  }
}
