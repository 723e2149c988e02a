/// The calls that an instance owes its observers, and the activities that it is in: the part of a delivery
/// that ``DeliveryState`` does not know, because only the instance takes part in it.
///
/// 1. *Free.* A turn may be taken and a version shown.
/// 2. *Announcing.* The readers that Observation tracks are notified of a version that is about to be shown;
///    nothing may be written meanwhile.
/// 3. *Calling.* The observers of collections and objects are called, one after the other. A callback may
///    write, and the write makes the calls that are left, but no turn is taken.
/// 4. *Reporting.* The observers of the store are called. Reports do not nest: those that come up meanwhile
///    are dropped, because the callbacks have caused them.
///
/// Activities nest in this order, and a callback of one may begin another. What is owed, a call or a report,
/// is owed until it is taken, and is taken once.
struct TurnState<Call, Failure> {
  /// A notification of the observers of the store.
  enum Report: Hashable {
    /// The version has changed.
    ///
    /// - Parameter hasLostReads: Whether the reads that it invalidates are unknown, because it was opened
    ///   without a snapshot of the former version.
    case version(hasLostReads: Bool)
    case recovery
  }

  private(set) var isAnnouncing = false
  private(set) var isReporting = false
  /// The number of activities in which no turn may be taken.
  private var calling = 0

  /// The calls of the delivery in progress that have not been made, the next one last.
  private var calls: [Call] = []
  private var version: Report?
  private var owesRecovery = false
  /// The failure of which the observers have yet to be notified.
  private(set) var failure: Failure?

  // MARK: Activities

  /// Whether observers are being called that must not be called by another delivery.
  var isDelivering: Bool { calling > 0 }

  /// Begins an activity, unless that must not nest and has begun already; every `begin` that returns true is
  /// followed by ``end(_:)``.
  mutating func begin(_ activity: TurnActivity) -> Bool {
    switch activity {
    case .announcing:
      isAnnouncing = true
      calling += 1
    case .calling:
      calling += 1
    case .reporting(let mayTurn):
      guard !isReporting else { return false }
      isReporting = true
      if !mayTurn { calling += 1 }
    }
    return true
  }

  mutating func end(_ activity: TurnActivity) {
    switch activity {
    case .announcing:
      isAnnouncing = false
      calling -= 1
    case .calling:
      calling -= 1
    case .reporting(let mayTurn):
      isReporting = false
      if !mayTurn { calling -= 1 }
    }
  }

  // MARK: Calls

  var owesCalls: Bool { !calls.isEmpty }

  /// Replaces the calls that are left by those of another delivery, which includes them.
  mutating func setCalls(_ calls: [Call]) { self.calls = calls.reversed() }

  mutating func nextCall() -> Call? { calls.popLast() }

  // MARK: Reports

  /// Whether the observers have yet to be notified of the version shown.
  var owesVersion: Bool { version != nil }
  var hasLostReads: Bool { version == .version(hasLostReads: true) }

  /// Records that another version is shown.
  mutating func versionDidChange(losesReads: Bool) {
    version = .version(hasLostReads: losesReads || hasLostReads)
  }

  mutating func didFail(_ failure: Failure) { self.failure = failure }

  /// Records that the file can be read again; a failure that was not reported is no news any more.
  mutating func didRecover() {
    failure = nil
    owesRecovery = true
  }

  /// Takes the report that comes next, if there is one. A recovery is dropped if the file cannot be read
  /// again.
  mutating func nextReport(hasFailed: Bool) -> Report? {
    if let version {
      self.version = nil
      return version
    }
    defer { owesRecovery = false }
    return owesRecovery && !hasFailed ? .recovery : nil
  }

  mutating func takeFailure() -> Failure? {
    defer { failure = nil }
    return failure
  }
}

/// An activity of an instance; see ``TurnState``.
enum TurnActivity {
  case announcing
  case calling
  /// - Parameter mayTurn: Whether the observers may have the instance advance, as they may not while they
  ///   are notified of a version.
  case reporting(mayTurn: Bool)
}
