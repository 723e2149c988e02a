import FoundationEssentials
import LiveStore
import TasksModel

/// The questions before tasks go out of sight that the person may not have meant, and the sentences after
/// rows are gone.
extension RowController {
  /// The question of a command that completes or clears what holds open tasks; nil if it may be performed.
  func question(of command: RowsCommand, _ call: CommandCall) -> String? {
    switch command {
    case .toggleCompleted: questionOfCompleting(call)
    case .clearCompleted: questionOfClearing()
    default: nil
    }
  }

  /// Only lists are asked about: a task takes its subtasks with it, in sight of the person.
  private func questionOfCompleting(_ call: CommandCall) -> String? {
    let isMeant = call.rows != nil || !marks.isEmpty || list.meantRow?.wasDeleted == false
    guard case .lists? = place, isMeant, !marks.areLost else { return nil }
    let lists = rowsForCommand(call, count: call.times).compactMap(context.store.list)
    let open = lists.filter { !$0.completed }.map { (text: $0.text, count: $0.openTaskCount) }
      .filter { $0.count > 0 }
    guard let first = open.first else { return nil }
    let count = open.map(\.count).reduce(0, +)
    let tasks = count.counted("open task")
    return open.count == 1
      ? "\(first.text.quoted) has \(tasks). Complete it?"
      : "\(open.count.grouped) lists have \(tasks). Complete them?"
  }

  private func questionOfClearing() -> String? {
    if place == .archive, items.count > 0 {
      return "Delete \(items.count == 1 ? "the task" : "all \(items.count.grouped) tasks") of the archive?"
    }
    guard let place, let (rows, tasks) = try? context.store.openTasksHeldByCompletedRows(of: place), tasks > 0
    else { return nil }
    let what = rows.counted(place == .lists ? "completed list" : "completed task")
    return "\(what) \(rows == 1 ? "has" : "have") \(tasks.counted("open task")). Clear "
      + (rows == 1 ? "it?" : "them?")
  }

  /// Says which rows were cleared, and how to bring them back.
  func sayCleared(_ edit: Edit) {
    // Of lists, whose tasks are in the archive before them, there are no values after.
    let isOfLists = place == .lists
    let count = isOfLists ? edit.before.count - edit.after.count : edit.before.count
    guard let one = isOfLists ? edit.before.last : edit.before.first else { return }
    var what = count == 1 ? one.text.quoted : "\(count.grouped) completed rows"
    if isOfLists, !edit.after.isEmpty { what += " with \(edit.after.count.counted("task"))" }
    let isOne = edit.before.count == 1
    context.say(
      "Cleared \(what). \(context.key(.rows(.undo))) brings \(isOne ? "it" : "them") back, "
        + "\(context.key(.app(.archive))) shows \(isOfLists ? "the tasks" : isOne ? "it" : "them").")
  }

  /// Says which rows are gone, with the tasks that they held, and how to bring them back.
  func sayDeleted(_ edit: Edit) {
    guard let first = edit.before.first else { return }
    let count = edit.before.count
    let held = edit.before.map(\.tasks.count).reduce(0, +)
    var what = count == 1 ? first.text.quoted : "\(count.grouped) rows"
    if held > 0 {
      let noun = place == .lists ? "task" : "subtask"
      what += count == 1 ? " with \(held.counted(noun))" : " with \(held.counted(noun)) in them"
    }
    let isOne = count == 1 && held == 0
    context.say("Deleted \(what). \(context.key(.rows(.undo))) brings \(isOne ? "it" : "them") back.")
  }
}

extension TaskList {
  fileprivate var openTaskCount: Int {
    (try? items.filter(#Predicate<TaskItem> { !$0.completed }).count) ?? 0
  }
}
