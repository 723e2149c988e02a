/// Where a new row goes.
public enum InsertionPoint: Hashable, Sendable {
  /// Below the last open row, above the completed ones.
  case afterOpenRows
  /// Above all others.
  case top
  /// Right above the row with this id; after the open rows when that is completed or gone.
  case above(Identifier)
  /// Right below the row with this id; after the open rows when that is completed or gone.
  case below(Identifier)
}
