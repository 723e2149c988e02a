import LiveStore

/// One action of one person, kept in the file so that it can be undone after a restart as well.
final class UndoStep: Object {
  /// Later actions have higher numbers.
  @Persisted(primaryKey: true) var number: Int = 0
  /// Who did it: `TasksStore.author`.
  @Persisted var author: String = ""
  /// The raw value of an `Action`.
  @Persisted var action: String = ""
  /// What it made of each row, in the order in which it happened: `[RowTransition]` as JSON.
  @Persisted var rows: String = ""
  /// It has been undone and can be redone.
  @Persisted(indexed: true) var isUndone: Bool = false

  required init() {
    super.init()
  }
}
