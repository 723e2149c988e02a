import FoundationEssentials
import TasksModel

extension TaskItem {
  /// `{"id":…,"text":…,"completed":…,"date":…,"repeat":…,"priority":…,"tags":[…],"notes":…,
  /// "completedAt":…,"waitsUntil":…}`; dates in ISO 8601, in UTC. Missing values are null.
  var json: String { JSONText.object(jsonMembers) }

  private static func json(_ text: String) -> String { text.isEmpty ? "null" : JSONText.string(text) }

  private static func json(_ moment: Date?) -> String { json(moment?.greenwichText ?? "") }

  var jsonMembers: [(key: String, value: String)] {
    [
      ("id", JSONText.string(id.description)), ("text", JSONText.string(text)),
      ("completed", completed ? "true" : "false"),
      ("date", Self.json(date)), ("repeat", Self.json(repetition)),
      ("priority", Self.json(priority.rawValue)),
      ("tags", JSONText.array(TaskTags.names(in: text).map(JSONText.string))), ("notes", Self.json(notes)),
      ("completedAt", Self.json(completedAt)), ("waitsUntil", Self.json(waitsUntil)),
    ]
  }

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
