import FoundationEssentials
import LiveStore
import TasksModel

/// Commands on properties that only tasks have.
extension RowController where Element == TaskItem {
  func perform(_ command: TasksCommand, _ call: CommandCall) -> ScreenRequest? {
    switch command {
    case .due:
      guard let text = call.argument else { return ask(call) { _ in .date(.due, context) } }
      return setDate(text, call)
    case .wait:
      guard let text = call.argument else { return ask(call) { _ in .date(.waiting, context) } }
      return setWaiting(text, call)
    case .repetition:
      guard let text = call.argument else { return ask(call) { .repetition(ofTask: $0, context) } }
      return setRepetition(text, call)
    case .note:
      drop()
      return meantRow().map(ScreenRequest.openNote)
    case .editNote:
      drop()
      return meantRow().map(ScreenRequest.editNote)
    case .priority:
      guard let name = call.argument else { return ask(call) { _ in .priority() } }
      if let priority = TaskPriority(named: name) {
        return setPriority(call, ifUnchanged: hasAlready(priority)) { _ in priority }
      } else {
        context.refuse("\(name.quoted) is no priority: A, B, C or none.")
      }
    case .raisePriority: return setPriority(call, ifUnchanged: hasAlready(.a)) { $0.raised }
    case .lowerPriority: return setPriority(call, ifUnchanged: hasAlready(.none)) { $0.lowered }
    case .moveToList: return moveToList(call)
    case .subtask: return addSubtask(call)
    case .demote: return demote(call)
    case .promote: return promote(call)
    case .fold: fold()
    case .foldAll: foldAll()
    }
    return nil
  }

  /// Requests a prompt about the marked rows, or about the one under the cursor if it can be changed.
  ///
  /// - Parameter prompt: Makes the prompt, about this task or about several.
  private func ask(_ call: CommandCall, _ prompt: (Identifier?) -> Prompt) -> ScreenRequest? {
    drop()
    let isOne = marks.isEmpty
    guard let call = naming(call) else { return nil }
    guard isOne, let id = call.rows?.first, let index = index(of: id) else {
      return .ask(prompt(nil), for: call)
    }
    guard !items[index].completed else { return context.say(Refusal.editingCompletedRow) }
    return .ask(prompt(id), for: call)
  }

  /// Changes the tasks that the command is about, in place.
  private func changeTasks(
    _ call: CommandCall, ifUnchanged unchanged: @escaping (_ rows: [Identifier]) -> String,
    _ operation: @escaping RowsOperation, then report: @escaping (Edit) -> Void
  ) -> ScreenRequest? {
    prepareForChange()
    return operateOnRows(call, ifUnchanged: unchanged, operation, then: report)
  }

  func prepareForChange() {
    seek = nil
    catchUp()
    drop()
  }

  /// - Returns: The date in words, or none for an empty text or `none`; nil if it is not understood, which is
  ///   told.
  private func date(_ text: String) -> Date?? {
    if text.meansNothing { return .some(nil) }
    do throws(DateProblem) {
      return try context.dates.read(text)
    } catch {
      context.refuse("\(error)")
      return nil
    }
  }

  /// - Parameter text: The date in words; an empty one, or `none`, shows the task again.
  private func setWaiting(_ text: String, _ call: CommandCall) -> ScreenRequest? {
    guard let date = date(text) else { return nil }
    if let date, date <= context.calendar.now() {
      context.refuse(DateCompletion.overSentence)
      return nil
    }
    let unchanged = { [self] (rows: [Identifier]) in
      guard let date else { return "\(subject(rows, "does", "do")) not wait." }
      return "\(subject(rows, "waits", "wait")) until \(context.calendar.words(for: date)) already."
    }
    return changeTasks(call, ifUnchanged: unchanged) { [self] in
      try $0.setWaiting($1, in: scope, until: date, partOf: $2)
    } then: { [self] edit in
      let isOne = edit.after.count == 1
      guard let date else { return context.say("\(tasks(edit)) \(isOne ? "waits" : "wait") no longer.") }
      context.say(
        "\(tasks(edit)) \(isOne ? "waits" : "wait") until \(context.calendar.words(for: date)); "
          + "\(context.key(.app(.waiting))) shows what waits.", until: date)
    }
  }

  /// - Parameter text: The date in words; an empty one, or `none`, removes it.
  private func setDate(_ text: String, _ call: CommandCall) -> ScreenRequest? {
    guard let date = date(text) else { return nil }
    let unchanged = { [self] (rows: [Identifier]) in
      guard let date else { return "\(subject(rows, "has", "have")) no date." }
      return "\(subject(rows, "is", "are")) due \(context.calendar.words(for: date)) already."
    }
    return changeTasks(call, ifUnchanged: unchanged) { [self] in
      try $0.setDate($1, in: scope, to: date, partOf: $2)
    } then: { [self] edit in
      let due = date.map { "due \(context.calendar.words(for: $0))" } ?? "without a date"
      context.say("\(tasks(edit)) \(edit.after.count == 1 ? "is" : "are") \(due) now.")
    }
  }

  private func tasks(_ edit: Edit) -> String {
    edit.after.count == 1 ? edit.after[0].text.quoted : "\(edit.after.count.grouped) tasks"
  }

  /// - Parameter text: The repetition in words; an empty one, or `none`, removes it.
  private func setRepetition(_ text: String, _ call: CommandCall) -> ScreenRequest? {
    var repetition: Repetition?
    if !text.meansNothing {
      do throws(RepetitionProblem) {
        repetition = try context.dates.readRepetition(text)
      } catch {
        context.refuse("\(error)")
        return nil
      }
    }
    let unchanged = { [self, repetition] (rows: [Identifier]) in
      guard let repetition else { return "\(subject(rows, "does", "do")) not come again." }
      return "\(subject(rows, "comes", "come")) again \(repetition) already."
    }
    return changeTasks(call, ifUnchanged: unchanged) { [self, repetition] in
      try $0.setRepetition($1, in: scope, to: repetition, partOf: $2)
    } then: { [self, repetition] edit in
      guard let task = edit.after.first else { return }
      let isOne = edit.after.count == 1
      guard repetition != nil else {
        return context.say("\(tasks(edit)) \(isOne ? "does" : "do") not come again.")
      }
      let next = isOne ? task.date.map { ", due \(context.calendar.words(for: $0))" } ?? "" : ""
      let words = Repetition.words(of: task.details.repetition)
      context.say("\(tasks(edit)) \(isOne ? "comes" : "come") again \(words)\(next).")
    }
  }

  private func setPriority(
    _ call: CommandCall, ifUnchanged unchanged: @escaping (_ rows: [Identifier]) -> String,
    _ change: @escaping (TaskPriority) -> TaskPriority
  ) -> ScreenRequest? {
    changeTasks(call, ifUnchanged: unchanged) { [self] in
      try $0.setPriority($1, in: scope, partOf: $2, change)
    } then: { [self] edit in
      guard edit.after.count == 1, let task = edit.after.first else { return }
      let priority = task.details.priority
      context.say(
        "\(task.text.quoted) has "
          + (priority == .none ? "no priority now." : "priority \(priority.rawValue) now."))
    }
  }

  /// The sentence about rows that have a priority already.
  private func hasAlready(_ priority: TaskPriority) -> (_ rows: [Identifier]) -> String {
    { [self] rows in
      priority == .none
        ? "\(subject(rows, "has", "have")) no priority."
        : "\(subject(rows, "has", "have")) priority \(priority.rawValue) already."
    }
  }

  /// Writes a note and shows the change.
  func setNote(of id: Identifier, to text: String, replacing original: String) throws -> Edit {
    catchUp()
    let edit = try context.store.setNotes(id, to: text, replacing: original, in: scope)
    if edit.noChange != nil { return edit }
    list.apply(edit.changes, newRows: makeRows(), isLocal: true, at: changeTime)
    return edit
  }
}
