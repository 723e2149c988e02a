import Synchronization

/// The place of a store that an actor opens in its `init`, where it cannot name itself yet: the thread that
/// opens the store, until the actor claims it.
final class ActorClaim: Sendable {
  private struct State {
    var opener = ThreadMark()
    var isClaimed = false
    weak var actor: (any Actor)?
    /// The turns that were requested before.
    var turns: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// Notes the thread that opens the store.
  func open() {
    state.withLock { $0.opener = ThreadMark() }
  }

  /// Makes the store the actor's; false if it is another actor's already.
  func claim(for actor: some Actor) -> Bool {
    let turns: [@Sendable () -> Void]? = state.withLock { state in
      guard !state.isClaimed else { return state.actor === actor ? [] : nil }
      state.isClaimed = true
      state.actor = actor
      defer { state.turns = [] }
      return state.turns
    }
    for turn in turns ?? [] { schedule(turn) }
    return turns != nil
  }

  func require() {
    let (isClaimed, actor, opener) = state.withLock { ($0.isClaimed, $0.actor, $0.opener) }
    guard isClaimed else {
      if opener.isCurrent { return }
      fatalError(
        "A store with the scheduler .actor() belongs to no actor yet; "
          + "call confine(to: self) at the end of the init that opens it.")
    }
    // While the actor is deinitialized, no other code can have its store.
    actor?.requireIsolation()
  }

  /// Calls a turn on the actor, as soon as there is one.
  func schedule(_ turn: @escaping @Sendable () -> Void) {
    let claiming: (any Actor)? = state.withLock { state in
      if !state.isClaimed { state.turns.append(turn) }
      return state.actor
    }
    if let claiming { Task { await claiming.perform(turn) } }
  }
}

extension Actor {
  nonisolated func requireIsolation() {
    preconditionIsolated(
      "A store with an actor as its scheduler may only be opened and used on that actor; "
        + "open another store for this place, or await a method of the actor.")
  }

  func perform(_ work: @Sendable () -> Void) {
    work()
  }
}
