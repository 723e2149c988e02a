import LiveStore

/// The result of one operation: enough to show it at once without reading the store, and to undo it later.
public struct Edit: Equatable, Sendable {
  /// The change of the rows of the scope. Indices before are those that the transaction found after
  /// everything pending had been delivered, indices after are those that it left.
  public var changes = ChangeSet()
  /// The reason why nothing was written; nil if something was.
  public var noChange: NoChange?
  /// The former values of the rows that were changed or deleted. Empty for an insertion.
  public var before: [RowValues] = []
  /// The present values of the rows that were inserted or changed. Empty for a deletion.
  public var after: [RowValues] = []
  /// The number under which the action can be undone; nil when there is nothing to undo.
  public internal(set) var step: Int?

  package init(
    changes: ChangeSet = ChangeSet(), noChange: NoChange? = nil, before: [RowValues] = [],
    after: [RowValues] = [], step: Int? = nil
  ) {
    self.changes = changes
    self.noChange = noChange
    self.before = before
    self.after = after
    self.step = step
  }

  /// The reason why an operation wrote nothing, although it was allowed.
  public enum NoChange: Equatable, Sendable {
    /// The row, or the list that contains it, was deleted meanwhile.
    case gone
    /// The row next to the destination was deleted meanwhile.
    case neighbourGone
    /// The row's text is no longer the one that the person began to edit; it is now `text`.
    case textChanged(String)
    /// The values are already as requested.
    case unchanged
    /// The text of the row that should be added is empty.
    case emptyText
    /// There is no completed row to clear.
    case nothingCompleted
  }

  /// The id of the row that the operation was about, if it was about one.
  public var rowID: Identifier? {
    after.first?.id ?? before.first?.id
  }
}
