import Testing

@testable import LiveStore

@Suite("I. Object notifications")
struct ObjectNotificationTests {
  private let fixture: KeeperFixture
  private let test: TestStore
  private let other: TestStore

  init() throws {
    fixture = try KeeperFixture()
    test = try fixture.open()
    other = try fixture.open()
  }

  @Test("R14: observing an object delivers nothing until it changes")
  func noFirstCall() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    let people = Observation(test.keepers)
    #expect(test.turns { people.isReady })
    try test.store.refresh()
    #expect(keeper.events == [])
    try other.write { _ in try other.keeper(1).age = 3 }
    try test.store.refresh()
    #expect(keeper.events == ["age: 0 > 3"])
  }

  @Test("L11, R107 (differs): old and new value are there for local commits too")
  func localValues() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    try test.write { _ in try test.keeper(1).age = 7 }
    #expect(keeper.events == [])
    #expect(test.turns { !keeper.events.isEmpty })
    #expect(keeper.events == ["age: 0 > 7"])
  }

  @Test("R105, L1: several properties and commits are one call; old is what the callback last knew")
  func coalesced() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    try other.write { _ in try other.keeper(1).age = 1 }
    try other.write { _ in
      try other.keeper(1).age = 2
      try other.keeper(1).nickname = "nick"
    }
    try test.store.refresh()
    #expect(keeper.events == ["age: 0 > 2, nickname: - > nick"])
    try test.write { _ in try test.keeper(1).nickname = nil }
    try other.write { _ in try other.keeper(1).age = 5 }
    try test.store.refresh()
    #expect(keeper.events.last == "age: 2 > 5, nickname: nick > -")
  }

  @Test("R108 (differs, L11): a callback that changes the object does not change what a later one is told")
  func valuesAreOfTheVersion() throws {
    let first = ObjectObservation(try test.keeper(1))
    let second = ObjectObservation(try test.keeper(1))
    first.onEvent = { [test] in
      guard first.events.count == 1 else { return }
      recordingErrors {
        try test.store.beginWrite()
        try test.keeper(1).age = 100
        try test.store.commitWrite()
      }
    }
    try other.write { _ in try other.keeper(1).age = 5 }
    try test.store.refresh()
    #expect(first.events == ["age: 0 > 5"])
    #expect(second.events == ["age: 0 > 5"])
    try test.store.refresh()
    #expect(first.events == ["age: 0 > 5", "age: 5 > 100"])
    #expect(second.events == ["age: 0 > 5", "age: 5 > 100"])
  }

  @Test("R27, R28 (differ, L3): what has its value again is no change")
  func values() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    try other.write { _ in try other.keeper(1).age = 1 }
    try other.write { _ in try other.keeper(1).age = 0 }
    sqlite3(fixture.file.path, "UPDATE Keeper SET name = name")
    try test.store.refresh()
    #expect(keeper.events == [])
  }

  @Test("R106: other objects of the class never trigger")
  func others() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    let list = ObjectObservation(try test.keeper(1), keyPaths: ["hounds"])
    try other.write { _ in
      try other.keeper(2).age = 1
      try other.keeper(2).hounds.append(try other.hound(1))
      other.store.delete(try other.keeper(3))
      other.store.add(Keeper(9))
    }
    try test.store.refresh()
    #expect(keeper.events == [])
    #expect(list.events == [])
  }

  @Test(
    "R104: a list counts when its elements or their order change, not when an element is edited; R109: without values"
  )
  func lists() throws {
    try other.write { _ in
      for id in 1...3 { try other.keeper(1).hounds.append(try other.hound(id)) }
    }
    try test.store.refresh()
    let keeper = ObjectObservation(try test.keeper(1))
    try other.write { _ in try other.hound(1).name = "other" }
    try test.store.refresh()
    #expect(keeper.events == [])
    try other.write { _ in try other.keeper(1).hounds.move(from: 0, to: 2) }
    try test.store.refresh()
    #expect(keeper.events == ["hounds: - > -"])
    try other.write { _ in try other.keeper(1).hounds.move(from: 2, to: 0) }
    try other.write { _ in try other.keeper(1).hounds.move(from: 0, to: 2) }
    try test.store.refresh()
    #expect(keeper.events.count == 1)
    try other.write { _ in try other.keeper(1).hounds.remove(at: 0) }
    try test.store.refresh()
    #expect(keeper.events.count == 2)
    try other.write { _ in other.store.delete(try other.hound(1)) }
    try test.store.refresh()
    #expect(keeper.events.count == 3)
  }

  @Test(
    "R109 (differs, L11): the old value of a link is the object linked before; one that is deleted is nil")
  func links() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    try other.write { _ in try other.keeper(1).best = try other.hound(1) }
    try test.store.refresh()
    try other.write { _ in try other.keeper(1).best = try other.hound(2) }
    try test.store.refresh()
    // Deleting it sets the link free; the linked object's own values are not the keeper's.
    try other.write { _ in try other.hound(2).name = "edited" }
    try other.write { _ in other.store.delete(try other.hound(2)) }
    try test.store.refresh()
    #expect(keeper.events == ["best: - > 1", "best: 1 > 2", "best: - > -"])
  }

  @Test(
    "R110: a deletion is one call without properties, and the last, even if the primary key is used again")
  func deletion() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    try other.write { _ in
      try other.keeper(1).age = 4
      other.store.delete(try other.keeper(1))
    }
    try test.store.refresh()
    #expect(keeper.events == ["deleted"])
    #expect(keeper.token?.invalidate() == false)
    try other.write { $0.add(Keeper(1)) }
    try test.store.refresh()
    try other.write { _ in try other.keeper(1).age = 8 }
    try test.store.refresh()
    #expect(keeper.events == ["deleted"])
  }

  @Test("R110, L8: a deletion that the callback skipped is known to it; nothing follows")
  func skippedDeletion() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    try test.store.write(withoutNotifying: [keeper.token!]) { test.store.delete(try test.keeper(1)) }
    try other.write { $0.add(Keeper(1)) }
    try test.store.refresh()
    try other.write { _ in try other.keeper(1).age = 8 }
    try test.store.refresh()
    #expect(keeper.events == [])
  }

  @Test("L2: deleted and added again with the same primary key, it is the same object with other values")
  func replaced() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    sqlite3(fixture.file.path, "INSERT OR REPLACE INTO Keeper (id, name, age) VALUES (1, 'k1', 12)")
    try test.store.refresh()
    #expect(keeper.events == ["age: 0 > 12"])
    #expect(try test.keeper(1).age == 12)
  }

  @Test("R111: a deletion reaches callbacks with key paths, also with none")
  func deletionWithKeyPaths() throws {
    let name = ObjectObservation(try test.keeper(1), keyPaths: ["name"])
    let nothing = ObjectObservation(try test.keeper(1), keyPaths: [])
    try other.write { _ in try other.keeper(1).age = 4 }
    try test.store.refresh()
    #expect(name.events == [] && nothing.events == [])
    try other.write { _ in try other.keeper(1).name = "n" }
    try test.store.refresh()
    #expect(name.events == ["name: k1 > n"])
    #expect(nothing.events == [], "R91")
    try other.write { _ in other.store.delete(try other.keeper(1)) }
    try test.store.refresh()
    #expect(name.events == ["name: k1 > n", "deleted"])
    #expect(nothing.events == ["deleted"])
  }

  @Test("L8: a skipped write is known to the callback: the next old value is from after it")
  func skipping() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    let all = ObjectObservation(try test.keeper(1))
    try test.store.write(withoutNotifying: [keeper.token!]) { try test.keeper(1).age = 1 }
    try other.write { _ in try other.keeper(1).age = 2 }
    try test.store.refresh()
    #expect(keeper.events == ["age: 1 > 2"])
    #expect(all.events == ["age: 0 > 2"])
  }

  @Test("L13, R174: what another program writes is told with both values")
  func foreign() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    sqlite3(fixture.file.path, "UPDATE Keeper SET age = 3, mentor = 2 WHERE id = 1")
    #expect(test.turns { !keeper.events.isEmpty })
    #expect(keeper.events == ["age: 0 > 3, mentor: - > 2"])
  }

  @Test("R98: what changed at the end of a path is told as its first property")
  func deepPath() throws {
    try other.write { _ in
      try other.keeper(1).best = try other.hound(1)
      try other.keeper(1).hounds.append(try other.hound(2))
    }
    try test.store.refresh()
    let best = ObjectObservation(try test.keeper(1), keyPaths: ["best.name"])
    let hounds = ObjectObservation(try test.keeper(1), keyPaths: ["hounds.age", "age"])
    try other.write { _ in
      try other.hound(1).name = "x"
      try other.hound(2).age = 2
    }
    try test.store.refresh()
    #expect(best.events == ["best: 1 > 1"])
    #expect(hounds.events == ["hounds: - > -"])
    try other.write { _ in try other.keeper(1).best = try other.hound(3) }
    try test.store.refresh()
    #expect(best.events.last == "best: 1 > 3")
    try other.write { _ in
      try other.hound(1).name = "off the path"
      try other.hound(2).name = "off the path"
    }
    try test.store.refresh()
    #expect(best.events.count == 2 && hounds.events.count == 1)
  }

  @Test("R99 (differs, L9): a callback without key paths does not see what another's path finds")
  func mixed() throws {
    try other.write { _ in try other.keeper(1).best = try other.hound(1) }
    try test.store.refresh()
    let deep = ObjectObservation(try test.keeper(1), keyPaths: ["best.name"])
    let plain = ObjectObservation(try test.keeper(1))
    try other.write { _ in try other.hound(1).name = "x" }
    try test.store.refresh()
    #expect(deep.events == ["best: 1 > 1"])
    #expect(plain.events == [])
  }

  @Test("Wanted and unwanted properties can be named")
  func observingAndIgnoring() throws {
    let wanted = ObjectObservation()
    let unwanted = ObjectObservation()
    wanted.token = try test.keeper(1).observe(keyPaths: [\.age, \.best]) { wanted.receive($0) }
    unwanted.token = try test.keeper(1).observe(ignoring: [\.age, \.best]) { unwanted.receive($0) }
    try other.write { _ in
      let keeper = try other.keeper(1)
      keeper.age = 1
      keeper.best = try other.hound(1)
      keeper.name = "n"
      keeper.hounds.append(try other.hound(1))
    }
    try test.store.refresh()
    #expect(wanted.events == ["age: 0 > 1, best: - > 1"])
    #expect(unwanted.events == ["name: k1 > n, hounds: - > -"])
  }

  @Test(
    "R164: callbacks of one object are called together, objects and collections in the order of their registration"
  )
  func order() throws {
    var order: [String] = []
    let first = ObjectObservation(try test.keeper(1))
    let keepers = Observation(test.keepers)
    let second = ObjectObservation(try test.keeper(2))
    let third = ObjectObservation(try test.keeper(1))
    #expect(test.turns { keepers.isReady })
    first.onEvent = { order.append("first") }
    second.onEvent = { order.append("second") }
    third.onEvent = { order.append("third") }
    keepers.onEvent = { _ in order.append("keepers") }
    try other.write { _ in
      try other.keeper(1).age = 1
      try other.keeper(2).age = 1
    }
    try test.store.refresh()
    #expect(order == ["first", "third", "keepers", "second"])
  }

  @Test("R75, L7: in the callback of an object everything shows the version delivered")
  func oneVersion() throws {
    let keeper = ObjectObservation(try test.keeper(1))
    var seen: [Int] = []
    keeper.onEvent = { [test] in
      seen = [test.keepers.count, (try? test.keeper(1).age) ?? -1]
    }
    try other.write {
      $0.add(Keeper(10))
      try other.keeper(1).age = 6
    }
    #expect(test.turns { !seen.isEmpty })
    #expect(seen == [5, 6])
  }

  @Test("R160: a token that is gone ends the calls, and lets the object go")
  func ending() throws {
    weak var held: Keeper?
    do {
      let keeper = try test.keeper(1)
      held = keeper
      let observation = ObjectObservation(keeper)
      try other.write { _ in try other.keeper(1).age = 1 }
      test.awaitPending()
      observation.token = nil
      test.store.processNotifications()
      #expect(observation.events == [])
    }
    #expect(held == nil)
  }

  @Test("A change between two looks is not lost on an object that is observed in between")
  func observedWhilePending() throws {
    let keepers = test.observe(test.keepers)
    try other.write { _ in try other.keeper(1).age = 1 }
    test.awaitPending()
    // The delivery that is pending was calculated without this callback, which knows an age of 0.
    let keeper = ObjectObservation(try test.keeper(1))
    #expect(test.turns { !keeper.events.isEmpty })
    #expect(keeper.events == ["age: 0 > 1"])
    #expect(keepers.changes.count == 1)
  }

  @Test("R112: an object that belongs to no store, or was deleted, cannot be observed")
  func notObservable() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Keeper(1).observe { _ in }
      }, says: "Only an object that was added to a store can be observed; add this Keeper first.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let test = try KeeperFixture().open()
        let keeper = try test.keeper(1)
        try test.write { $0.delete(keeper) }
        _ = keeper.observe { _ in }
      }, says: "The Keeper has been deleted and can no longer be observed; look at isInvalidated before.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let test = try KeeperFixture().open()
        try test.store.beginWrite()
        try test.keeper(1).age = 1
        _ = try test.keeper(1).observe { _ in }
      }, says: "An object cannot be observed in a write transaction that has changed something")
  }
}
