import Glibc
import Synchronization

/// Keeps one subscription alive: while it lives, and has not been invalidated, its callback is called.
///
/// A token may be invalidated, and dropped, on any thread. A call that is running goes on to its end; none
/// begins afterwards.
///
/// Dropping a token that was not invalidated ends its subscription as well. As that is, more often than not,
/// a token that somebody forgot to keep, it is said in ``log``. To end a subscription with the object that
/// made it, keep the token in a ``NotificationTokenSet``.
public final class NotificationToken: Sendable {
  let subscription: SubscriptionState
  private let subject: String?

  /// - Parameter subject: What is observed, such as the name of a class.
  init(_ subscription: SubscriptionState, observing subject: String? = nil) {
    self.subscription = subscription
    self.subject = subject
  }

  deinit {
    guard subscription.end() else { return }
    let subject = subject.map { " for \($0)" } ?? ""
    NotificationToken.log(
      "LiveStore: a notification token\(subject) was dropped without invalidate(), and its callback is "
        + "called no more; "
        + "keep the token, or put it into a NotificationTokenSet.")
  }

  /// Ends the subscription. Returns whether it was still live: the first call says so, later ones not, nor
  /// those after the store was closed.
  @discardableResult
  public func invalidate() -> Bool {
    subscription.end()
  }

  /// Puts the token into a set, which ends the subscription when it goes.
  public func store(in set: inout NotificationTokenSet) {
    set.insert(self)
  }

  private static let logger = Mutex<@Sendable (String) -> Void>(writeToStandardError)

  /// Takes a line of text about a mistake that does no harm: a token that was dropped without being
  /// invalidated. Called on any thread.
  ///
  /// By default the line goes to standard error, unless that is a terminal that some full-screen program has
  /// taken over (it is not in line mode), whose picture it would spoil.
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
