/// Where a new row goes.
public enum InsertionPoint: Hashable, Sendable {
  /// Below the last open row, above the completed ones.
  case afterOpenRows
  /// Above all others.
  case top
}
