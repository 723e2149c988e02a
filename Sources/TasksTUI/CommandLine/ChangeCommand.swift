import LiveStore
import TasksModel
import TerminalUI

/// The commands that change a task or a list. Each is one transaction, which every open window shows, and
/// which `tasks undo` and the windows of the same person can take back.
struct ChangeCommand {
  enum Change: Equatable {
    case edit(task: String, text: String?, NewTaskOptions = NewTaskOptions())
    case reopen(task: String)
    case delete(task: String)
    case move(task: String, list: String)
    /// Deletes the completed tasks of the list.
    case clear
    case addList(String)
    case renameList(String, name: String)
    case colorList(String, color: String)
    case sortList(String, order: String)
    /// Takes the name away where there are no words.
    case saveSearch(String, words: String)
    /// Asks on a terminal if tasks would go, unless that is confirmed.
    case deleteList(String, isConfirmed: Bool = false)
    case undo, redo

    /// Whether it makes sense in a file that is made for it.
    var mayBeginFile: Bool {
      switch self {
      case .addList, .saveSearch: true
      default: false
      }
    }
  }

  let store: TasksStore
  /// The name of the list to search, or nil for all; for `clear` nil means the first.
  let list: String?
  /// Asks a question that is answered with yes or no; true where there is nobody to ask.
  var confirm: (String) -> Bool = { _ in true }

  /// - Returns: What was done, as a line.
  /// - Throws: `RuntimeError` when there is no such task or list, or more than one; `Refusal`, `StoreError`.
  func run(_ change: Change) throws -> String {
    try perform(change).asPrintedSentence + "\n"
  }

  private func perform(_ change: Change) throws -> String {
    switch change {
    case .edit(let name, let text, let options): return try edit(name, text, options)
    case .reopen(let name):
      let (id, text) = try find(name, completed: true)
      let former = scope(ofTask: id)
      try operate { try $0.toggleCompleted([id], in: former, ifCompleted: true) }
      guard former.place == .archive, let task = store.task(id), let place = store.whereabouts(of: task)
      else {
        return "Opened “\(text)” again."
      }
      return "Opened “\(text)” again in “\(place)”."
    case .delete(let name):
      let id = try find(name, completed: nil).id
      return deleted(try operate { try $0.delete([id], in: scope(ofTask: id)) }, holding: "subtask")
    case .move(let name, let target):
      let target = try store.list(named: target)
      let (id, text) = try find(name, completed: nil)
      let (targetID, targetText) = (target.id, target.text)
      try operate { try $0.move([id], in: scope(ofTask: id), toList: targetID) }
      return "Moved “\(text)” to “\(targetText)”."
    case .clear:
      let place = Place.tasks(inList: try store.list(named: list).id)
      return deleted(
        try operate { try $0.clearCompleted(in: RowScope(place)) }, "Cleared", holding: "subtask")
    case .addList(let name):
      try requireNew(name)
      try operate { try $0.add(name, to: .lists) }
      return "Added the list “\(name)”."
    case .renameList(let list, let name):
      let list = try store.list(named: list)
      let (id, old) = (list.id, list.text)
      if name != old { try requireNew(name) }
      try operate { try $0.edit(id, in: RowScope(.lists), text: name) }
      return "Renamed the list “\(old)” to “\(name)”."
    case .colorList(let list, let name):
      guard let color = ListColor.value(of: name) else {
        throw RuntimeError("“\(name)” is no colour: \(ListColor.choices)")
      }
      let list = try store.list(named: list)
      let (id, text) = (list.id, list.text)
      try operate { try $0.setColor([id], to: color, in: RowScope(.lists)) }
      return color.isEmpty ? "“\(text)” has the colour of its place." : "“\(text)” is \(name) now."
    case .sortList(let list, let name):
      let order = RowOrder(rawValue: name.lowercased())
      guard order != nil || ["off", "none"].contains(name.lowercased()) else {
        throw RuntimeError("“\(name)” is no order: \(RowOrder.choices), off")
      }
      let list = try store.list(named: list)
      let (id, text) = (list.id, list.text)
      try operate { try $0.setOrder([id], to: order, in: RowScope(.lists)) }
      return order.map { "“\(text)” is kept sorted by \($0.words) from now on." }
        ?? "“\(text)” keeps the order that you give it."
    case .saveSearch(let name, let words):
      try store.requireReadable()
      let before = try store.saveSearch(words, as: name)
      guard words.allSatisfy(\.isWhitespace) else {
        let old = before.map { $0 == words ? "" : " It was “\($0)”." } ?? ""
        return "tasks search --saved finds “\(words)” as “\(name)” from now on.\(old)"
      }
      guard let before else { throw RuntimeError("no search has the name “\(name)”") }
      return "“\(name)” is no longer a search; it was “\(before)”."
    case .deleteList(let list, let isConfirmed):
      let list = try store.list(named: list)
      let (id, count) = (list.id, list.items.count)
      if count > 0, !isConfirmed {
        guard confirm("Delete the list “\(list.text)” with \(count.counted("task"))?") else {
          throw RuntimeError("nothing was deleted")
        }
      }
      return deleted(try operate { try $0.delete([id], in: RowScope(.lists)) }, holding: "task")
    case .undo: return try report(.undo, store.undo(showing: RowScope(nil)))
    case .redo: return try report(.redo, store.redo(showing: RowScope(nil)))
    }
  }

  /// Lists of one name would have to be told by their ids.
  private func requireNew(_ name: String) throws(RuntimeError) {
    guard !store.lists.contains(where: { $0.text == name }) else {
      throw RuntimeError("there is a list “\(name)” already")
    }
  }

  private func edit(_ name: String, _ text: String?, _ options: NewTaskOptions) throws -> String {
    var changes = TaskChanges()
    changes.text = text
    changes.date = try options.due.map { try $0.valueOrNothing(store.date) }
    changes.repetition = try options.repetition.map { try $0.valueOrNothing(store.repetition) }
    try options.requireDateForRepetition()
    changes.priority = try options.priority.map(store.priority)
    changes.waitsUntil = try options.wait.map { try $0.valueOrNothing(store.waitingDate) }
    changes.notes = options.notesText
    let (id, _) = try find(name, completed: false)
    let edit = try operate { try $0.change(id, changes) }
    guard let (before, after) = edit.before.first.flatMap({ old in edit.after.first.map { (old, $0) } })
    else { return "Changed it." }
    let words = DateWords(calendar: store.dates.calendar, now: store.dates.now)
    var said: [String] = []
    if before.text != after.text { said.append("“\(before.text)” is “\(after.text)” now") }
    if before.date != after.date {
      said.append(after.date.map { "due \(words.words(for: $0))" } ?? "without a date")
    }
    if before.details.repetition != after.details.repetition {
      let words = Repetition.words(of: after.details.repetition)
      said.append(words.isEmpty ? "not repeated" : words)
    }
    if before.details.priority != after.details.priority {
      let letter = after.details.priority.rawValue
      said.append(letter.isEmpty ? "without a priority" : "priority \(letter)")
    }
    if before.details.waitsUntil != after.details.waitsUntil {
      said.append(after.details.waitsUntil.map { "waiting until \(words.words(for: $0))" } ?? "not waiting")
    }
    if before.details.notes != after.details.notes {
      let note = before.details.notes.isEmpty ? "with a note" : "with another note"
      said.append(after.details.notes.isEmpty ? "without a note" : note)
    }
    // The person decides now that there is no date, where the text might have said one.
    if said.isEmpty { return "“\(after.text)” is as it was." }
    if before.text == after.text { said[0] = "“\(after.text)” is now " + said[0] }
    return said.joined(separator: ", ") + "."
  }

  private func find(_ name: String, completed: Bool?) throws -> (id: Identifier, text: String) {
    let task = try store.task(named: name, inList: list, completed: completed)
    return (task.id, task.text)
  }

  private func scope(ofTask id: Identifier) -> RowScope { RowScope(store.place(ofTask: id)) }

  @discardableResult
  private func operate(_ operation: (TasksStore) throws -> Edit) throws -> Edit {
    // A read that has failed may have led to another row.
    try store.requireReadable()
    let edit = try operation(store)
    switch edit.noChange {
    case nil: return edit
    case .unchanged?: throw RuntimeError("nothing was changed: it is so already")
    case .nothingCompleted?: throw RuntimeError("there is no completed task in the list")
    case .emptyText?: throw RuntimeError("the text is empty")
    case .gone?, .neighbourGone?, .textChanged?:
      throw RuntimeError("it has just been changed or deleted elsewhere")
    }
  }

  private func deleted(_ edit: Edit, _ verb: String = "Deleted", holding noun: String) -> String {
    let held = edit.before.map(\.tasks.count).reduce(0, +)
    var what = edit.before.count.counted("completed task")
    if edit.before.count == 1, let row = edit.before.first { what = "“\(row.text)”" }
    if held > 0 { what += " with \(held.counted(noun))" }
    return "\(verb) \(what); tasks undo brings \(edit.before.count + held == 1 ? "it" : "them") back."
  }

  /// - Throws: `RuntimeError` when nothing could be undone.
  private func report(_ report: UndoReport, _ result: UndoResult) throws -> String {
    var report = report
    report.add(result)
    if report.isOver { throw RuntimeError(report.sentence) }
    return report.sentence
  }
}
