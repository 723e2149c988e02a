import Synchronization

/// The state that a token and its subscription share.
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
