/// One callback, and what it observes.
final class Subscription: @unchecked Sendable {
  // `base` and `isAsking` are guarded by the coordinator's lock. `notify` is used by the instance only.

  /// What the callback last knew.
  struct Base {
    var version: Int64
    /// The order of the collection, if it observes one.
    var tree: CollectionTree?
    /// The sections, if it observes sections.
    var sections: SectionTree?
  }

  enum Event {
    case initial
    case update(ChangeSet)
    /// Members changed of a collection in sections; becomes `sections` where those are known.
    case members([MemberChange])
    case sections(SectionDifference)
    case objectModified(ObservedObject.Modification)
    case objectDeleted
    case error(StoreError)

    /// Whether no other event can follow.
    var isLast: Bool {
      switch self {
      case .objectDeleted, .error: true
      case .initial, .update, .members, .sections, .objectModified: false
      }
    }
  }

  let id: UInt64
  /// The number of the first subscription to the same thing: callbacks are called in the order of (group,
  /// number).
  let group: UInt64
  let observed: any Observed
  let state: SubscriptionState
  /// `nil` until the first call.
  var base: Base?
  /// Whether the callback may be called. While it may not, it keeps its base and holds up nobody; when it may
  /// again, it gets one event from there to the newest version.
  var isAsking = true
  /// Whether a call by itself means that the callback knows the version delivered. Otherwise its base stays
  /// until it says so.
  let movesBase: Bool
  /// Calls the callback with what it observes, which it keeps alive; `nil` once the subscription has been
  /// removed. The worker may keep the subscription for longer, and what a callback holds must not go on the
  /// worker's thread: the store may be among it, whose end waits for the worker.
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

  /// Takes the callback out, for the instance to let go of.
  func removeNotify() -> ((Event) -> Void)? {
    defer { notify = nil }
    return notify
  }
}
