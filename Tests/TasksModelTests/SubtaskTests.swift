import FoundationEssentials
import LiveStore
import Testing

@testable import TasksModel

@Suite("Subtasks")
struct SubtaskTests {
  /// A list of tasks, the first of which has subtasks.
  private struct Party {
    let fixture: TasksStoreFixture
    let store: TasksStore
    let list: Place
    let party: Identifier
    let place: Place

    init(tasks: String = "party b C", subtasks: [String] = ["cake", "music"]) throws {
      fixture = try TasksStoreFixture(tasks: tasks)
      store = fixture.store
      list = fixture.place
      party = try fixture.id("party")
      place = .subtasks(of: party)
      try store.add(subtasks, to: place)
    }

    /// Open rows in lower case, completed ones in upper case, subtasks in brackets.
    var line: String { fixture.tasks.map(words).joined(separator: " ") }

    private func words(_ task: TaskItem) -> String {
      let text = task.completed ? task.text.uppercased() : task.text.lowercased()
      return task.subtasks.isEmpty ? text : "\(text)(\(task.subtasks.map(words).joined(separator: " ")))"
    }

    func id(_ text: String) throws -> Identifier {
      let all = fixture.tasks + fixture.tasks.flatMap { Array($0.subtasks) }
      return try #require(all.first { $0.text.lowercased() == text }).id
    }
  }

  @Test("What is done to the tasks of a list is done to subtasks, one step each")
  func everyOperation() throws {
    let party = try Party()
    let (store, place) = (party.store, party.place)
    let operations: [(expected: String, words: String, run: () throws -> Edit)] = [
      ("party(cake music ice) b C", "adding “ice”", { try store.add("ice", to: place) }),
      (
        "party(cake ice MUSIC) b C", "completing “music”",
        { try store.toggleCompleted([party.id("music")], in: RowScope(place)) }
      ),
      (
        "party(ice cake MUSIC) b C", "moving “ice”",
        { try store.move([party.id("ice")], in: RowScope(place), by: -1) }
      ),
      (
        "party(lime cake MUSIC) b C", "editing “ice”",
        { try store.edit(party.id("ice"), in: RowScope(place), text: "lime") }
      ),
      (
        "party(lime cake music) b C", "reopening “music”",
        { try store.toggleCompleted([party.id("music")], in: RowScope(place)) }
      ),
      (
        "party(cake music) b C", "deleting “lime”",
        { try store.delete([party.id("lime")], in: RowScope(place)) }
      ),
      (
        "party(CAKE MUSIC) b C", "completing 2 rows",
        { try store.toggleCompleted([party.id("cake"), party.id("music")], in: RowScope(place)) }
      ),
      ("party b C", "clearing 2 rows", { try store.clearCompleted(in: RowScope(place)) }),
    ]
    var lines = [party.line]
    for operation in operations {
      let edit = try operation.run()
      #expect(edit.step != nil)
      #expect(party.line == operation.expected)
      lines.append(party.line)
    }
    for index in operations.indices.reversed() {
      #expect(try undone(store.undo(showing: RowScope(place))) == operations[index].words)
      #expect(party.line == lines[index])
    }
    for index in operations.indices {
      #expect(try undone(store.redo(showing: RowScope(place))) == operations[index].words)
      #expect(party.line == lines[index + 1])
    }
  }

  @Test("Completing a task completes its open subtasks in the same step; opening it again leaves them")
  func completing() throws {
    let party = try Party(subtasks: ["cake", "music", "ice"])
    let (store, list) = (party.store, party.list)
    try store.toggleCompleted([party.id("music")], in: RowScope(party.place))
    try store.toggleCompleted([party.party], in: RowScope(list))
    #expect(party.line == "b C PARTY(MUSIC CAKE ICE)")
    #expect(try undone(store.undo(showing: RowScope(list))) == "completing “party”")
    #expect(party.line == "party(cake ice MUSIC) b C")
    #expect(try undone(store.redo(showing: RowScope(list))) == "completing “party”")
    try store.toggleCompleted([party.party], in: RowScope(list))
    #expect(party.line == "b party(MUSIC CAKE ICE) C")
    // The last open subtask does not complete its task.
    try store.toggleCompleted([party.id("ice")], in: RowScope(party.place))
    try store.toggleCompleted([party.id("ice")], in: RowScope(party.place))
    #expect(party.line == "b party(MUSIC CAKE ICE) C")
    // For a program that shows no list, and for several at once.
    try store.toggleCompleted([party.id("ice"), party.id("cake")], in: RowScope(nil))
    #expect(party.line == "b party(cake ice MUSIC) C")
    #expect(
      try store.complete([party.id("cake"), party.party, party.id("ice")]) == [party.id("cake"), party.party])
    #expect(party.line == "b C PARTY(MUSIC CAKE ICE)")
    #expect(try undone(store.undo(showing: RowScope(list))) == "completing “party”")
    #expect(party.line == "b party(cake ice MUSIC) C")
    let edit = try store.toggleCompleted([party.id("b"), party.party], in: RowScope(list))
    #expect(party.line == "C B PARTY(MUSIC CAKE ICE)" && edit.after.count == 2)
    #expect(try undone(store.undo(showing: RowScope(list))) == "completing 2 rows")
    #expect(party.line == "b party(cake ice MUSIC) C")
  }

  @Test("A completed task has no open subtasks")
  func completedTask() throws {
    let party = try Party()
    let store = party.store
    try store.toggleCompleted([party.party], in: RowScope(party.list))
    let cake = try party.id("cake")
    #expect(throws: Refusal.openSubtaskOfCompletedTask) { try store.add("x", to: party.place) }
    #expect(throws: Refusal.openSubtaskOfCompletedTask) { try store.add(["x"], to: party.place) }
    #expect(throws: Refusal.openSubtaskOfCompletedTask) {
      try store.toggleCompleted([cake], in: RowScope(party.place))
    }
    #expect(throws: Refusal.openSubtaskOfCompletedTask) {
      try store.toggleCompleted([cake], in: RowScope(nil))
    }
    #expect(throws: Refusal.openSubtaskOfCompletedTask) {
      try store.demote([party.id("b")], in: RowScope(party.list), below: party.party)
    }
    #expect(party.line == "b C PARTY(CAKE MUSIC)")
    // Together with its task it is opened.
    try store.toggleCompleted([cake, party.party], in: RowScope(nil))
    #expect(party.line == "b party(cake MUSIC) C")
  }

  @Test("Subtasks go with their task and come back with it, in order")
  func deleting() throws {
    let party = try Party()
    let (store, list) = (party.store, party.list)
    let before = party.line
    func tasks() -> Int { store.store.objects(TaskItem.self).count }
    func takeBack(_ expected: String) throws {
      #expect(tasks() == (party.fixture.tasks.isEmpty ? 0 : party.fixture.tasks.count))
      #expect(try undone(store.undo(showing: RowScope(list))) == expected)
      #expect(party.line == before && tasks() == 5)
      #expect(try undone(store.redo(showing: RowScope(list))) == expected)
      #expect(try undone(store.undo(showing: RowScope(list))) == expected)
      #expect(party.line == before && tasks() == 5)
    }
    try store.delete([party.party], in: RowScope(list))
    try takeBack("deleting “party”")
    try store.delete([party.id("cake"), party.party, party.id("b")], in: RowScope(nil))
    try takeBack("deleting 2 rows")
    try store.delete([TaskList.firstListID], in: RowScope(.lists))
    try takeBack("deleting “My Tasks”")
    try store.edit(party.party, in: RowScope(list), text: " ")
    try takeBack("deleting “party”")
    try store.toggleCompleted([party.party], in: RowScope(list))
    try store.clearCompleted(in: RowScope(list))
    #expect(party.line == "b" && party.store.archive?.items.map { $0.subtasks.count } == [0, 2])
    _ = try store.undo(showing: RowScope(list))
    #expect(party.line == "b C PARTY(CAKE MUSIC)")
  }

  @Test("Subtasks go with their task to another list, and become tasks of it on their own")
  func moving() throws {
    let party = try Party()
    let store = party.store
    let work = try #require(try store.add("Work", to: .lists).rowID)
    try store.move([party.id("music"), party.party], in: RowScope(nil), toList: work)
    #expect(party.line == "b C")
    #expect(store.list(work)?.items.first?.subtasks.map(\.text) == ["cake", "music"])
    let music = try #require(store.list(work)?.items.first?.subtasks.last)
    try store.move([music.id], in: RowScope(party.place), toList: TaskList.firstListID)
    #expect(party.line == "b music C" && store.place(ofTask: music.id) == party.list)
    #expect(try undone(store.undo(showing: RowScope(party.place))) == "moving “music” to another list")
    #expect(store.place(ofTask: music.id) == party.place)
    _ = try store.undo(showing: RowScope(party.list))
    #expect(party.line == "party(cake music) b C")
    let holders = store.holders(ofTask: music)
    #expect(holders.list?.id == TaskList.firstListID && holders.owner?.id == party.party)
  }

  @Test("A task becomes a subtask of another one, and a task again")
  func demoting() throws {
    let party = try Party(tasks: "party b c d E", subtasks: ["cake", "ICE"])
    let (store, list, place) = (party.store, party.list, party.place)
    try store.toggleCompleted([party.id("ice")], in: RowScope(place))
    let edit = try store.demote(
      [party.id("c"), party.id("e"), party.id("b")], in: RowScope(list), below: party.party)
    #expect(party.line == "party(cake b c ICE) d E")
    #expect(
      edit.changes == ChangeSet(deletions: [1, 2], modifications: [0], modificationsInNew: [0]))
    try store.promote([party.id("c"), party.id("ice"), party.id("cake")], in: RowScope(place))
    #expect(party.line == "party(b ICE) cake c d E")
    #expect(try undone(store.undo(showing: RowScope(list))) == "making a task of 2 rows")
    #expect(party.line == "party(cake b c ICE) d E")
    #expect(try undone(store.undo(showing: RowScope(list))) == "making a subtask of 2 rows")
    #expect(party.line == "party(cake ICE) b c d E")
    #expect(try undone(store.redo(showing: RowScope(place))) == "making a subtask of 2 rows")
    #expect(try undone(store.redo(showing: RowScope(place))) == "making a task of 2 rows")
    #expect(party.line == "party(b ICE) cake c d E")
    // Below a completed task an open one cannot stand.
    let b = try party.id("b")
    try store.toggleCompleted([party.party], in: RowScope(list))
    try store.store.write { store.task(b)?.completed = false }
    try store.promote([b], in: RowScope(nil))
    #expect(party.line == "cake c d b E PARTY(ICE)")
  }

  @Test("What cannot become a subtask, or a task, is refused with a sentence")
  func refused() throws {
    let party = try Party(tasks: "party b c D")
    let (store, list, place) = (party.store, party.list, party.place)
    let (b, c, d, cake) = try (party.id("b"), party.id("c"), party.id("d"), party.id("cake"))
    #expect(throws: Refusal.demotingTaskWithSubtasks) {
      try store.demote([c, party.party], in: RowScope(list), below: b)
    }
    #expect(throws: Refusal.movingCompletedRow) { try store.demote([d], in: RowScope(list), below: b) }
    #expect(throws: Refusal.openSubtaskOfCompletedTask) {
      try store.demote([b], in: RowScope(list), below: d)
    }
    #expect(throws: Refusal.subtaskOfSubtask) {
      try store.demote([party.id("music")], in: RowScope(place), below: cake)
    }
    #expect(throws: Refusal.subtaskOfSubtask) { try store.add("x", to: .subtasks(of: cake)) }
    #expect(throws: Refusal.promotingTask) { try store.promote([b], in: RowScope(list)) }
    #expect(throws: Refusal.promotingTask) { try store.promote([b], in: RowScope(nil)) }
    #expect(try store.demote([b], in: RowScope(list), below: Identifier()).noChange == .neighbourGone)
    #expect(try store.demote([Identifier()], in: RowScope(list), below: b).noChange == .gone)
    #expect(try store.demote([b], in: RowScope(list), below: b).noChange == .gone)
    #expect(try store.promote([Identifier()], in: RowScope(place)).noChange == .gone)
    #expect(try store.add("x", to: .subtasks(of: Identifier())).noChange == .gone)
    #expect(try store.add(["x"], to: .subtasks(of: Identifier())) == nil)
    #expect(party.line == "party(cake music) b c D")
    for refusal: Refusal in [
      .subtaskOfSubtask, .demotingTaskWithSubtasks, .promotingTask, .openSubtaskOfCompletedTask,
    ] {
      #expect("\(refusal)".hasSuffix("."))
    }
  }

  @Test("Undo makes no subtasks of subtasks, and says what stands in the way")
  func undoObstacles() throws {
    let party = try Party(tasks: "party b c")
    let (store, list, place) = (party.store, party.list, party.place)
    let cake = try party.id("cake")
    // Others act through transactions of their own, which no step of this author tells of.
    func others(_ body: (TaskItem, TaskItem) -> Void) throws {
      let (party, cake) = (try #require(store.task(party.party)), try #require(store.task(cake)))
      try store.store.write { body(party, cake) }
    }
    try store.promote([cake], in: RowScope(place))
    try others { party, cake in
      let task = TaskItem()
      cake.subtasks.append(task)
    }
    #expect(try store.undo(showing: RowScope(list)) == .impossible(.promote, .nested("cake")))
    try others { $1.subtasks.removeAll() }
    try store.delete([party.id("music")], in: RowScope(place))
    try others { party, cake in
      store.list(TaskList.firstListID)?.items.remove(at: 0)
      cake.subtasks.append(party)
    }
    #expect(try store.undo(showing: RowScope(list)) == .impossible(.delete, .nested("music")))
    try others { $1.subtasks.removeAll() }
    try store.add("late", to: place)
    try store.delete([#require(store.task(party.party)?.subtasks.first).id], in: RowScope(place))
    try others { party, _ in store.store.delete(party) }
    #expect(try store.undo(showing: RowScope(list)) == .impossible(.delete, .taskDeleted("late")))
    for obstacle: UndoObstacle in [.nested("a"), .taskDeleted("a")] { #expect("\(obstacle)".hasSuffix(".")) }
    // A task that others have given subtasks since is not taken away with them.
    let added = try #require(try store.add("mine", to: list).rowID)
    try store.store.write { store.task(added)?.subtasks.append(TaskItem()) }
    #expect(try store.undo(showing: RowScope(list)) == .impossible(.add, .rowChanged("mine")))
  }

  @Test("What another program has made of subtasks stops nothing: cycles, levels, several places")
  func foreignStructures() throws {
    let party = try Party(tasks: "party b c")
    let (store, list) = (party.store, party.list)
    let (b, cake, music) = try (party.id("b"), party.id("cake"), party.id("music"))
    try store.store.write {
      let task = try #require(store.task(party.party))
      // Itself, one twice, one that is in the list as well, and a level more.
      task.subtasks.append(task)
      task.subtasks.append(try #require(store.task(music)))
      task.subtasks.append(try #require(store.task(b)))
      store.task(cake)?.subtasks.append(try #require(store.task(b)))
    }
    try store.toggleCompleted([party.party], in: RowScope(list))
    #expect(store.task(cake)?.completed == true && store.task(b)?.completed == false)
    try store.clearCompleted(in: RowScope(list))
    #expect(party.fixture.line == "b c")
    #expect(store.archive?.items.map(\.text) == ["party"])
    _ = try store.undo(showing: RowScope(list))
    #expect(party.fixture.line == "b c PARTY" && store.archive?.items.isEmpty == true)
    #expect(
      store.task(party.party)?.subtasks.map(\.text).sorted() == ["b", "cake", "music", "music", "party"])
    try store.delete([TaskList.firstListID], in: RowScope(.lists))
    #expect(store.store.objects(TaskItem.self).isEmpty)
  }

  @Test("Dates, tags, notes and due tasks are those of subtasks too")
  func details() throws {
    let party = try Party(subtasks: ["cake #food tomorrow"])
    let store = party.store
    let worker = try DateWorker.unread(in: store)
    try DateWorker.readAll(worker, store.dates)
    let task = try #require(store.task(party.party)?.subtasks.first)
    #expect(task.date != nil && task.tags == " food ")
    #expect(try store.tasks(withTag: "food").map(\.id) == [task.id])
    #expect(try store.openTasks(dueBefore: .distantFuture).map(\.id) == [task.id])
    try store.setNotes(task.id, to: "with cream")
    try store.setPriority([task.id], in: RowScope(nil)) { _ in .a }
    try store.setDate([task.id], in: RowScope(party.place), to: nil)
    try store.delete([party.party], in: RowScope(party.list))
    _ = try store.undo(showing: RowScope(party.list))
    let back = try #require(store.task(task.id))
    #expect(
      back.notes == "with cream" && back.priority == .a && back.date == nil && back.dateOrigin == .person)
    #expect(store.place(ofTask: task.id) == party.place)
  }

  @Test("Who shows the tasks that are due sees those go that go with another one")
  func collected() throws {
    let party = try Party()
    let store = party.store
    let ids = try [party.party, party.id("cake"), party.id("music")]
    try store.setDate(ids, in: RowScope(nil), to: Date(timeIntervalSince1970: 0))
    let due = try store.openTasks(dueBefore: .now)
    func deletions(_ edit: Edit) -> Int { edit.changes.deletions.count }
    #expect(due.count == 3)
    #expect(try deletions(store.toggleCompleted([party.party], in: RowScope(nil, collected: due))) == 3)
    guard case .done(let undone) = try store.undo(showing: RowScope(nil, collected: due)) else {
      Issue.record("nothing undone")
      return
    }
    #expect(due.count == 3 && undone.count == 1)
    #expect(try deletions(store.delete([party.party], in: RowScope(nil, collected: due))) == 3)
    _ = try store.undo(showing: RowScope(nil, collected: due))
    #expect(try deletions(store.delete(ids, in: RowScope(nil, collected: due))) == 3)
    _ = try store.undo(showing: RowScope(nil, collected: due))
    #expect(try deletions(store.edit(party.party, in: RowScope(nil, collected: due), text: "")) == 3)
    _ = try store.undo(showing: RowScope(nil, collected: due))
    #expect(due.count == 3 && party.line == "party(cake music) b C")
  }
}
