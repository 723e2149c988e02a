import TasksModel

extension TaskItem {
  /// The task with its subtasks: the members of `json` and `"subtasks":[…]`, whose elements lack that member.
  ///
  /// - Parameter hasSubtasks: False if it is known that there are none.
  func jsonMembersWithSubtasks(hasSubtasks: Bool = true) -> [(key: String, value: String)] {
    jsonMembers + [("subtasks", JSONText.array(hasSubtasks ? subtasks.map(\.json) : []))]
  }

  /// The members that tell where a task is: the list, and the task that it is a subtask of.
  static func jsonMembers(ofList list: String?, owner: String?) -> [(key: String, value: String)] {
    [
      ("list", list.map(JSONText.string) ?? "null"), ("parent", owner.map(JSONText.string) ?? "null"),
    ]
  }

  /// The task with its subtasks, and where it is.
  func jsonWithPlace(in store: TasksStore) -> String {
    let (list, owner) = store.holders(ofTask: self)
    return JSONText.object(
      jsonMembersWithSubtasks() + Self.jsonMembers(ofList: list?.text, owner: owner?.text))
  }

  var jsonWithSubtasks: String { JSONText.object(jsonMembersWithSubtasks()) }
}
