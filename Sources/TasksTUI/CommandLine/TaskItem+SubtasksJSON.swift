import TasksModel

extension TaskItem {
  /// The task with its subtasks: the members of `json` and `"subtasks":[…]`, whose elements lack that member.
  ///
  /// - Parameter hasSubtasks: False if it is known that there are none.
  func jsonMembersWithSubtasks(hasSubtasks: Bool = true) -> [(key: String, value: String)] {
    jsonMembers + [("subtasks", JSONText.array(hasSubtasks ? subtasks.map(\.json) : []))]
  }

  var jsonWithSubtasks: String { JSONText.object(jsonMembersWithSubtasks()) }
}
