/// What one operation did: enough to show it at once without asking the store, and to take it back later.
public struct Edit: Equatable, Sendable {
  /// Where.
  public var place: Place
  /// What happened to the rows there.
  public var change: Change
  /// The rows that were changed or deleted, as they were before, in the order of their indices before. Empty
  /// for an insertion.
  public var before: [RowValues]
  /// The rows that were inserted or changed, as they are now. Empty for a deletion.
  public var after: [RowValues]
  /// Under which number the action can be undone; nil when there is nothing to be undone.
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

  /// A change to the rows of a place. Indices before are those that the transaction found after everything
  /// pending had been delivered, indices after are those that it left.
  public enum Change: Equatable, Sendable {
    /// A new row stands at the index after.
    case inserted(at: Int)
    /// The row at the index before is gone.
    case deleted(at: Int)
    /// The row at index `from` before stands at index `to` after, and its values differ too if `modified`.
    case moved(from: Int, to: Int, modified: Bool)
    /// The row at the index has other values and kept its place.
    case modified(at: Int)
    /// The rows at these indices before are gone; ascending.
    case cleared([Int])
    /// Several rows came, went, moved or have other values.
    case several(RowDifference)
    /// Nothing was written.
    case none(NoChange)
  }

  /// Why an operation wrote nothing, although nothing forbids it.
  public enum NoChange: Equatable, Sendable {
    /// The row, or the list that holds it, was deleted meanwhile.
    case gone
    /// The row next to which this one was to go was deleted meanwhile.
    case neighbourGone
    /// The row's text is no longer the one that the person began to edit; it is now `text`.
    case textChanged(String)
    /// All is already as it should become.
    case unchanged
    /// The text of the row that should be added is empty.
    case emptyText
    /// There is no completed row to clear.
    case nothingCompleted
  }

  /// The id of the row that the operation was about, where it was about one.
  public var rowID: Identifier? {
    after.first?.id ?? before.first?.id
  }
}
