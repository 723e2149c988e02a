import FoundationEssentials
import LiveStore
import TasksModel
import VisibleText

/// `tasks lists`: the names of all lists in their order.
struct ListsCommand {
  let store: TasksStore

  /// - Parameter asJSON: Whether to print JSON, with the number of open tasks, instead of one name on each
  ///   line.
  ///
  /// Complexity: O(the lists), with JSON O(all tasks).
  func run(asJSON: Bool) throws -> String {
    try store.checkLists(of: TaskListList.self, upTo: ListCommand.checkedEntries)
    guard asJSON else { return store.distinctLists.map { $0.text.withControlsMadeVisible + "\n" }.joined() }
    let objects = try store.distinctLists.map { list in
      let open = try list.items.filter(#Predicate<TaskItem> { !$0.completed }).count
      return JSONText.object([
        ("id", JSONText.string(list.id.description)), ("text", JSONText.string(list.text)),
        ("completed", list.completed ? "true" : "false"), ("open", "\(open)"),
      ])
    }
    return JSONText.versioned("lists", objects)
  }
}
