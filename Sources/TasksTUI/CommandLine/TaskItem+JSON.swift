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
}
