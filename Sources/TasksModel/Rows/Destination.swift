/// The destination of a move, in terms of what the person saw, so that it still means the same place after
/// the rows have changed.
public enum Destination: Hashable, Sendable {
  /// A number of rows down, or up if negative; a step that is too long ends at the first or the last open
  /// row.
  case offset(Int)
  /// Right above the row with this id.
  case above(Identifier)
  /// Right below the row with this id.
  case below(Identifier)
}
