/// Who may calculate, and what has to happen next, for a version to reach the observers of an instance: a
/// value without locks and threads, which the ``Coordinator`` guards and obeys.
///
/// 1. *Idle.* Neither party needs both snapshots. When something was committed, or the instance wants
///    something to be told, the worker looks: ``beginCalculation(isSuspended:)``.
/// 2. *Calculating.* The worker reads both snapshots, the instance goes on reading the front one. A look that
///    is asked for meanwhile is owed.
/// 3. *Pending.* The worker has left a delivery, ``endCalculation(_:)``, and the instance is asked to take a
///    turn. Until it has, further looks are owed, so that there is never more than one delivery and each
///    starts from what is shown.
/// 4. *Held.* The instance has both snapshots to itself, from ``hold()`` on: it takes the delivery, shows its
///    version and calls the observers, or it writes.
/// 5. ``resume(look:)`` makes it idle again, and the worker pays what is owed.
///
/// ``close()`` ends it; nothing is calculated afterwards.
struct DeliveryState<Delivery> {
  enum Phase: Hashable {
    case idle
    case calculating
    case held
    case closed
  }

  /// What the caller has to do when it has given up the lock.
  enum Action: Hashable {
    case none
    /// Have the worker look for commits.
    case requestLook
    /// Have the instance take a turn.
    case requestTurn
  }

  private(set) var phase = Phase.idle
  /// What the worker has left for the instance.
  private(set) var pending: Delivery?
  /// How many times the instance has held it, and not resumed.
  private var holds = 0
  /// Whether a look was asked for that could not be taken.
  private(set) var owesLook = false

  // MARK: The worker

  /// Begins a calculation, unless one is under way, a delivery is pending or the instance holds the
  /// snapshots.
  ///
  /// - Parameter isSuspended: Whether the instance has given up its snapshot. A process may be stopped at any
  ///   moment, and must not hold one then: the instance has to look itself, on a turn.
  /// - Returns: Whether to calculate; if not, what to do instead.
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

  /// Ends a calculation. The instance may have waited for that, to hold.
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

  // MARK: The instance

  /// Keeps the worker from calculating until ``resume(look:)``. May be nested.
  ///
  /// While ``phase`` is ``Phase/calculating``, the caller has to wait.
  mutating func hold() {
    holds += 1
    if phase == .idle { phase = .held }
  }

  /// Holds when that needs no waiting; whether it has.
  mutating func holdIfIdle() -> Bool {
    guard phase == .idle || phase == .held else { return false }
    hold()
    return true
  }

  /// Ends a hold; the worker may calculate again when it was the outermost one.
  ///
  /// - Parameter look: Whether there may be something that the worker has not seen.
  mutating func resume(look: Bool) -> Action {
    holds -= 1
    owesLook = owesLook || look
    guard holds == 0, phase == .held else { return .none }
    phase = .idle
    return payLook()
  }

  /// Takes what is pending, to deliver it or to drop it for something newer.
  mutating func takePending() -> Delivery? {
    defer { pending = nil }
    return pending
  }

  /// Ends everything; not while ``phase`` is ``Phase/calculating``.
  mutating func close() {
    phase = .closed
    pending = nil
  }
}
