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

  public init(
    _ place: Place?, collected: Results<TaskItem>? = nil, withoutNotifying tokens: [NotificationToken] = []
  ) {
    self.place = place
    self.collected = collected
    self.tokens = tokens
  }
}
