import Testing

@testable import LiveStore

@Suite("The state of delivering, without threads")
struct DeliveryStateTests {
  @Test(
    "After every order of events nothing is calculated while the instance holds, and each commit is shown in the end"
  )
  func everyOrder() {
    // Each state once, with the events that first led to it.
    var known: Set<DeliveryWorld> = [DeliveryWorld()]
    var queue: [(world: DeliveryWorld, path: [DeliveryWorld.Event])] = [(DeliveryWorld(), [])]
    var happened: Set<DeliveryWorld.Event> = []
    var next = 0
    while next < queue.count {
      let (world, path) = queue[next]
      next += 1
      for event in DeliveryWorld.Event.allCases {
        guard let following = world.after(event) else { continue }
        happened.insert(event)
        let events = path + [event]
        if let fault = following.fault ?? following.settled.faultAtRest {
          Issue.record("\(fault) after \(events.map { "\($0)" }.joined(separator: ", ")): \(following)")
          return
        }
        if known.insert(following).inserted { queue.append((following, events)) }
      }
    }
    #expect(known.count > 200, "the world stands still")
    #expect(happened == Set(DeliveryWorld.Event.allCases))
  }

  @Test("The same over all sequences of eight events, without leaving out what leads to a known state")
  func everySequence() {
    var count = 0
    func go(_ world: DeliveryWorld, _ depth: Int) {
      guard depth > 0 else {
        count += 1
        return
      }
      for event in DeliveryWorld.Event.allCases {
        guard let following = world.after(event) else { continue }
        if let fault = following.fault ?? following.settled.faultAtRest {
          Issue.record("\(fault) with \(event): \(following)")
          return
        }
        go(following, depth - 1)
      }
    }
    go(DeliveryWorld(), 8)
    #expect(count > 10_000)
  }

  @Test("Once closed nothing is calculated, held or pending any more")
  func closed() {
    var state = DeliveryState<Int>()
    #expect(state.beginCalculation(isSuspended: false) == (true, .none))
    #expect(state.endCalculation(1) == .requestTurn)
    state.close()
    #expect(state.pending == nil)
    #expect(state.beginCalculation(isSuspended: false) == (false, .none))
    let isHeld = state.holdIfIdle()
    #expect(!isHeld)
    state.hold()
    #expect(state.resume(look: true) == .none)
    #expect(state.phase == .closed)
  }
}

/// An instance and its worker, and a file that others write: versions are numbers, and each step of either
/// party is an event.
private struct DeliveryWorld: Hashable, CustomStringConvertible {
  enum Event: CaseIterable {
    /// Another program commits.
    case commit
    case workerBegins
    case workerEnds
    /// The instance takes its turn: it holds if it can, and shows what is pending.
    case turn
    /// The same, but it is not to go to another version by itself any more.
    case turnThatDrops
    /// The instance holds, as for a write; it may have to wait.
    case hold
    case holdOnceMore
    case write
    case suspend
    case reopen
    case resume
  }

  private var state = DeliveryState<Int>()
  /// The newest version of the file, and the one that the instance shows.
  private var newest = 0
  private var shown = 0
  private var isLookRequested = false
  private var isTurnRequested = false
  /// The worker's finding; `nil` while it does nothing.
  private var found: Int?
  /// How often the instance holds; it may wait for the first.
  private var holds = 0
  private var isWaiting = false
  private var isSuspended = false
  /// Whether the instance has to have the worker look when it resumes.
  private var mustLook = false

  static func == (a: Self, b: Self) -> Bool { a.summary == b.summary }

  func hash(into hasher: inout Hasher) { hasher.combine(summary) }

  /// Versions count from the one that is shown, so that there are not endlessly many states.
  private var summary: [Int] {
    [
      newest - shown, state.pending.map { newest - $0 } ?? -1, found.map { newest - $0 } ?? -1, holds,
      isLookRequested ? 1 : 0, isTurnRequested ? 1 : 0, isWaiting ? 1 : 0, isSuspended ? 1 : 0,
      mustLook ? 1 : 0,
      state.owesLook ? 1 : 0,
    ]
  }

  var description: String {
    "newest \(newest), shown \(shown), found \(found ?? -1), holds \(holds)\(isWaiting ? " (waiting)" : "")"
      + "\(isLookRequested ? ", look requested" : "")\(isTurnRequested ? ", turn requested" : "")"
      + "\(isSuspended ? ", suspended" : ""), \(state)"
  }

  private var isHeld: Bool { holds > 0 && !isWaiting }

  /// The state after an event; `nil` when it cannot happen now.
  func after(_ event: Event) -> DeliveryWorld? {
    var world = self
    return world.happen(event) ? world : nil
  }

  private mutating func happen(_ event: Event) -> Bool {
    switch event {
    case .commit:
      guard newest - shown < 3 else { return false }
      newest += 1
      isLookRequested = true
    case .workerBegins:
      guard isLookRequested, found == nil else { return false }
      isLookRequested = false
      let (mayCalculate, action) = state.beginCalculation(isSuspended: isSuspended)
      if mayCalculate { found = newest }
      obey(action)
    case .workerEnds:
      guard let version = found else { return false }
      found = nil
      isWaiting = false
      obey(state.endCalculation(version == shown ? nil : version))
    case .turn, .turnThatDrops:
      guard isTurnRequested, holds == 0 else { return false }
      isTurnRequested = false
      guard state.holdIfIdle() else { return true }
      holds = 1
      if isSuspended {
        reopen()
      } else if let version = state.takePending() {
        if event == .turn { shown = version } else { mustLook = true }
      }
    case .hold:
      guard holds == 0 else { return false }
      state.hold()
      holds = 1
      isWaiting = state.phase == .calculating
    case .holdOnceMore:
      guard isHeld, holds == 1 else { return false }
      state.hold()
      holds = 2
    case .write:
      guard isHeld, !isSuspended else { return false }
      _ = state.takePending()
      newest += 1
      shown = newest
      isLookRequested = true
    case .suspend:
      guard isHeld, !isSuspended else { return false }
      if state.takePending() != nil { isTurnRequested = true }
      isSuspended = true
    case .reopen:
      guard isHeld, isSuspended else { return false }
      reopen()
    case .resume:
      guard isHeld else { return false }
      holds -= 1
      obey(state.resume(look: mustLook))
      mustLook = false
    }
    return true
  }

  private mutating func reopen() {
    isSuspended = false
    shown = newest
    mustLook = true
  }

  private mutating func obey(_ action: DeliveryState<Int>.Action) {
    switch action {
    case .none: break
    case .requestLook: isLookRequested = true
    case .requestTurn: isTurnRequested = true
    }
  }

  /// The faults that are excluded at any moment.
  var fault: String? {
    if found != nil, state.phase != .calculating || isHeld {
      return "The worker and the instance have the snapshots"
    }
    if isHeld, state.phase != .held { return "The instance holds, and the state does not know" }
    if holds == 0, found == nil, state.phase != .idle {
      return "Nobody does anything, and the state is \(state.phase)"
    }
    if let pending = state.pending, pending <= shown {
      return "What is pending is not newer than what is shown"
    }
    if state.pending != nil, holds == 0, !isTurnRequested {
      return "Something is pending, and no turn is to come"
    }
    return nil
  }

  /// The same when all that has been asked for has been done, and no further commit comes.
  var settled: DeliveryWorld {
    var world = self
    for _ in 0..<40 {
      guard [.workerEnds, .resume, .workerBegins, .turn].contains(where: { world.happen($0) }) else { break }
    }
    return world
  }

  /// The faults that are excluded when there is nothing left to do.
  var faultAtRest: String? {
    if isLookRequested || isTurnRequested || found != nil || holds > 0 { return "It goes on without an end" }
    if shown != newest { return "A commit is never shown" }
    return nil
  }
}
