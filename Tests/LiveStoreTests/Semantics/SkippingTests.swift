import FoundationEssentials
import LiveStoreFixtures
import Testing

@testable import LiveStore

@Suite("G. Skipping one's own writes")
struct SkippingTests {
  private let file = TestFile()

  init() throws { try file.addPeople(1...3) }

  /// Writes skipping an observation, whose view shows the change itself.
  private func writeSkipping(
    _ test: TestStore, _ observation: Observation, _ body: (Store) throws -> Void
  ) throws {
    try test.write(skipping: [observation], body)
    observation.show(test.people)
  }

  @Test("R77: only the named tokens skip")
  func onlyNamed() throws {
    let test = try file.observer()
    let results = test.people
    let skipper = test.observe(results)
    let sameResults = test.observe(results)
    let otherResults = test.observe(test.people)
    try writeSkipping(test, skipper) { $0.add(Person(id: 4)) }
    #expect(test.turns { !sameResults.changes.isEmpty && !otherResults.changes.isEmpty })
    try test.store.refresh()
    #expect(skipper.changes == [])
    #expect(sameResults.changes == [ChangeSet(ins: [3])])
    #expect(otherResults.changes == [ChangeSet(ins: [3])])
  }

  @Test("R78: one commit is skipped, also when it would have told nothing")
  func oneCommit() throws {
    let test = try file.observer()
    let skipper = test.observe(test.people)
    try writeSkipping(test, skipper) { $0.add(Person(id: 4)) }
    try test.write { $0.add(Person(id: 5)) }
    try test.store.refresh()
    #expect(skipper.changes == [ChangeSet(ins: [4])])
    try writeSkipping(test, skipper) { _ in }
    try test.write { $0.add(Person(id: 6)) }
    try test.store.refresh()
    #expect(skipper.changes == [ChangeSet(ins: [4]), ChangeSet(ins: [5])])
  }

  @Test("R79: nothing pending is swallowed when a write begins", arguments: [true, false])
  func nothingSwallowed(calculated: Bool) throws {
    let test = try file.observer()
    let other = try file.open()
    let skipper = test.observe(test.people)
    var inWrite: [Bool] = []
    skipper.onEvent = { _ in inWrite.append(test.store.isInWriteTransaction) }
    let paused = calculated ? nil : try PausedWatcher(test.store)
    try other.write { $0.add(Person(id: 4)) }
    if calculated { test.awaitPending() }
    try test.store.beginWrite()
    #expect(skipper.changes == [ChangeSet(ins: [3])])
    #expect(inWrite == [true])
    test.store.add(Person(id: 5))
    try test.commitWrite(skipping: skipper)
    skipper.show(test.people)
    paused?.resume()
    try test.store.refresh()
    #expect(skipper.changes.count == 1)
  }

  @Test(
    "R80: of an own commit and a skipped one without a turn between, the first is delivered in beginWrite")
  func ownThenSkipped() throws {
    let test = try file.observer()
    let skipper = test.observe(test.people)
    try test.write { $0.add(Person(id: 4)) }
    try test.store.beginWrite()
    #expect(skipper.changes == [ChangeSet(ins: [3])])
    test.store.add(Person(id: 5))
    try test.commitWrite(skipping: skipper)
    skipper.show(test.people)
    try test.store.refresh()
    #expect(skipper.changes.count == 1)
  }

  @Test("R81: a foreign commit after a skipped one is told relative to the state after it")
  func foreignAfter() throws {
    let test = try file.observer()
    let other = try file.open()
    let skipper = test.observe(test.people)
    let unskipped = test.observe(test.people)
    let paused = try PausedWatcher(test.store)
    try writeSkipping(test, skipper) { $0.add(Person(id: 10)) }
    try other.write { $0.add(Person(id: 11)) }
    paused.resume()
    try test.store.refresh()
    #expect(skipper.changes == [ChangeSet(ins: [4])])
    #expect(unskipped.changes == [ChangeSet(ins: [3, 4])])
  }

  @Test("R82: a foreign edit of what the skipper inserted is a modification for it, an insertion for others")
  func foreignEdit() throws {
    let test = try file.observer()
    let other = try file.open()
    let skipper = test.observe(test.people)
    let unskipped = test.observe(test.people)
    let paused = try PausedWatcher(test.store)
    try writeSkipping(test, skipper) { $0.add(Person(id: 10)) }
    try other.write { _ in other.person(10).name = "edited" }
    paused.resume()
    try test.store.refresh()
    #expect(skipper.changes == [ChangeSet(mod: [3])])
    #expect(unskipped.changes == [ChangeSet(ins: [3])])
  }

  @Test("R83: a foreign deletion of what the skipper inserted is a deletion for it, nothing for others")
  func foreignDelete() throws {
    let test = try file.observer()
    let other = try file.open()
    let skipper = test.observe(test.people)
    let unskipped = test.observe(test.people)
    let paused = try PausedWatcher(test.store)
    try writeSkipping(test, skipper) { $0.add(Person(id: 10)) }
    try other.write { $0.delete(other.person(10)) }
    paused.resume()
    try test.store.refresh()
    #expect(skipper.changes == [ChangeSet(del: [3])])
    #expect(unskipped.changes == [])
  }

  @Test("L3, L8: a foreign commit that undoes the skipped one is told to the skipper only")
  func foreignUndo() throws {
    let test = try file.observer()
    let other = try file.open()
    let skipper = test.observe(test.people)
    let unskipped = test.observe(test.people)
    let paused = try PausedWatcher(test.store)
    try writeSkipping(test, skipper) { _ in test.person(2).name = "mine" }
    try other.write { _ in other.person(2).name = "p2" }
    paused.resume()
    try test.store.refresh()
    #expect(skipper.changes == [ChangeSet(mod: [1])])
    #expect(unskipped.changes == [])
  }

  @Test("R84: skipped commits in a row are all skipped, also with the worker looking between them")
  func inARow() throws {
    let test = try file.observer()
    let skipper = test.observe(test.people)
    let unskipped = test.observe(test.people)
    for id in 4...20 {
      try writeSkipping(test, skipper) { $0.add(Person(id: id)) }
      if id % 3 == 0 { CommitWatcher.shared.wake(path: file.path) }
      if id % 5 == 0 { #expect(test.turns { unskipped.rows.count == id }) }
    }
    try test.store.refresh()
    #expect(skipper.changes == [])
    #expect(unskipped.rows.count == 20)
    #expect(skipper.rows == unskipped.rows)
  }

  @Test("R85, L14: a token of another store is refused with a sentence, and the write is taken back")
  func foreignToken() throws {
    let test = try file.observer()
    let other = try file.observer()
    let own = test.observe(test.people)
    let foreign = other.observe(other.people)
    let error = #expect(throws: StoreError.self) {
      try test.write(skipping: [own, foreign]) { $0.add(Person(id: 4)) }
    }
    #expect(error?.code == .misuse)
    #expect(error?.description.contains("another store") == true)
    #expect(!test.store.isInWriteTransaction)
    #expect(test.people.count == 3)
    // R90: the own token has not been marked by the failed commit.
    try test.write { $0.add(Person(id: 5)) }
    try test.store.refresh()
    #expect(own.changes == [ChangeSet(ins: [3])])
    try other.store.refresh()
    #expect(foreign.changes == [ChangeSet(ins: [3])])
  }

  @Test("R85: skipping outside a write is an error")
  func outside() throws {
    let test = try file.observer()
    let own = test.observe(test.people)
    #expect(throws: StoreError.self) {
      try test.commitWrite(skipping: own)
    }
  }

  @Test("R86: observers registered around a skipped commit get first calls of their own")
  func registeredAround() throws {
    let test = try file.observer()
    let results = test.people
    let skipper = test.observe(results)
    let before = Observation(results)
    try test.store.beginWrite()
    #expect(before.events == [.initial])
    let inside = Observation(results)
    test.store.add(Person(id: 4))
    try test.commitWrite(skipping: skipper)
    skipper.show(test.people)
    let after = Observation(results)
    #expect(test.turns { inside.isReady && after.isReady })
    try test.store.refresh()
    #expect(skipper.events == [.initial])
    #expect(before.changes == [ChangeSet(ins: [3])])
    #expect(inside.events == [.initial] && inside.rows.count == 4)
    #expect(after.events == [.initial] && after.rows.count == 4)
  }

  @Test("L8: a token whose first call is outstanding may be skipped; its first call still comes")
  func skipBeforeFirstCall() throws {
    let test = try file.observer()
    try test.store.beginWrite()
    let skipper = Observation(test.people)
    test.store.add(Person(id: 4))
    try test.commitWrite(skipping: skipper)
    #expect(test.turns { skipper.isReady })
    try test.store.refresh()
    #expect(skipper.events == [.initial])
    #expect(skipper.rows.count == 4)
  }

  @Test("R87: the skipped token may go before anything is calculated")
  func droppedToken() throws {
    let test = try file.observer()
    let skipper = test.observe(test.people)
    let other = test.observe(test.people)
    let paused = try PausedWatcher(test.store)
    try writeSkipping(test, skipper) { $0.add(Person(id: 4)) }
    skipper.token = nil
    paused.resume()
    #expect(test.turns { !other.changes.isEmpty })
    #expect(skipper.changes == [])
    #expect(other.changes == [ChangeSet(ins: [3])])
  }

  @Test("R87: a token that was invalidated may be named without harm")
  func invalidatedToken() throws {
    let test = try file.observer()
    let skipper = test.observe(test.people)
    let token = try #require(skipper.token)
    token.invalidate()
    try test.store.write(withoutNotifying: [token]) { test.store.add(Person(id: 4)) }
    #expect(test.people.count == 4)
  }

  @Test("R88: a callback that writes, skipping itself or another, does not loop", arguments: 0..<3)
  func insideCallback(_ writer: Int) throws {
    let test = try file.observer()
    let other = try file.open()
    let observations = (0..<3).map { _ in test.observe(test.people) }
    for skipped in 0..<3 {
      let id = 10 + 10 * skipped
      for observation in observations {
        observation.clear()
        observation.onEvent = { _ in }
      }
      observations[writer].onEvent = { observation in
        observation.onEvent = { _ in }
        recordingErrors {
          try test.store.beginWrite()
          test.store.add(Person(id: id + 1))
          try test.commitWrite(skipping: observations[skipped])
          observations[skipped].show(test.people)
        }
      }
      try other.write { $0.add(Person(id: id)) }
      try test.store.refresh()
      try test.store.refresh()
      for (index, observation) in observations.enumerated() {
        #expect(
          observation.rows == Observation.keys(test.people), "writer \(writer), skipped \(skipped), \(index)")
        #expect(observation.changes.count == (index == skipped ? 1 : 2))
      }
    }
  }

  @Test("L8 (not R90): a cancelled write skips nothing afterwards")
  func cancelled() throws {
    let test = try file.observer()
    let skipper = test.observe(test.people)
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try test.write(skipping: [skipper]) { store in
        store.add(Person(id: 4))
        throw Refused()
      }
    }
    try test.write { $0.add(Person(id: 5)) }
    try test.store.refresh()
    #expect(skipper.changes == [ChangeSet(ins: [3])])
  }

  @Test("L8 (not R90): a commit that fails skips nothing and is taken back")
  func failedCommit() throws {
    let test = try file.observer()
    let skipper = test.observe(test.people)
    #expect(throws: StoreError.self) {
      try test.write(skipping: [skipper]) { store in
        store.add(Person(id: 4))
        // Foreign keys are looked at when the transaction commits.
        store.execute("INSERT INTO Person_dogs (entry, owner, target) VALUES (1, 1, 'nobody')", [])
      }
    }
    #expect(!test.store.isInWriteTransaction)
    #expect(test.people.count == 3)
    try test.write { $0.add(Person(id: 5)) }
    try test.store.refresh()
    #expect(skipper.changes == [ChangeSet(ins: [3])])
  }
}
