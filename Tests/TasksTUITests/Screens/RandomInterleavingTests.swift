import FoundationEssentials
import Glibc
import LiveStore
import TasksModel
import TestSupport
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// Keys here and changes elsewhere, in any order, with and without a frame between them.
@Suite("Random keys and changes")
struct RandomInterleavingTests {
  @Test("Rows at rest equal the query, and no key touches a row that was not under the cursor")
  func interleavings() throws {
    for _ in 0..<6 {
      let random = SeededGenerator()
      try Session(random).run(steps: 120)
    }
  }

  @Test(
    "A frame that draws only what differs has the cells of one drawn anew, at any size and in motion",
    arguments: [(30, 9), (80, 24), (130, 20), (1, 3)])
  func differences(width: Int, height: Int) throws {
    var random = SeededGenerator()
    print(random.comment)
    let app = try AppHarness(
      (0..<40).map { "t\($0) " + String(repeating: "会 word ", count: $0 % 9) }, width: width, height: height,
      isAnimated: true, hasPresence: true, hasListsBeside: true)
    let other = try app.other()
    let anna = try app.otherWindow()
    let keys = [
      "j", "k", "j", "k", "G", "g", "PgDn", "x", "J", "Tab", "V", "/", "t", "Enter", "Esc", "Esc", "-",
    ]
    for _ in 0..<cases(200, sample: 60) {
      try app.press(try #require(keys.randomElement(using: &random)))
      app.pass(.milliseconds(Int.random(in: 0..<400, using: &random)))
      if Int.random(in: 0..<10, using: &random) == 0 {
        try holdPromptOpen(app, &random)
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        anna.activity = app.tasks.randomElement(using: &random).map { .editing($0.id) } ?? .looking
        app.app.lookAtWindows()
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        try other.store.refresh()
        try other.add("n", to: app.place, at: .top)
        if Bool.random(using: &random) { try app.catchUp() }
      }
      if Bool.random(using: &random) { app.draw() }
    }
  }

  /// Opens a prompt, a row to type or a question, which stays as it is over the next frames, and closes it.
  private func holdPromptOpen(_ app: AppHarness, _ random: inout SeededGenerator) throws {
    func drawAgain() {
      // Of two frames in which nothing has happened, one is compared with one drawn anew.
      for _ in 0..<2 {
        app.pass(.milliseconds(Int.random(in: 0..<400, using: &random)))
        app.draw()
      }
    }
    try app.press(try #require([":", "/", "a", "e", "D", ">", "?"].randomElement(using: &random)))
    drawAgain()
    try app.press("t")
    drawAgain()
    try app.press("Esc")
  }

  private final class Session: RandomSession {
    var random: SeededGenerator
    let app: AppHarness
    private let other: TasksStore
    private var number = 0

    init(_ random: SeededGenerator) throws {
      self.random = random
      app = try AppHarness(
        ["t0", "t1", "t2", "t3", "T4", "T5"], width: 30, height: 9, isAnimated: true)
      other = try app.other()
    }

    /// Ends what is being typed, lets everything come to rest and compares.
    func rest() throws {
      for _ in 0..<3 where (app.app.screen as? TasksScreen)?.isPlain == false { try app.press("Esc") }
      try app.settle()
      try #require(app.title.hasPrefix("My Tasks"), comment)
      let shown = try allRows()
      let expected = app.tasks.map(\.text)
      #expect(shown == expected, comment)
      try other.store.refresh()
      #expect(other.list(TaskList.firstListID).map { $0.items.map(\.text) } == expected, comment)
    }

    /// All rows, by going through the pages.
    private func allRows() throws -> [String] {
      if app.tasks.isEmpty { return [] }
      let selected = app.selected
      let height = app.height
      // With the title and a message, which has a third of so narrow a terminal.
      app.height = app.tasks.count * 2 + 3
      app.draw()
      let rows = app.rows
      #expect(app.selected == selected, comment)
      app.height = height
      app.draw()
      return rows
    }

    private func name() -> String {
      number += 1
      return "n\(number)"
    }

    func foreignChange() throws {
      try other.store.refresh()
      let rows = other.list(TaskList.firstListID).map { Array($0.items) } ?? []
      guard let row = rows.randomElement(using: &random), rows.count < 30 else {
        try other.add(name(), to: app.place)
        return
      }
      do {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try other.add(name(), to: app.place, at: .top)
        case 1: try other.add(name(), to: app.place)
        case 2: try other.edit(row.id, in: RowScope(app.place), text: name())
        case 3: try other.toggleCompleted([row.id], in: RowScope(app.place))
        case 4: try other.delete([row.id], in: RowScope(app.place))
        default:
          try other.move([row.id], in: RowScope(app.place), by: Int.random(in: -3...3, using: &random))
        }
      } catch is Refusal {
        // The rules are those of another test.
      }
    }

    /// Strikes a key and checks, row by row, what it has done to the file.
    func key() throws {
      if app.app.screen.isEditing {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: _ = app.app.handle(.key(Key(.enter)))
        case 1: _ = app.app.handle(.key(Key(.escape)))
        default: _ = app.app.handle(.key(Key(.character(Character("x")))))
        }
        return
      }
      let key = try #require(
        [
          "j", "k", "g", "G", "d", "x", "J", "K", "a", "A", "e", "C", "PgDn", "m", "v", "V", "Tab", "u",
          "C-r",
          "o", "O", ".", "3",
        ].randomElement(using: &random))
      // The effect of a key on several rows, a lifted one or with a count is compared as a whole, at rest.
      let isPlain = app.app.pendingCount == nil && (app.app.screen as? TasksScreen)?.isPlain == true
      guard isPlain, ["d", "x", "J", "K"].contains(key) else {
        _ = app.app.handle(.key(try #require(Key(key))))
        return
      }
      // The row under the cursor in the frame that the person sees.
      app.draw()
      let screen = try #require(app.app.screen as? TasksScreen)
      let meant = screen.rows.list.selectedID
      if Bool.random(using: &random) {
        // Something happens while the finger is on its way.
        try foreignChange()
        if Bool.random(using: &random) { try app.catchUp() }
      }
      let before = try snapshot()
      _ = app.app.handle(.key(try #require(Key(key))))
      let after = try snapshot()
      func untouched(_ rows: [RowValues]) -> [RowValues] { rows.filter { .object($0.id) != meant } }
      #expect(untouched(before) == untouched(after), comment)
      if meant == nil { #expect(before == after, comment) }
    }

    /// The rows in the file, as the other instance has them.
    private func snapshot() throws -> [RowValues] {
      try other.store.refresh()
      return other.list(TaskList.firstListID).map { $0.items.map { RowValues($0) } } ?? []
    }
  }
}

extension TasksScreen {
  /// Nothing is being typed, marked or lifted.
  fileprivate var isPlain: Bool { !isEditing && rows.marks.isEmpty && !rows.isHolding }
}
