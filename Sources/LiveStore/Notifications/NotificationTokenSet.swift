/// A set of subscriptions that end together: when the set is released or invalidated.
///
/// ```swift
/// final class Screen {
///   private var tokens = NotificationTokenSet()
///
///   init(_ notes: Results<Note>) {
///     notes.observe { [weak self] in self?.receive($0) }.store(in: &tokens)
///   }
/// }
/// ```
///
/// Not copyable, so that the subscriptions end with the one object that owns the set.
public struct NotificationTokenSet: ~Copyable, Sendable {
  private var tokens: [NotificationToken] = []

  /// An empty set.
  public init() {}

  deinit {
    for token in tokens { token.invalidate() }
  }

  /// The number of tokens in the set, including those that were invalidated one by one.
  public var count: Int { tokens.count }

  /// Whether there is no token in the set.
  public var isEmpty: Bool { tokens.isEmpty }

  /// Adds a token.
  public mutating func insert(_ token: NotificationToken) {
    tokens.append(token)
  }

  /// Ends all subscriptions in the set, which is empty afterwards.
  public mutating func invalidate() {
    for token in tokens { token.invalidate() }
    tokens = []
  }
}
