/// The result of one operation: enough to show it at once without reading the store, and to undo it later.
public struct Edit: Equatable, Sendable {
  /// The place of the rows.
  public var place: Place
  /// The change of the rows there.
  public var change: Change
  /// The former values of the rows that were changed or deleted, in the order of their indices before. Empty
  /// for an insertion.
  public var before: [RowValues]
  /// The present values of the rows that were inserted or changed. Empty for a deletion.
  public var after: [RowValues]
  /// The number under which the action can be undone; nil when there is nothing to undo.
  public internal(set) var step: Int?

  public init(
    place: Place, change: Change, before: [RowValues] = [], after: [RowValues] = [], step: Int? = nil
  ) {
    self.place = place
    self.change = change
    self.before = before
    self.after = after
    self.step = step
  }

  /// A change of the rows of a place. Indices before are those that the transaction found after everything
  /// pending had been delivered, indices after are those that it left.
  public enum Change: Equatable, Sendable {
    /// A new row was inserted at the index after.
    case inserted(at: Int)
    /// The row at the index before was deleted.
    case deleted(at: Int)
    /// The row at index `from` before is at index `to` after, and its values differ too if `modified`.
    case moved(from: Int, to: Int, modified: Bool)
    /// The row at the index has other values and kept its place.
    case modified(at: Int)
    /// The rows at these indices before were deleted; ascending.
    case cleared([Int])
    /// Several rows were inserted, deleted, moved or modified.
    case several(RowDifference)
    /// Nothing was written.
    case none(NoChange)
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
