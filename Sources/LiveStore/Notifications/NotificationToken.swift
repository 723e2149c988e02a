import Synchronization

/// Keeps one subscription alive: while it lives, and has not been invalidated, its callback is called.
///
/// A token may be invalidated, and dropped, on any thread; no call begins afterwards.
public final class NotificationToken: Sendable {
  let subscription: SubscriptionState

  init(_ subscription: SubscriptionState) {
    self.subscription = subscription
  }

  deinit {
    subscription.end()
  }

  /// Ends the subscription. Returns whether it was still live.
  @discardableResult
  public func invalidate() -> Bool {
    subscription.end()
  }
}

/// What a token and its subscription share.
final class SubscriptionState: Sendable {
  private let live = Atomic(true)
  private let onEnd: @Sendable () -> Void

  /// - Parameter onEnd: Called once, on the thread that ends the subscription.
  init(onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = onEnd
  }

  var isLive: Bool { live.load(ordering: .acquiring) }

  @discardableResult
  func end() -> Bool {
    let wasLive = live.exchange(false, ordering: .acquiringAndReleasing)
    if wasLive { onEnd() }
    return wasLive
  }
}
