/// What `tasks add` is told about tasks beside their texts, as it was typed.
struct NewTaskOptions: Equatable {
  var due: String?
  var repetition: String?
}
