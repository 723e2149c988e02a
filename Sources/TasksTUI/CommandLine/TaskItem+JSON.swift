import FoundationEssentials
import TasksModel

extension TaskItem {
  /// `{"id":…,"text":…,"completed":…,"date":…}`; the date in ISO 8601, in UTC, or null.
  var json: String { JSONText.object(jsonMembers) }

  var jsonMembers: [(key: String, value: String)] {
    [
      ("id", JSONText.string(id.uuidString)), ("text", JSONText.string(text)),
      ("completed", completed ? "true" : "false"),
      ("date", date.map { JSONText.string($0.formatted(.iso8601)) } ?? "null"),
    ]
  }
}
