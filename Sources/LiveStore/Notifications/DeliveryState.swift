/// The phases in which a version reaches the observers of an instance: a value without locks and threads,
/// which the ``Coordinator`` guards and whose actions it performs.
///
/// 1. *Idle.* Neither party needs both snapshots. After a commit, or when the instance requests it, the
///    worker looks: ``beginCalculation(isSuspended:)``.
/// 2. *Calculating.* The worker reads both snapshots, while the instance keeps reading the front one. A look
///    that is requested meanwhile is owed.
/// 3. *Pending.* The worker has left a delivery, ``endCalculation(_:)``, and a turn of the instance is
///    requested. Until the turn, further looks are owed, so that there is never more than one delivery and
///    each starts from the version shown.
/// 4. *Held.* The instance has both snapshots to itself, from ``hold()`` on: it takes the delivery, shows its
///    version and calls the observers, or it writes.
/// 5. ``resume(look:)`` returns to idle, and the worker makes the look that is owed.
///
/// ``close()`` ends it; nothing is calculated afterwards.
struct DeliveryState<Delivery> {
  enum Phase: Hashable {
    case idle
    case calculating
    case held
    case closed
  }

  /// The action that the caller performs after releasing the lock.
  enum Action: Hashable {
    case none
    /// Request that the worker look for commits.
    case requestLook
    /// Request a turn of the instance.
    case requestTurn
  }

  private(set) var phase = Phase.idle
  /// The delivery that the worker has left for the instance.
  private(set) var pending: Delivery?
  /// The number of holds that have not been resumed.
  private var holds = 0
  /// Whether a look was requested that could not be made.
  private(set) var owesLook = false

  /// Begins a calculation, unless one is in progress, a delivery is pending or the instance holds the
  /// snapshots.
  ///
  /// - Parameter isSuspended: Whether the instance has released its snapshot. A process may be stopped at any
  ///   moment, and must not hold one then: the instance has to look by itself, on a turn.
  /// - Returns: Whether to calculate, and if not, the action to perform instead.
  mutating func beginCalculation(isSuspended: Bool) -> (mayCalculate: Bool, Action) {
    guard phase == .idle, pending == nil else {
      owesLook = true
      return (false, .none)
    }
    guard !isSuspended else { return (false, .requestTurn) }
    phase = .calculating
    owesLook = false
    return (true, .none)
  }

  /// Ends a calculation, for which the instance may be waiting in order to hold.
  mutating func endCalculation(_ delivery: Delivery?) -> Action {
    phase = holds > 0 ? .held : .idle
    pending = delivery
    return delivery == nil ? payLook() : .requestTurn
  }

  private mutating func payLook() -> Action {
    guard owesLook, phase == .idle, pending == nil else { return .none }
    owesLook = false
    return .requestLook
  }

  /// Keeps the worker from calculating until ``resume(look:)``. Calls may be nested.
  ///
  /// While ``phase`` is ``Phase/calculating``, the caller has to wait.
  mutating func hold() {
    holds += 1
    if phase == .idle { phase = .held }
  }

  /// Holds if that needs no waiting; returns whether it did.
  mutating func holdIfIdle() -> Bool {
    guard phase == .idle || phase == .held else { return false }
    hold()
    return true
  }

  /// Ends a hold; after the outermost one the worker may calculate again.
  ///
  /// - Parameter look: Whether there may be commits that the worker has not seen.
  mutating func resume(look: Bool) -> Action {
    holds -= 1
    owesLook = owesLook || look
    guard holds == 0, phase == .held else { return .none }
    phase = .idle
    return payLook()
  }

  /// Takes the pending delivery, to deliver it or to drop it for a newer one.
  mutating func takePending() -> Delivery? {
    defer { pending = nil }
    return pending
  }

  /// Ends everything; not in phase ``Phase/calculating``.
  mutating func close() {
    phase = .closed
    pending = nil
  }
}
