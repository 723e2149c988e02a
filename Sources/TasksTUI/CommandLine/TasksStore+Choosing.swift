import FoundationEssentials
import LiveStore
import TasksModel

extension TasksStore {
  /// The list that `--list` names: the one with this id, otherwise the only one with this text, otherwise the
  /// only one whose text differs in upper and lower case alone; without a name, the first of all.
  ///
  /// - Throws: `RuntimeError`, which names the existing lists, or their ids if several have this text.
  func list(named name: String?) throws(RuntimeError) -> TaskList {
    guard let name else {
      guard let first = lists.first else {
        throw RuntimeError("there is no list; tasks list-add NAME makes one")
      }
      // The tasks of a list that an entry names and that is not there would be none.
      _ = first.text
      return first
    }
    if let list = list(Identifier(name)), lists.index(of: list) != nil { return list }
    let lists = distinctLists
    var called = Array(lists.lazy.filter { $0.text == name }.prefix(10))
    if called.isEmpty {
      let lowercased = name.lowercased()
      called = Array(lists.lazy.filter { $0.text.lowercased() == lowercased }.prefix(10))
    }
    if let list = called.first {
      guard called.count > 1 else { return list }
      let ids = called.map(\.id.description).joined(separator: ", ")
      throw RuntimeError("more than one list is called “\(name)”; say which by its id: \(ids)")
    }

    let shown = lists.prefix(10).map { "“\($0.text)”" }
    let existing =
      switch shown.isEmpty ? 0 : lists.count {
      // Also if they cannot be read.
      case 0: "there is none"
      case 1: "there is only \(shown[0])"
      case ...10: "there are \(shown.dropLast().joined(separator: ", ")) and \(shown[shown.count - 1])"
      default: "there are \(shown.joined(separator: ", ")) and \((lists.count - shown.count).grouped) more"
      }
    throw RuntimeError("there is no list “\(name)”; \(existing)")
  }

  /// The open task, or subtask, with a name from the command line.
  func openTask(named name: String, inList list: String?) throws -> TaskItem {
    try task(named: name, inList: list, completed: false)
  }

  /// The task, or subtask, with a name from the command line.
  ///
  /// - Parameters:
  ///   - name: The id, the whole text, words of the text that no other such task has, or else the beginning
  ///     of the id, of four letters at least.
  ///   - list: The name of the list to search; nil searches all.
  ///   - completed: Whether it is completed; nil for either, where an open one comes first.
  /// - Throws: `RuntimeError` when there is no such task, more than one, or it is completed or open already.
  ///
  /// Complexity: O(all tasks), unless it is the id.
  func task(named name: String, inList list: String?, completed: Bool?) throws -> TaskItem {
    let list = try list.map(self.list(named:))
    if let task = task(Identifier(name)) {
      if let completed, task.completed != completed {
        throw RuntimeError("“\(task.text)” is \(completed ? "open" : "completed already")")
      }
      guard let holder = holders(ofTask: task).list else {
        throw RuntimeError("“\(task.text)” is in no list")
      }
      if let list, list.id != holder.id {
        throw RuntimeError("“\(task.text)” is not in the list “\(list.text)”")
      }
      return task
    }
    for state in completed.map({ [$0] }) ?? [false, true] {
      if let task = try task(named: name, in: list, completed: state) { return task }
    }
    let kind = completed.map(Self.kind) ?? "task"
    throw RuntimeError("there is no \(kind) “\(name)”; give a part of its text, or its id")
  }

  private static func kind(completed: Bool) -> String { completed ? "completed task" : "open task" }

  /// - Returns: Nil when there is none.
  private func task(named name: String, in list: TaskList?, completed: Bool) throws -> TaskItem? {
    let kind = Self.kind(completed: completed)
    func isHere(_ task: TaskItem) -> Bool {
      list.map { self.holders(ofTask: task).list?.id == $0.id } ?? true
    }
    let tasks = try allTasks.filter(#Predicate<TaskItem> { $0.completed == completed })
    let same = Array(try tasks.filter(#Predicate<TaskItem> { $0.text == name }).lazy.filter(isHere).prefix(6))
    guard same.count < 2 else {
      throw RuntimeError(
        "more than one \(kind) is called “\(name)”; say which by its id: \(Self.ids(of: same))")
    }
    if let task = same.first { return task }

    let pattern = SearchPattern(name)
    let start = name.utf8.count >= 4 ? name.lowercased() : nil
    var byText: [TaskItem] = []
    var byID: [TaskItem] = []
    for (id, text) in tasks.values(of: \.id, \.text) where byText.count < 6 {
      let hasText = pattern.matches(text)
      guard hasText || start.map({ id.description.lowercased().hasPrefix($0) }) ?? false,
        let task = task(id), isHere(task)
      else { continue }
      if hasText { byText.append(task) } else { byID.append(task) }
    }
    let found = byText.isEmpty ? byID : byText
    guard found.count < 2 else {
      let texts = found.prefix(5).map { "“\($0.text)”" }
      let all =
        found.count > 5
        ? texts.joined(separator: ", ") + " and more"
        : texts.dropLast().joined(separator: ", ") + " and " + texts[texts.count - 1]
      throw RuntimeError(
        "more than one \(kind) has “\(name)”: \(all); say more of the text, or the id: "
          + Self.ids(of: Array(found.prefix(5))))
    }
    return found.first
  }

  /// The beginnings of the ids that tell the tasks apart, else the whole ids.
  private static func ids(of tasks: [TaskItem]) -> String {
    let ids = tasks.map(\.id.description)
    let starts = ids.map { String($0.prefix(8)) }
    return (Set(starts).count == ids.count ? starts : ids).joined(separator: ", ")
  }
}
