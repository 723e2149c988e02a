import FoundationEssentials
import Testing

@testable import LiveStore

@Suite("L1. An observer that does not ask is left out, and misses nothing")
struct DemandTests {
  private let fixture: KeeperFixture
  private let test: TestStore
  private let other: TestStore

  init() throws {
    fixture = try KeeperFixture()
    test = try fixture.open()
    other = try fixture.open()
  }

  private func setReady(_ isReady: Bool, _ token: NotificationToken?) throws {
    let subscription = try #require(
      test.store.coordinator.liveSubscriptions().first { $0.state === token?.subscription })
    test.store.coordinator.setReady(isReady, of: subscription)
  }

  @Test("It gets one change set from where it was, when it asks again; others are called meanwhile")
  func oneChangeSet() throws {
    let waiting = test.observe(test.keepers)
    let busy = test.observe(test.keepers)
    try setReady(false, waiting.token)
    for age in 1...5 {
      try other.write { _ in try other.keeper(1).age = age }
      try test.store.refresh()
    }
    try test.write { $0.delete(try test.keeper(2)) }
    try other.write { $0.add(Keeper(7)) }
    try test.store.refresh()
    #expect(waiting.events == [.initial])
    #expect(busy.changes.count == 6)
    try setReady(true, waiting.token)
    #expect(test.turns { waiting.events.count > 1 })
    #expect(waiting.changes == [ChangeSet(del: [1], ins: [3], mod: [0])])
    #expect(test.store.coordinator.history.isEmpty)
  }

  @Test("L3: what has its value again when it asks is no change")
  func nothingLeft() throws {
    let waiting = test.observe(test.keepers)
    let keeper = ObjectObservation(try test.keeper(1))
    try setReady(false, waiting.token)
    try setReady(false, keeper.token)
    for age in [3, 0] {
      try other.write { _ in try other.keeper(1).age = age }
      try test.store.refresh()
    }
    try setReady(true, waiting.token)
    try setReady(true, keeper.token)
    try test.store.refresh()
    #expect(waiting.changes == [] && keeper.events == [])
    #expect(test.store.coordinator.history.isEmpty)
  }

  @Test("A first call too waits until it asks, and an object's deletion")
  func firstCallAndDeletion() throws {
    let keepers = Observation(test.keepers)
    let keeper = ObjectObservation(try test.keeper(1))
    try setReady(false, keepers.token)
    try setReady(false, keeper.token)
    try other.write { $0.delete(try other.keeper(1)) }
    try test.store.refresh()
    try test.write { $0.add(Keeper(8)) }
    try test.store.refresh()
    #expect(keepers.events == [] && keeper.events == [])
    try setReady(true, keepers.token)
    try setReady(true, keeper.token)
    try test.store.refresh()
    #expect(keepers.events == [.initial] && keepers.rows == ["2", "3", "4", "8"])
    #expect(keeper.events == ["deleted"])
  }

  @Test("One that stops asking between the calculation and the call is not called, and loses nothing")
  func stopsWhilePending() throws {
    let waiting = test.observe(test.keepers)
    try other.write { _ in try other.keeper(1).age = 1 }
    test.awaitPending()
    try setReady(false, waiting.token)
    test.store.processNotifications()
    #expect(waiting.changes == [])
    try other.write { _ in try other.keeper(2).age = 1 }
    try test.store.refresh()
    try setReady(true, waiting.token)
    try test.store.refresh()
    #expect(waiting.changes == [ChangeSet(mod: [0, 1])])
  }

  @Test("L8: a write that it skips while it is behind is told after all, for nothing else may be swallowed")
  func skippingWhileBehind() throws {
    let waiting = test.observe(test.keepers)
    try setReady(false, waiting.token)
    try test.store.write(withoutNotifying: [waiting.token!]) { try test.keeper(1).age = 1 }
    #expect(test.store.coordinator.history.isEmpty, "it was not behind, and knows its own write")
    try other.write { _ in try other.keeper(2).age = 1 }
    try test.store.refresh()
    try test.store.write(withoutNotifying: [waiting.token!]) { try test.keeper(3).age = 1 }
    try setReady(true, waiting.token)
    try test.store.refresh()
    #expect(waiting.changes == [ChangeSet(mod: [1, 2])])
  }

  @Test("What it costs is an image of each row that changed, however many commits there were")
  func memory() throws {
    let waiting = test.observe(test.keepers)
    let busy = test.observe(test.keepers)
    try setReady(false, waiting.token)
    for age in 1...100 {
      if age % 2 == 0 {
        try other.write { _ in try other.keeper(1 + age % 3).age = age }
      } else {
        try test.write { _ in try test.keeper(1 + age % 3).age = age }
      }
      try test.store.refresh()
      let transitions = test.store.coordinator.history.transitions
      #expect(transitions.count <= 1)
      #expect(transitions.reduce(0) { $0 + $1.before.count } <= 3)
    }
    #expect(busy.changes.count == 100)
    try setReady(true, waiting.token)
    try test.store.refresh()
    #expect(waiting.changes == [ChangeSet(mod: [0, 1, 2])])
  }

  @Test("L15: own commits that change nothing for anybody are forgotten without a turn")
  func unaffected() throws {
    let names = test.observe(try test.keepers.filter(#Predicate { $0.name == "nobody" }))
    let paused = try PausedWatcher(test.store)
    for age in 1...3 {
      try test.write { _ in try test.keeper(1).age = age }
      #expect(test.store.coordinator.history.transitions.count == 1)
      // The worker is paused, so that this thread may be it.
      test.store.coordinator.look()
    }
    try test.write { _ in try test.keeper(1).age = 9 }
    #expect(test.store.coordinator.history.transitions[0].before.count == 1)
    paused.resume()
    try test.store.refresh()
    #expect(names.changes == [])
  }
}
