import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("Random sequences of operations")
struct RandomOperationTests {
  @Test("Any sequence of operations leaves what the rules say on an array, and tells it exactly")
  func againstArray() throws {
    var generator = SeededGenerator()
    let seed = generator.comment
    for number in 0..<8 {
      try runSequence(
        length: 250, number % 4 == 0 ? .top : .end, using: &generator, comment: Comment(rawValue: seed))
    }
  }

  private func runSequence(
    length: Int, _ completedRows: CompletedRows, using generator: inout SeededGenerator, comment: Comment
  ) throws {
    let fixture = try TasksStoreFixture()
    let store = fixture.store
    let place = fixture.place
    store.completedRows = completedRows
    store.dates = RowsModel.dates
    var model = RowsModel()
    model.completedRows = completedRows
    var mirror = RowsModel()

    for step in 0..<length {
      let before = model
      var refusal: Refusal?
      var edit: Edit?
      let index = model.rows.isEmpty ? nil : Int.random(in: 0..<model.rows.count, using: &generator)
      do {
        switch (Int.random(in: 0..<12, using: &generator), index) {
        case (0...2, _), (_, nil):
          let point: InsertionPoint = Bool.random(using: &generator) ? .top : .afterOpenRows
          let added = try store.add("task \(step)", to: place, at: point)
          edit = added
          model.add(added.after[0], at: point)
        case (3...5, let index?):
          edit = try store.toggleCompleted([model.rows[index].id], in: RowScope(place))
          model.toggleCompleted(index)
        case (6, let index?):
          let text = ["", model.rows[index].text, "edit \(step)"].randomElement(using: &generator) ?? ""
          let result = Result { try store.edit(model.rows[index].id, in: RowScope(place), text: text) }
          edit = try? result.get()
          refusal = result.refusal
          try model.edit(index, text: text)
        case (7, let index?):
          edit = try store.delete([model.rows[index].id], in: RowScope(place))
          model.rows.remove(at: index)
        case (8...10, let index?):
          let offset = Int.random(in: -3...3, using: &generator)
          let result = Result { try store.move([model.rows[index].id], in: RowScope(place), by: offset) }
          edit = try? result.get()
          refusal = result.refusal
          try model.move(index, by: offset)
        default:
          // Another program completes a row where it stands, which no operation would do.
          if Bool.random(using: &generator), let index {
            let task = fixture.tasks[index]
            try store.store.write { task.completed.toggle() }
            model.rows[index].completed.toggle()
            mirror.rows[index].completed.toggle()
          } else {
            edit = try store.clearCompleted(in: RowScope(place))
            model.clearCompleted()
          }
        }
      } catch let expected as Refusal {
        #expect(refusal == expected, comment)
        #expect(model == before, comment)
        refusal = nil
      }
      #expect(refusal == nil, comment)
      if let edit { mirror.apply(edit) }
      let rows = fixture.tasks.map { RowValues($0) }
      try #require(rows == model.rows, comment)
      try #require(rows == mirror.rows, comment)
    }
  }
}

extension Result {
  fileprivate var refusal: Refusal? {
    if case .failure(let error) = self { error as? Refusal } else { nil }
  }
}
