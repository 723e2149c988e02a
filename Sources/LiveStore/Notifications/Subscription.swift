/// One callback of one collection.
final class Subscription: @unchecked Sendable {
  // Changed by the instance only, under the coordinator's lock; the worker reads `base` under that lock. `notify` is
  // used by the instance only.

  /// The collection as the callback last knew it.
  struct Base {
    var tree: RankTree
    var version: Int64
  }

  enum Event {
    case initial
    case update(ChangeSet)
    case error(StoreError)
  }

  let id: UInt64
  let live: LiveQuery
  let state: SubscriptionState
  /// `nil` until the first call.
  var base: Base?
  /// Calls the callback with the collection, which it keeps alive; `nil` once the subscription has been removed. The
  /// worker may keep the subscription for longer, and what a callback holds must not go on the worker's thread: the store
  /// may be among it, whose end waits for the worker.
  private(set) var notify: ((Event) -> Void)?

  init(id: UInt64, live: LiveQuery, state: SubscriptionState, notify: @escaping (Event) -> Void) {
    self.id = id
    self.live = live
    self.state = state
    self.notify = notify
  }

  /// Takes the callback out, for the instance to let go of.
  func removeNotify() -> ((Event) -> Void)? {
    defer { notify = nil }
    return notify
  }
}
