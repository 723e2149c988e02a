import FoundationEssentials
import LiveStore
import LiveStoreFixtures
import Testing

@testable import TasksModel

/// An edit is exact for a view because everything pending is delivered before the operation looks at the
/// rows, and the commit is silent for the view's token.
@Suite("Two views of one list")
struct SharedListTests {
  /// A view as a screen has one: rows that are brought up to date by change sets for what others did, and by
  /// the edits themselves for what it did.
  private final class View {
    let store: TasksStore
    let place = Place.tasks(inList: TaskList.firstListID)
    let items: List<TaskItem>
    var rows = RowsModel()
    private(set) var updateCount = 0
    private(set) var token: NotificationToken?

    init(identifier: String) throws {
      store = try TasksStore(inMemory: identifier, scheduler: .fileDescriptor(NotificationSource()))
      items = try #require(store.list(TaskList.firstListID)).items
      token = items.observe { [unowned self] change in
        switch change {
        case .initial(let items):
          rows.rows = items.map { RowValues($0) }
        case .update(let items, let changes):
          updateCount += 1
          rows.rows.follow(changes) { RowValues(items[$0]) }
        case .error(let error):
          Issue.record(error)
        }
      }
      try store.store.refresh()
    }

    var tokens: [NotificationToken] { token.map { [$0] } ?? [] }

    /// One random operation by the view's person, on a row that the view shows; others may have deleted it by
    /// now.
    func act(using generator: inout SeededGenerator) throws -> Edit? {
      let id = rows.rows.randomElement(using: &generator)?.id ?? Identifier()
      do {
        let edit =
          switch Int.random(in: 0..<20, using: &generator) {
          case 0...5:
            try store.add(
              "task \(Int.random(in: 0..<1000, using: &generator))", to: place,
              at: Bool.random(using: &generator) ? .top : .afterOpenRows,
              in: RowScope(place, withoutNotifying: tokens))
          case 6...10: try store.toggleCompleted([id], in: RowScope(place, withoutNotifying: tokens))
          case 11...13:
            try store.edit(
              id, in: RowScope(place, withoutNotifying: tokens),
              text: Bool.random(using: &generator) ? "edited" : "")
          case 14...15: try store.delete([id], in: RowScope(place, withoutNotifying: tokens))
          case 16...18:
            try store.move(
              [id], in: RowScope(place, withoutNotifying: tokens),
              by: Int.random(in: -4...4, using: &generator))
          default: try store.clearCompleted(in: RowScope(place, withoutNotifying: tokens))
          }
        rows.apply(edit)
        return edit
      } catch is Refusal {
        return nil
      }
    }

    var isExact: Bool { rows.rows == items.map { RowValues($0) } }
  }

  @Test("An edit is told to the other view only, and both show the same")
  func oneEdit() throws {
    let identifier = UUID().uuidString
    let here = try View(identifier: identifier)
    let there = try View(identifier: identifier)
    let edit = try here.store.add(
      "milk", to: here.place, in: RowScope(here.place, withoutNotifying: here.tokens))
    try here.store.store.refresh()
    #expect(here.updateCount == 0 && here.rows.rows.isEmpty)
    here.rows.apply(edit)

    try there.store.store.refresh()
    #expect(there.updateCount == 1)
    #expect(there.rows == here.rows)
    #expect(here.isExact && there.isExact)
  }

  @Test("A change from elsewhere is delivered before an edit takes effect, so that its indices are exact")
  func pendingChange() throws {
    let identifier = UUID().uuidString
    let here = try View(identifier: identifier)
    let there = try View(identifier: identifier)
    let mine = try #require(try here.store.add("mine", to: here.place).rowID)
    try there.store.add("theirs", to: there.place, at: .top)

    let edit = try here.store.edit(
      mine, in: RowScope(here.place, withoutNotifying: here.tokens), text: "still mine")
    #expect(here.rows.rows.map(\.text) == ["theirs", "mine"])
    #expect(edit.changes == .modification(at: 1))
    here.rows.apply(edit)
    #expect(here.isExact)
  }

  @Test("A row that was deleted elsewhere is gone, and nothing else is hit")
  func deletedElsewhere() throws {
    let identifier = UUID().uuidString
    let here = try View(identifier: identifier)
    let there = try View(identifier: identifier)
    let ids = try #require(try here.store.add(["a", "b", "c"], to: here.place))
    try there.store.delete([ids[1]], in: RowScope(there.place))
    for _ in 0..<2 {
      #expect(
        try here.store.toggleCompleted([ids[1]], in: RowScope(here.place, withoutNotifying: here.tokens))
          .noChange == .gone)
      #expect(here.rows.rows.map(\.text) == ["a", "c"])
    }
  }

  @Test("Whatever two people do at the same time, each view equals the list at its version")
  func randomEdits() throws {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    let identifier = UUID().uuidString
    let views = try [View(identifier: identifier), View(identifier: identifier)]
    for _ in 0..<1500 {
      let view = views[Int.random(in: 0...1, using: &generator)]
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: try view.store.store.refresh()
      case 1: view.store.store.processNotifications()
      default: _ = try view.act(using: &generator)
      }
      try #require(views[0].isExact && views[1].isExact, comment)
    }
    for view in views { try view.store.store.refresh() }
    #expect(views[0].rows == views[1].rows, comment)
    #expect(views[0].isExact && views[1].isExact, comment)
  }
}
