import FoundationEssentials
import LiveStore
import TestSupport
import Testing

@testable import TasksModel

/// Every operation on tasks and subtasks, by several windows on one file.
@Suite("Random operations on tasks and subtasks")
struct RandomSubtaskTests {
  /// A window on a list: its rows, each with its subtasks, brought up to date by change sets for what others
  /// did, and by the edits themselves for what was done here.
  private final class Window {
    let store: TasksStore
    let place = Place.tasks(inList: TaskList.firstListID)
    private let items: List<TaskItem>
    private var rows: [RowValues] = []
    private var token: NotificationToken?

    deinit { token?.invalidate() }

    init(identifier: String, author: String) throws {
      store = try TasksStore(
        inMemory: identifier, scheduler: .fileDescriptor(NotificationSource()), author: author)
      items = try #require(store.list(TaskList.firstListID)).items
      token = items.observe { [unowned self] change in
        switch change {
        case .initial(let items): rows = items.map(OutlineModel.values)
        case .update(_, let changes):
          follow(changes)
        case .error(let error): Issue.record(error)
        }
      }
      try store.store.refresh()
    }

    var tokens: [NotificationToken] { token.map { [$0] } ?? [] }
    /// Whether each row is as it is in the store: none that has other subtasks now went unreported.
    var isExact: Bool { rows == items.map(OutlineModel.values) }

    func follow(_ changes: ChangeSet) {
      let modified = Set(changes.modifications.map { rows[$0].id })
      let unmodified = changes.moves.filter { !$0.isModified }.map { ($0.to, rows[$0.from]) }
      let kept = Dictionary(unmodified) { $1 }
      for index in changes.deletions.reversed() { rows.remove(at: index) }
      for index in changes.insertions {
        rows.insert(kept[index] ?? OutlineModel.values(items[index]), at: index)
      }
      for (index, row) in rows.enumerated() where modified.contains(row.id) {
        rows[index] = OutlineModel.values(items[index])
      }
    }
  }

  /// Does one operation in a window and on the model, which is up to date.
  ///
  /// - Parameter besideOthers: Or something that another program does, which is no step to be undone.
  private func act(
    _ window: Window, _ model: inout OutlineModel, _ step: Int, using generator: inout SeededGenerator,
    _ comment: Comment, besideOthers: Bool = true
  ) throws {
    let store = window.store
    let before = model
    let places = model.places
    // The lists themselves as often as the subtasks, however many of those there are.
    let topLevel = places.filter { if case .tasks = $0.place { true } else { false } }
    let (place, rows) = try #require(
      (Bool.random(using: &generator) ? topLevel : places).randomElement(using: &generator))
    let tokens = place == window.place ? window.tokens : []
    let index = Int.random(in: 0..<max(1, rows.count), using: &generator)
    let several = rows.indices.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
    let ids = several.map { rows[$0].id }
    var edit: Edit?
    var refusal: Refusal?
    var expected: Refusal?
    /// Runs an operation here and in the model.
    func both(_ operation: () throws -> Edit?, _ rules: (inout OutlineModel, Edit?) throws -> Void) throws {
      do { edit = try operation() } catch let error as Refusal { refusal = error }
      do { try rules(&model, edit) } catch let error as Refusal {
        expected = error
        model = before
      }
    }
    switch Int.random(in: 0..<16, using: &generator) {
    case _ where rows.isEmpty, 0, 1:
      let point: InsertionPoint = Bool.random(using: &generator) ? .top : .afterOpenRows
      let id = Identifier()
      try both {
        try store.add("task \(step)", to: place, at: point, in: RowScope(place, withoutNotifying: tokens))
      } _: {
        try $0.add($1?.after.first ?? RowValues(id: id, text: ""), to: place, at: point)
      }
    case 2, 3:
      try both {
        try store.toggleCompleted([rows[index].id], in: RowScope(place, withoutNotifying: tokens))
      } _: { model, _ in
        try model.toggleCompleted(index, in: place)
      }
    case 4:
      let text = ["", "edit \(step)"].randomElement(using: &generator) ?? ""
      try both {
        try store.edit(rows[index].id, in: RowScope(place, withoutNotifying: tokens), text: text)
      } _: { model, _ in
        try model[place].edit(index, text: text)
      }
    case 5:
      try both {
        try store.delete([rows[index].id], in: RowScope(place, withoutNotifying: tokens))
      } _: { model, _ in
        model[place].rows.remove(at: index)
      }
    case 6:
      let offset = Int.random(in: -3...3, using: &generator)
      try both {
        try store.move([rows[index].id], in: RowScope(place, withoutNotifying: tokens), by: offset)
      } _: { model, _ in
        try model[place].move(index, by: offset)
      }
    case 7 where !ids.isEmpty:
      try both {
        try store.toggleCompleted(ids, in: RowScope(place, withoutNotifying: tokens))
      } _: { model, _ in
        try model.toggleCompleted(several, in: place)
      }
    case 8 where !ids.isEmpty && step % 2 == 0:
      try both {
        try store.delete(ids, in: RowScope(place, withoutNotifying: tokens))
      } _: { model, _ in
        model[place].rows.removeAll { ids.contains($0.id) }
      }
    case 9, 10, 11:
      let chosen = Int.random(in: 0..<3, using: &generator) == 0 ? several : [index]
      try both {
        try store.demote(
          chosen.map { rows[$0].id }, in: RowScope(place, withoutNotifying: tokens),
          below: rows[max(0, index - 1)].id)
      } _: { model, _ in
        try model.demote(chosen, in: place, below: rows[max(0, index - 1)])
      }
    case 12:
      let chosen = ids.isEmpty ? [index] : several
      try both {
        try store.promote(chosen.map { rows[$0].id }, in: RowScope(place, withoutNotifying: tokens))
      } _: { model, _ in
        try model.promote(chosen, in: place)
      }
    case 13:
      let list = try #require(model.lists.randomElement(using: &generator)).id
      try both {
        try store.move([rows[index].id], in: RowScope(place, withoutNotifying: tokens), toList: list)
      } _: { model, _ in
        model.move([index], from: place, toList: list)
      }
    case 14:
      try both {
        try store.clearCompleted(in: RowScope(place, withoutNotifying: tokens))
      } _: { model, _ in
        model[place].clearCompleted()
      }
    case 15 where besideOthers:
      // Another program completes a row where it stands, which no operation would do.
      try store.store.refresh()
      let task = try #require(store.task(rows[index].id))
      try store.store.write { task.completed.toggle() }
      model[place].rows[index].completed.toggle()
    default: break
    }
    #expect(refusal == expected, comment)
    if let edit, place == window.place { window.follow(edit.changes) }
  }

  /// Two windows of these authors on a store of their own, which has a second list.
  private func twoWindows(_ authors: String...) throws -> [Window] {
    let name = UUID().uuidString
    let windows = try authors.map { try Window(identifier: name, author: $0) }
    for window in windows { window.store.dates = RowsModel.dates }
    try windows[0].store.add("Work", to: .lists)
    return windows
  }

  @Test("Any sequence of operations by two windows leaves what the rules say, and both windows show it")
  func againstModel() throws {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    for _ in 0..<6 {
      let windows = try twoWindows("one", "two")
      var model = OutlineModel(windows[0].store)
      for step in 0..<cases(200, sample: 60) {
        let window = windows[Int.random(in: 0...1, using: &generator)]
        try act(window, &model, step, using: &generator, comment)
        // Changes made elsewhere, or here and not to the list itself, arrive.
        try window.store.store.refresh()
        try #require(OutlineModel(window.store) == model, comment)
        try #require(window.isExact, comment)
        if step % 7 == 0 { for window in windows { try window.store.store.refresh() } }
        try #require(windows.allSatisfy { $0.isExact }, comment)
        try checkStructure(window.store, comment)
      }
    }
  }

  @Test("Whatever is done, undone and done again by two people leaves every task in one place")
  func undoAmongOthers() throws {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    for _ in 0..<6 {
      let windows = try twoWindows("one", "two")
      for step in 0..<cases(250, sample: 60) {
        let window = windows[Int.random(in: 0...1, using: &generator)]
        try window.store.store.refresh()
        var model = OutlineModel(window.store)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1:
          let result =
            Bool.random(using: &generator)
            ? try window.store.undo(showing: RowScope(window.place, withoutNotifying: window.tokens))
            : try window.store.redo(showing: RowScope(window.place, withoutNotifying: window.tokens))
          if case .done(let undone) = result { window.follow(undone.changes) }
          if case .impossible = result { #expect(OutlineModel(window.store) == model, comment) }
        default: try act(window, &model, step, using: &generator, comment)
        }
        try window.store.store.refresh()
        try #require(windows.allSatisfy { $0.isExact }, comment)
        try checkStructure(window.store, comment)
      }
    }
  }

  @Test("Any sequence of operations is undone to its beginning and done again")
  func undo() throws {
    var generator = SeededGenerator()
    let comment = Comment(rawValue: generator.comment)
    for _ in 0..<4 {
      // One person at two windows.
      let windows = try twoWindows("me", "me")
      let store = windows[0].store
      var model = OutlineModel(store)
      var states = [model]
      for step in 0..<80 {
        let window = windows[Int.random(in: 0...1, using: &generator)]
        // The model knows what the other window has done; so does a person who clears what is completed.
        try window.store.store.refresh()
        try act(window, &model, step, using: &generator, comment, besideOthers: false)
        if model != states.last { states.append(model) }
      }
      try store.store.refresh()
      for _ in 0..<2 {
        for state in states.dropLast().reversed() {
          guard case .done = try store.undo(showing: RowScope(.lists)) else {
            Issue.record("nothing undone", severity: .error)
            return
          }
          try #require(OutlineModel(store) == state, comment)
        }
        for state in states.dropFirst() {
          guard case .done = try store.redo(showing: RowScope(.lists)) else {
            Issue.record("nothing done again", severity: .error)
            return
          }
          try #require(OutlineModel(store) == state, comment)
        }
      }
    }
  }

  /// Every task is in exactly one place, and none is a subtask of a subtask.
  private func checkStructure(_ store: TasksStore, _ comment: Comment) throws {
    for task in store.store.objects(TaskItem.self) {
      try #require(task.lists.count + task.parents.count == 1, comment)
      try #require(task.subtasks.isEmpty || task.parents.isEmpty, comment)
    }
  }
}
