import FoundationEssentials
import LiveStore
import TasksModel
import Testing

@testable import TasksTUI
@testable import TerminalUI

/// Keys on tasks, on their subtasks and between the two, and what another window does to both meanwhile.
@Suite("Random keys and changes, with subtasks")
struct RandomSubtaskTests {
  @Test(
    "Rows, counts and unfolded subtasks at rest are those of the file, and no key touches what was not meant")
  func interleavings() throws {
    for _ in 0..<5 {
      let random = SeededGenerator()
      print(random.comment)
      try Session(random).run(steps: 120)
    }
  }

  private final class Session: RandomSession {
    var random: SeededGenerator
    let app: AppHarness
    private let other: TasksStore
    private let work: Identifier
    private var number = 0

    init(_ random: SeededGenerator) throws {
      self.random = random
      app = try AppHarness(["t0", "t1", "t2", "t3", "T4"], width: 40, height: 12, isAnimated: true)
      try app.addSubtasks(["s0", "s1", "S2"], to: "t1")
      other = try app.other()
      work = try #require(try other.add("Work", to: .lists).rowID)
      try app.catchUp()
    }

    private var comment: Comment { Comment(rawValue: random.comment) }
    private var screen: TasksScreen? { app.app.screen as? TasksScreen }

    /// Ends what is being typed, lets everything come to rest and compares.
    func rest() throws {
      // A question takes the place of rows.
      for _ in 0..<3 where screen?.isPlain == false || app.app.front !== screen { try app.press("Esc") }
      try app.settle()
      let screen = try #require(screen, comment)
      let (shown, expected) = (try shownRows(), try expectedRows(screen))
      #expect(shown == expected, comment)
      // In the list all of it is compared.
      guard screen.ownerID != nil else { return }
      try app.press("h")
      try app.settle()
      let list = try #require(self.screen, comment)
      #expect(list.ownerID == nil, comment)
      #expect(try shownRows() == expectedRows(list), comment)
    }

    /// All rows with single spaces, on a screen that is high enough.
    private func shownRows() throws -> [String] {
      let height = app.height
      defer {
        app.height = height
        app.draw()
      }
      app.height = 300
      app.draw()
      return app.tasks.isEmpty || screen?.rows.items.isEmpty == true ? [] : app.words
    }

    private func expectedRows(_ screen: TasksScreen) throws -> [String] {
      try other.store.refresh()
      if let owner = screen.ownerID {
        return try #require(other.task(owner), comment).subtasks.map(\.text)
      }
      return try #require(other.list(screen.listID), comment).items.flatMap { task -> [String] in
        guard !task.subtasks.isEmpty else { return [task.text] }
        let done = task.subtasks.count(where: \.completed)
        let row = "\(task.text) \(done)/\(task.subtasks.count)"
        guard app.app.context.folding.isUnfolded(task.id) else { return [row] }
        let lines = task.subtasks.map { "\($0.completed ? "✓" : "○") \($0.text)" }
        return [row] + (lines.count > 12 ? lines.prefix(11) + ["… \(lines.count - 11) more"] : lines)
      }
    }

    private func name() -> String {
      number += 1
      return "n\(number)"
    }

    /// Something that another window does, to a task of the list, of another list or to a subtask.
    func foreignChange() throws {
      try other.store.refresh()
      let tasks = [TaskList.firstListID, work].flatMap { other.list($0).map { Array($0.items) } ?? [] }
      let all = tasks + tasks.flatMap { Array($0.subtasks) }
      guard let task = all.randomElement(using: &random), all.count < 40 else {
        try other.add(name(), to: app.place)
        return
      }
      let place = try #require(other.place(ofTask: task.id))
      do {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try other.add(name(), to: place, at: .top)
        case 1, 2: try other.add(name(), to: .subtasks(of: task.id))
        case 3: try other.edit(task.id, in: RowScope(place), text: name())
        case 4, 5: try other.toggleCompleted([task.id], in: RowScope(place))
        case 6: try other.delete([task.id], in: RowScope(place))
        case 7: try other.move([task.id], in: RowScope(place), by: Int.random(in: -3...3, using: &random))
        case 8:
          try other.demote(
            [task.id], in: RowScope(place), below: tasks.randomElement(using: &random)?.id ?? task.id)
        case 9: try other.promote([task.id], in: RowScope(nil))
        case 10:
          try other.move(
            [task.id], in: RowScope(place), toList: Bool.random(using: &random) ? work : TaskList.firstListID)
        default:
          // As another program does it.
          try other.store.write { task.completed.toggle() }
        }
      } catch is Refusal {
        // The rules are those of another test.
      }
    }

    private static let keys = [
      "j", "k", "g", "G", "d", "x", "J", "K", "a", "e", "C", "m", "v", "Tab", "u", "u", "C-r", "o", ".", "2",
      "l", "z",
      "Z", "]", "[", "S",
    ]

    /// Strikes a key and checks what it has done to the file.
    func key() throws {
      guard let screen, !screen.isEditing else {
        if !app.app.screen.isEditing { throw Stray() }
        let name = ["Enter", "Esc", "x", "y"].randomElement(using: &random) ?? "Esc"
        _ = app.app.handle(.key(try #require(Key(name))))
        return
      }
      var keys = Self.keys
      if screen.ownerID != nil { keys += ["h", "h"] }
      let name = try #require(keys.randomElement(using: &random))
      let key = try #require(Key(name))
      guard screen.isPlain, app.app.pendingCount == nil, ["d", "x", "J", "K"].contains(name) else {
        _ = app.app.handle(.key(key))
        return
      }
      // The row under the cursor in the frame that the person sees.
      app.draw()
      guard let screen = self.screen else { throw Stray() }
      let meant = screen.rows.list.selectedID
      if Bool.random(using: &random) {
        // Something happens while the finger is on its way.
        try foreignChange()
        if Bool.random(using: &random) { try app.catchUp() }
      }
      let before = try snapshot()
      _ = app.app.handle(.key(key))
      let after = try snapshot()
      for (id, values) in before.merging(after, uniquingKeysWith: { $1 }) {
        guard .object(id) != meant, values.owner.map(RowID.object) != meant else { continue }
        #expect(before[id] == after[id], comment)
      }
    }

    /// No screen of tasks is open, which no key here leads to.
    private struct Stray: Error {}

    private struct Values: Equatable {
      var row: RowValues
      var owner: Identifier?
    }

    /// All tasks in the file, as the other instance has them.
    private func snapshot() throws -> [Identifier: Values] {
      try other.store.refresh()
      let tasks = other.store.objects(TaskItem.self)
        .map { ($0.id, Values(row: RowValues($0), owner: $0.parents.first?.id)) }
      return Dictionary(tasks) { $1 }
    }
  }
}

extension TasksScreen {
  /// Nothing is being typed, marked or lifted.
  fileprivate var isPlain: Bool { !isEditing && rows.marks.isEmpty && !rows.isHolding }
}
