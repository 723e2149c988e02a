/// An action on many rows that is carried out in several transactions, so that between them keys are answered
/// and other programs write: one action for undo, which can also be undone in parts.
///
/// Pass the same instance to the operation on each part.
public final class LongAction {
  /// The number of its first step; nil until there is one.
  var root: Int?
  /// Its kind, if it is undone or redone.
  var kind: Action?
  /// The rows that it has sent to a place, where they keep their order.
  var arrivals: [Place: Arrivals] = [:]
  /// The number of rows that it has moved within their place, or left where they are for want of room.
  var passed = 0

  public init() {}

  /// The rows that an action has sent to a place.
  struct Arrivals {
    /// The number of those that it has completed or moved there from another place.
    var count = 0
    /// The last open task there that it has found or sent there; the next one comes below it.
    var lastOpen: Identifier?
    /// The last task that it has cleared; the next one comes below it, if it is still in the archive.
    var lastCleared: Identifier?
    /// Whether the action has completed the task of these subtasks, which went on to its next date with them.
    var areRenewed = false
  }
}
