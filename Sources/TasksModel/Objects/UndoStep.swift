import LiveStore

/// One action of one person, stored in the file so that it can be undone after a restart as well.
final class UndoStep: Object {
  /// The bytes of this step and of all before it, as far as they count. Later actions have higher numbers,
  /// and the difference says how much history lies between two.
  @Persisted(primaryKey: true) var number: Int = 0
  /// The person: `TasksStore.author`.
  @Persisted var author: String = ""
  /// The raw value of an `Action`; after a space the number of the first step, in a further step of the same
  /// `LongAction`.
  @Persisted var action: String = ""
  /// The change of each row, in the order in which they were made: `[RowTransition]` as JSON.
  @Persisted var rows: String = ""
  /// Whether it has been undone and can be redone.
  @Persisted(indexed: true) var isUndone: Bool = false
}
