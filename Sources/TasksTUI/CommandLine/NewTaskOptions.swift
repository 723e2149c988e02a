/// What `tasks add` is told about tasks beside their texts, as it was typed.
struct NewTaskOptions: Equatable {
  var due: String?
  var repetition: String?
  var priority: String?
  var notes: String?
  /// The text or the id of the open task that it is to be a subtask of.
  var under: String?
}
