import LiveStore

/// The rows among which an operation finds those that it is about, and that its edit is in terms of: those of
/// a place, or tasks that a screen has collected from any places.
public struct RowScope {
  /// The place of the rows; nil for tasks of any places.
  public let place: Place?
  /// If there is no place, the tasks that a screen has collected; nil for none.
  public let collected: Results<TaskItem>?
  /// The tokens of the subscriptions that are not notified, because their screen shows the edit itself.
  public let tokens: [NotificationToken]
  /// Returns the order in which all rows of the place are known to be, for a window, whose operations put the
  /// tasks that they change in their places at once: no other row then moves under the hands of a person. Nil
  /// while they are not to move, or if they may be in no order: then the screen sorts them when it can.
  ///
  /// It is called in the transaction, after all commits of others have been delivered.
  let presentOrder: (() -> RowOrder?)?

  public init(
    _ place: Place?, collected: Results<TaskItem>? = nil, withoutNotifying tokens: [NotificationToken] = [],
    inOrder presentOrder: (() -> RowOrder?)? = nil
  ) {
    self.place = place
    self.collected = collected
    self.tokens = tokens
    self.presentOrder = presentOrder
  }
}
