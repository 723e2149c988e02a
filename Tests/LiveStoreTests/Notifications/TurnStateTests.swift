import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("The calls that an instance owes, without a store")
struct TurnStateTests {
  @Test("After every order of five events what is owed is what a list of everything that happened says")
  func everySequence() {
    var count = 0
    func go(_ world: TurnWorld, _ depth: Int) {
      if let fault = world.fault {
        Issue.record("\(fault) after \(world.events)")
        return
      }
      count += 1
      guard depth > 0 else { return }
      for event in TurnWorld.Event.allCases {
        guard let following = world.after(event) else { continue }
        go(following, depth - 1)
      }
    }
    go(TurnWorld(), 5)
    #expect(count > 50_000)
  }

  @Test("The same for sequences of sixty at random")
  func longSequences() {
    var random = SeededGenerator()
    var happened: Set<TurnWorld.Event> = []
    for _ in 0..<2_000 {
      var world = TurnWorld()
      for _ in 0..<60 {
        let event = TurnWorld.Event.allCases.randomElement(using: &random)!
        guard let following = world.after(event) else { continue }
        happened.insert(event)
        world = following
        if let fault = world.fault {
          Issue.record("\(fault) after \(world.events); \(random.comment)")
          return
        }
      }
    }
    #expect(happened == Set(TurnWorld.Event.allCases))
  }
}

/// An instance whose callbacks may do anything. What the state should say is found anew from all that has
/// happened.
private struct TurnWorld {
  enum Event: CaseIterable {
    case showVersion
    case showVersionLosingReads
    case fail
    case recover
    /// A delivery with two calls is shown.
    case deliver
    case announce
    /// The calls begin, or those of a write in a callback.
    case call
    case nextCall
    /// Observers of the store are notified of the next report.
    case report
    case reportThatMayTurn
    case takeFailure
    /// The innermost activity ends.
    case end
  }

  /// An entry of the history.
  private enum Entry: Equatable {
    case version(losesReads: Bool)
    case failed(Int)
    case recovered
    case delivered(Int)
    case called(Int)
    case reported(TurnState<Int, Int>.Report)
    case droppedRecovery
    case tookFailure
  }

  private(set) var events: [Event] = []
  private var state = TurnState<Int, Int>()
  private var history: [Entry] = []
  private var activities: [TurnActivity] = []
  private var number = 0
  /// Whether the file cannot be read now.
  private var isFailed = false
  /// The first thing that was not as the history says.
  private(set) var fault: String?

  func after(_ event: Event) -> TurnWorld? {
    var world = self
    world.events.append(event)
    guard world.happen(event) else { return nil }
    world.check()
    return world
  }

  private mutating func happen(_ event: Event) -> Bool {
    switch event {
    case .showVersion, .showVersionLosingReads:
      let losesReads = event == .showVersionLosingReads
      state.versionDidChange(losesReads: losesReads)
      history.append(.version(losesReads: losesReads))
    case .fail:
      guard !isFailed else { return false }
      isFailed = true
      number += 1
      state.didFail(number)
      history.append(.failed(number))
    case .recover:
      guard isFailed else { return false }
      isFailed = false
      state.didRecover()
      history.append(.recovered)
    case .deliver:
      number += 2
      state.setCalls([number - 1, number])
      history.append(.delivered(number))
    case .announce: return begin(.announcing)
    case .call: return begin(.calling)
    case .nextCall:
      let expected = owedCalls.first
      let call = state.nextCall()
      if call != expected { fault = "the call was \(call ?? 0), not \(expected ?? 0)" }
      guard let call else { return false }
      history.append(.called(call))
    case .report, .reportThatMayTurn:
      guard mayBegin else { return false }
      let expected = owedReport
      let report = state.nextReport(hasFailed: isFailed)
      if report != expected {
        fault = "the report was \(String(describing: report)), not \(String(describing: expected))"
      }
      // One that is dropped because of a failure is not owed any more either.
      guard let report else {
        history.append(.droppedRecovery)
        return true
      }
      history.append(.reported(report))
      let isNested = activities.contains { if case .reporting = $0 { true } else { false } }
      let hasBegun = begin(.reporting(mayTurn: event == .reportThatMayTurn))
      if hasBegun == isNested { fault = "reports nest" }
    case .takeFailure:
      let expected = owedFailure
      let failure = state.takeFailure()
      if failure != expected { fault = "the failure was \(failure ?? 0), not \(expected ?? 0)" }
      history.append(.tookFailure)
    case .end:
      guard let last = activities.popLast() else { return false }
      state.end(last)
    }
    return true
  }

  /// A version is announced before anything is called, and nothing else begins meanwhile.
  private var mayBegin: Bool { !state.isAnnouncing && activities.count < 3 }

  private mutating func begin(_ activity: TurnActivity) -> Bool {
    guard mayBegin, state.begin(activity) else { return false }
    activities.append(activity)
    return true
  }

  private func tail(after last: (Entry) -> Bool) -> ArraySlice<Entry> {
    history[(history.lastIndex(where: last).map { $0 + 1 } ?? 0)...]
  }

  /// The calls of the last delivery that were not made after it.
  private var owedCalls: [Int] {
    let later = tail { if case .delivered = $0 { true } else { false } }
    guard later.startIndex > 0, case .delivered(let last) = history[later.startIndex - 1] else { return [] }
    return [last - 1, last].filter { !later.contains(.called($0)) }
  }

  private var owedReport: TurnState<Int, Int>.Report? {
    let later = tail { if case .reported(.version) = $0 { true } else { false } }
    if later.contains(.version(losesReads: true)) { return .version(hasLostReads: true) }
    if later.contains(.version(losesReads: false)) { return .version(hasLostReads: false) }
    let sinceRecovery = tail { $0 == .reported(.recovery) || $0 == .droppedRecovery }
    return sinceRecovery.contains(.recovered) && !isFailed ? .recovery : nil
  }

  /// The failure since the last that was taken, unless the file could be read afterwards.
  private var owedFailure: Int? {
    guard
      case .failed(let number)? = tail(after: { $0 == .tookFailure || $0 == .recovered }).last(where: {
        if case .failed = $0 { true } else { false }
      })
    else { return nil }
    return number
  }

  private mutating func check() {
    guard fault == nil else { return }
    let preventsTurn = activities.contains {
      if case .reporting(mayTurn: true) = $0 { false } else { true }
    }
    if state.isDelivering != preventsTurn { fault = "isDelivering is \(state.isDelivering)" }
    if state.isAnnouncing != activities.contains(where: { if case .announcing = $0 { true } else { false } })
    {
      fault = "isAnnouncing is \(state.isAnnouncing)"
    }
    if state.owesCalls == owedCalls.isEmpty { fault = "owesCalls is \(state.owesCalls)" }
    if state.failure != owedFailure { fault = "the failure is \(state.failure ?? 0)" }
    if case .version? = owedReport {
      if !state.owesVersion { fault = "the version is not owed" }
    } else if state.owesVersion {
      fault = "the version is owed"
    }
  }
}
