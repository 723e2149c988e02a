import TasksModel

/// The identity of a row of a list view.
enum RowID: Hashable {
  /// The object with this primary key.
  case object(Identifier)
  /// The row that is being typed and is not in the file yet.
  case draft
}
