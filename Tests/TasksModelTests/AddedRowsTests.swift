import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

/// An addition of more tasks than are kept one by one.
@Suite("Undo of many added tasks")
struct AddedRowsTests {
  private let fixture: TasksStoreFixture
  private let before: [String]
  private let added: AddedRows
  private let texts = (0..<250).map { "row \($0)" }

  init() throws {
    fixture = try TasksStoreFixture(tasks: "a b C D")
    before = fixture.tasks.map(\.text)
    added = try #require(try fixture.store.add(texts, to: fixture.place))
  }

  private var scope: RowScope { RowScope(fixture.place) }

  private func obstacle(_ result: UndoResult) -> UndoObstacle? {
    if case .impossible(.add, let obstacle) = result { obstacle } else { nil }
  }

  private func steps() -> [UndoStep] { Array(fixture.store.store.objects(UndoStep.self)) }

  @Test("They stand after the open tasks, and the step that undoes them takes some hundred bytes")
  func adding() throws {
    #expect(fixture.tasks.map(\.text) == ["a", "b"] + texts + ["C", "D"])
    #expect(fixture.tasks[2..<252].map(\.id) == Array(added))
    #expect(steps().count == 1 && steps()[0].rows.utf8.count < 600)
  }

  @Test("One that waits since, which another program has set, keeps the addition from being undone")
  func waiting() throws {
    let task = fixture.tasks[7]
    try fixture.store.store.write { task.waitsUntil = Date(timeIntervalSince1970: 2_000_000_000) }
    #expect(try obstacle(fixture.store.undo(showing: scope)) == .rowWorkedOn("row 5", .changing))
  }

  @Test("Each has the values that it would have on its own", arguments: [false, true])
  func values(readingDates: Bool) throws {
    func values(_ tasks: some Sequence<TaskItem>) -> [[String]] {
      tasks.map { task in
        [
          task.text, "\(task.date?.description ?? "none") \(task.dateOrigin)", task.readText, task.tags,
          "\(task.repetition) \(task.repetitionOrigin)", task.notes, task.priority.rawValue,
          "\(task.completed)",
        ]
      }
    }
    let texts = [
      "plain", "call #home tomorrow", "plain again", "water the plants every week", "#work only", "on 5 May",
      "last",
    ]
    let (together, alone) = (try TasksStoreFixture(tasks: "a B"), try TasksStoreFixture(tasks: "a B"))
    try together.store.add(texts, to: together.place, notes: "note", readingDates: readingDates)
    for text in texts {
      try alone.store.add([text], to: alone.place, notes: "note", readingDates: readingDates)
    }
    #expect(values(together.tasks) == values(alone.tasks))
    #expect(Set(together.tasks.map(\.tags)) == ["", " home ", " work "])
    #expect(together.tasks.contains { texts.contains($0.text) && $0.readText.isEmpty } != readingDates)
  }

  @Test("They are undone and redone any number of times, with their values and the tasks around them")
  func redone() throws {
    let after = fixture.tasks.map { RowValues($0) }
    for _ in 0..<3 {
      guard case .done(let undone) = try fixture.store.undo(showing: scope) else {
        Issue.record("the addition is not undone")
        return
      }
      #expect(undone.count == 250 && undone.text == "row 0")
      #expect(undone.changes == ChangeSet(deletions: Array(2..<252)))
      #expect(fixture.tasks.map(\.text) == before)
      guard case .done(let redone) = try fixture.store.redo(showing: scope) else {
        Issue.record("the addition is not redone")
        return
      }
      #expect(redone.count == 250)
      #expect(fixture.tasks.map { RowValues($0) } == after)
    }
  }

  @Test(
    "One on which a person has worked since keeps all of them, and is named",
    arguments: [
      ("text", UndoObstacle.rowWorkedOn("changed", .changing)),
      ("completed", .rowWorkedOn("row 101", .completing)), ("notes", .rowWorkedOn("row 101", .changing)),
      ("date", .rowWorkedOn("row 101", .changing)), ("subtask", .rowWorkedOn("row 101", .givingSubtasks)),
      ("deleted", .rowsDeleted), ("several", .rowsChanged),
    ])
  func changed(what: String, expected: UndoObstacle) throws {
    let store = fixture.store
    let task = try #require(store.task(added[101]))
    try store.store.write {
      switch what {
      case "text": task.text = "changed"
      case "completed": task.completed = true
      case "notes": task.notes = "note"
      case "date":
        task.date = Date(timeIntervalSince1970: 1_000_000)
        task.dateOrigin = .person
      case "subtask":
        let subtask = TaskItem()
        store.store.add(subtask)
        task.subtasks.append(subtask)
      case "several":
        task.notes = "note"
        store.task(added[7])?.text = "changed"
      default: store.store.delete(task)
      }
    }
    let present = fixture.tasks.map { RowValues($0) }
    #expect(obstacle(try store.undo(showing: scope)) == expected)
    #expect(fixture.tasks.map { RowValues($0) } == present)
    #expect(try store.undo(showing: scope) == .nothing)
  }

  @Test("A date that was read out of a text since is no work of a person")
  func read() throws {
    let task = try #require(fixture.store.task(added[7]))
    try fixture.store.store.write {
      task.date = Date(timeIntervalSince1970: 1_000_000)
      (task.dateOrigin, task.repetition, task.repetitionOrigin) = (.text, "every week", .text)
    }
    #expect(obstacle(try fixture.store.undo(showing: scope)) == nil)
    #expect(fixture.tasks.map(\.text) == before)
  }

  @Test(
    "What another program has made of the step stops undo with a sentence", arguments: [-1, 0, 251, Int.max])
  func nonsense(count: Int) throws {
    let step = try #require(steps().first)
    let text = try #require(step.rows.firstRange(of: "\"count\":250"))
    try fixture.store.store.write { step.rows.replaceSubrange(text, with: "\"count\":\(count)") }
    #expect(obstacle(try fixture.store.undo(showing: scope)) != nil)
    #expect(fixture.tasks.count == 254)
  }

  @Test("The ids are random UUIDs in upper case, and no two are the same")
  func identifiers() throws {
    var rows = AddedRows(in: fixture.place)
    var ids: Set<Identifier> = []
    for _ in 0..<20_000 {
      let id = rows.nextID
      rows.append(RowValues(id: id, text: ""))
      let text = try #require(id.text)
      #expect(UUID(uuidString: text)?.uuidString == text)
      #expect(text.dropFirst(14).first == "4" && "89AB".contains(text.dropFirst(19).first ?? " "))
      ids.insert(id)
    }
    #expect(ids.count == 20_000)
    #expect(Array(rows).count == 20_000 && Set(rows) == ids)
  }

  @Test("The ids are consecutive, and differ in their first digits, which people type")
  func consecutive() throws {
    let starts = try added.map { try #require(UInt32($0.text?.prefix(8) ?? "", radix: 16)) }
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 &+ 1 == $1 })
    #expect(Set(added.map { $0.text?.dropFirst(8) }).count == 1)
    // Of rows beyond all that the first digits can tell apart.
    var rows = AddedRows(in: fixture.place, seed: UUID())
    let first = rows.nextID
    for _ in 0..<3 { rows.append(RowValues(id: first, text: "")) }
    let json = String(decoding: try JSONEncoder().encode(rows), as: UTF8.self)
    let far = try JSONDecoder().decode(
      AddedRows.self, from: Data(json.replacing("\"count\":3", with: "\"count\":4294967296").utf8))
    #expect(far.nextID != first && far.nextID.text?.prefix(8) == first.text?.prefix(8))
  }

  @Test("An addition whose texts have ended early adds nothing", arguments: [0, 1, 250, 2_500])
  func ended(count: Int) throws {
    struct Ended: Error {}
    let present = fixture.tasks.map(\.id)
    #expect(throws: Ended.self) {
      try fixture.store.add((0..<count).map { "\($0)" }, to: fixture.place) { added in
        if added == count { throw Ended() }
      }
    }
    #expect(fixture.tasks.map(\.id) == present && steps().count == 1)
  }
}
