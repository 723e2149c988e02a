/// A callback, and the thing that it observes.
final class Subscription: @unchecked Sendable {
  // `base` and `isReady` are guarded by the coordinator's lock. `notify` is used by the instance only.

  /// The state that the callback knows from its last call.
  struct Base {
    var version: Int64
    var tree: CollectionTree?
    var sections: SectionTree?
    var result: (any Sendable)?
  }

  enum Event {
    case initial
    case update(ChangeSet)
    /// Changed members of a sectioned collection; becomes `sections` once those are known.
    case members([MemberChange])
    case sections(SectionDifference)
    /// The new state of a ``MaintainedResult``, and the one that the callback knows.
    case result(any Sendable, since: (any Sendable)?)
    case objectModified(ObservedObject.Modification)
    case objectDeleted
    case error(StoreError)

    /// Whether no other event can follow.
    var isLast: Bool {
      switch self {
      case .objectDeleted, .error: true
      case .initial, .update, .members, .sections, .result, .objectModified: false
      }
    }
  }

  let id: UInt64
  /// The number of the first subscription to the same thing. Callbacks are called in the order of (group,
  /// number).
  let group: UInt64
  let observed: any Observed
  let state: SubscriptionState
  /// The base; `nil` until the first call.
  var base: Base?
  /// Whether the callback may be called. While it may not, it keeps its base and does not delay others;
  /// afterwards it gets one event from there to the newest version.
  var isReady = true
  /// Whether a call by itself means that the callback knows the version delivered. Otherwise its base stays
  /// until the callback sets it.
  let movesBase: Bool
  /// Calls the callback with the thing that it observes, which it retains; `nil` once the subscription has
  /// been removed. The worker may keep the subscription for longer, and the objects that a callback holds
  /// must not be released on the worker's thread: the store may be among them, whose end waits for the
  /// worker.
  private(set) var notify: ((Event) -> Void)?

  init(
    id: UInt64, group: UInt64, observed: any Observed, base: Base?, movesBase: Bool,
    state: SubscriptionState, notify: @escaping (Event) -> Void
  ) {
    self.id = id
    self.group = group
    self.observed = observed
    self.base = base
    self.movesBase = movesBase
    self.state = state
    self.notify = notify
  }

  /// Removes the callback, and returns it for the instance to release.
  func removeNotify() -> ((Event) -> Void)? {
    defer { notify = nil }
    return notify
  }
}
