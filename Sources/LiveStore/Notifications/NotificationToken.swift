import LibC
import Synchronization

/// A token that keeps one subscription alive: until it is released or invalidated, its callback is called.
///
/// A token may be invalidated, and released, on any thread. A call in progress is completed; none begins
/// afterwards.
///
/// Releasing a token that was not invalidated ends its subscription as well. As this is usually a token that
/// the program did not keep by mistake, it is reported in ``log``. To end a subscription with the object that
/// created it, keep the token in a ``NotificationTokenSet``.
public final class NotificationToken: Sendable {
  let subscription: SubscriptionState
  private let subject: String?

  init(_ subscription: SubscriptionState, observing subject: String? = nil) {
    self.subscription = subscription
    self.subject = subject
  }

  deinit {
    guard subscription.end() else { return }
    let subject = subject.map { " for \($0)" } ?? ""
    NotificationToken.log(
      "LiveStore: a notification token\(subject) was dropped without invalidate(), "
        + "and its callback is called no more; keep the token, or put it into a NotificationTokenSet.")
  }

  /// Ends the subscription. Returns whether it was still live: true for the first call, unless the store was
  /// closed before, and false for later ones.
  @discardableResult
  public func invalidate() -> Bool {
    subscription.end()
  }

  /// Moves the token into a set, which ends the subscription when it is released.
  public func store(in set: inout NotificationTokenSet) {
    set.insert(self)
  }

  private static let logger = Mutex<@Sendable (String) -> Void>(writeToStandardError)

  /// A closure that receives a line of text about a harmless mistake: a token that was released without being
  /// invalidated. Called on any thread.
  ///
  /// By default the line goes to standard error, except to a terminal that a full-screen program uses (one
  /// that is not in line mode), because it would overwrite part of the screen.
  public static var log: @Sendable (_ line: String) -> Void {
    get { logger.withLock { $0 } }
    set { logger.withLock { $0 = newValue } }
  }

  @Sendable private static func writeToStandardError(_ line: String) {
    var terminal = termios()
    if tcgetattr(STDERR_FILENO, &terminal) == 0, terminal.c_lflag & tcflag_t(ICANON) == 0 { return }
    var bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, &bytes, bytes.count)
  }
}
