import FoundationEssentials
import TasksModel

extension TaskItem {
  /// `{"id":…,"text":…,"completed":…,"date":…,"repeat":…,"priority":…,"tags":[…],"notes":…,
  /// "completedAt":…,"waitsUntil":…}`; dates in ISO 8601, in UTC. Missing values are null.
  var json: String { JSONText.object(jsonMembers) }

  private static func json(_ text: String) -> String { text.isEmpty ? "null" : JSONText.string(text) }

  var jsonMembers: [(key: String, value: String)] {
    [
      ("id", JSONText.string(id.description)), ("text", JSONText.string(text)),
      ("completed", completed ? "true" : "false"),
      ("date", date.map { JSONText.string($0.formatted(.iso8601)) } ?? "null"),
      ("repeat", Self.json(repetition)), ("priority", Self.json(priority.rawValue)),
      ("tags", JSONText.array(TaskTags.names(in: text).map(JSONText.string))), ("notes", Self.json(notes)),
      ("completedAt", completedAt.map { JSONText.string($0.formatted(.iso8601)) } ?? "null"),
      ("waitsUntil", waitsUntil.map { JSONText.string($0.formatted(.iso8601)) } ?? "null"),
    ]
  }
}
