/// Where a row is moved to, said by what the person saw, so that it still means the same place when the rows
/// have changed meanwhile.
public enum Destination: Hashable, Sendable {
  /// So many rows down, or up when negative; a step that is too long ends at the first or the last open row.
  case offset(Int)
  /// Right above the row with this id.
  case above(Identifier)
  /// Right below the row with this id.
  case below(Identifier)
}
