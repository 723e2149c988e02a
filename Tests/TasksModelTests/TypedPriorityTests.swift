import FoundationEssentials
import LiveStore
import TestSupport
import Testing

@testable import TasksModel

@Suite("Priorities in texts, and several rows added at once")
struct TypedPriorityTests {
  @Test(
    "A word !A, !B or !C is the priority of the task, and nothing else is",
    arguments: [
      ("Buy milk !A", "Buy milk", "A"), ("!b Buy milk", "Buy milk", "B"), ("Buy !c milk", "Buy milk", "C"),
      ("!A Buy !C", "Buy", "C"), ("!A", "!A", ""), ("Buy milk!A", "Buy milk!A", ""), ("Wow !", "Wow !", ""),
      ("No !AB", "No !AB", ""), ("No !D", "No !D", ""), ("a  b !a  c", "a  b  c", "A"), ("!é x", "!é x", ""),
    ])
  func table(_ typed: String, _ text: String, _ priority: String) throws {
    let rows = try TasksStoreFixture()
    try rows.store.add(typed, to: rows.place)
    try rows.store.add([typed], to: rows.place)
    try rows.store.add("x", to: rows.place)
    try rows.store.edit(rows.id("x"), in: RowScope(rows.place), text: typed)
    try rows.store.add("y", to: rows.place)
    var changes = TaskChanges()
    changes.text = typed
    try rows.store.change(rows.id("y"), changes)
    #expect(rows.tasks.map(\.text) == Array(repeating: text, count: 4))
    #expect(rows.tasks.map(\.priority.rawValue) == Array(repeating: priority, count: 4))
    try rows.store.add(typed, to: .lists)
    #expect(rows.store.lists.last?.text == typed)
  }

  @Test("A priority is named by its letter, also with the mark that it has in a text, or by its word")
  func names() {
    for name in ["B", "b", " b ", "!B", "!b", "m", "Medium"] { #expect(TaskPriority(named: name) == .b) }
    for name in ["none", "-", "", " "] { #expect(TaskPriority(named: name) == TaskPriority.none) }
    for name in ["!", "BB", "! B", "D", "!none"] { #expect(TaskPriority(named: name) == nil) }
  }

  @Test("The priority of an option counts more than that in the text; undo takes text and priority back")
  func optionsAndUndo() throws {
    let rows = try TasksStoreFixture()
    try rows.store.add(["one !A"], to: rows.place, priority: .c)
    #expect(rows.tasks[0].priority == .c && rows.tasks[0].text == "one")
    try rows.store.edit(rows.id("one"), in: RowScope(rows.place), text: "two !b")
    #expect(rows.tasks[0].priority == .b && rows.tasks[0].text == "two")
    _ = try rows.store.undo(showing: RowScope(rows.place))
    #expect(rows.tasks[0].priority == .c && rows.tasks[0].text == "one")
    // Only the priority is another.
    try rows.store.edit(rows.id("one"), in: RowScope(rows.place), text: "one !a", replacing: "one")
    #expect(rows.tasks[0].priority == .a && rows.tasks[0].text == "one")
  }

  @Test("Rows added at any point, in one part or several, are where a model has them; undo takes all")
  func severalRows() throws {
    var random = SeededGenerator()
    for _ in 0..<40 {
      let rows = try TasksStoreFixture(tasks: "a b c D E")
      var model = ["a", "b", "c", "d", "e"]
      let texts = (0..<Int.random(in: 1...7, using: &random)).map { "n\($0)" }
      let anchor = try #require(["a", "b", "c", "d"].randomElement(using: &random))
      let index = try #require(model.firstIndex(of: anchor))
      let (point, place): (InsertionPoint, Int) =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: (.top, 0)
        case 1: (.afterOpenRows, 3)
        case 2: (.above(try rows.id(anchor)), min(3, index))
        default: (.below(try rows.id(anchor)), min(3, index + 1))
        }
      model.insert(contentsOf: texts, at: place)
      let isLong = Bool.random(using: &random)
      let long = LongAction()
      var next = point
      for part in isLong ? texts.map({ [$0] }) : [texts] {
        let edit = try rows.store.add(
          part.map { ($0, nil) }, to: rows.place, at: next, in: RowScope(rows.place),
          partOf: isLong ? long : nil)
        next = .below(try #require(edit.after.last).id)
        #expect(edit.changes.insertions.count == part.count)
      }
      #expect(rows.tasks.map { $0.text.lowercased() } == model, "\(random.comment)")
      guard case .done(let undone) = try rows.store.undo(showing: RowScope(rows.place)) else {
        Issue.record("nothing to undo, \(random.comment)")
        continue
      }
      #expect(undone.count == texts.count && rows.line == "a b c D E", "\(random.comment)")
    }
  }
}
