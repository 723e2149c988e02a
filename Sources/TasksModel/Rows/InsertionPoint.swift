/// The position of a new row.
public enum InsertionPoint: Hashable, Sendable, Codable {
  /// Below the last open row, above the completed ones.
  case afterOpenRows
  /// Above all others.
  case top
  /// Directly above the row with this id; after the open rows if that is completed or was deleted.
  case above(Identifier)
  /// Directly below the row with this id; after the open rows if that is completed or was deleted.
  case below(Identifier)
}
